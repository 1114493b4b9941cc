import type { TenantContext } from "../../context.ts";
import type { SealedPlace } from "../../store/sealed.ts";
import type { AuthorizationRequest } from "../authorization-request.ts";

type SealedDevice = NonNullable<AuthorizationRequest["device"]>;

function placeOf({ data }: TenantContext, codeHash: string): SealedPlace {
  return { tenantId: data.tenantId, collection: "user_code", id: codeHash, field: "user_code" };
}

/**
 * Encrypts a user code for a login session. A later page displays it, and the database must not contain it in a readable
 * form.
 */
export async function sealUserCode(tenant: TenantContext, codeHash: string, userCode: string): Promise<SealedDevice> {
  return { code_hash: codeHash, sealed_user_code: await tenant.secrets.sealer.seal(placeOf(tenant, codeHash), userCode) };
}

/** Decrypts a user code. @throws if no key of the ring decrypts it. */
export function openUserCode(tenant: TenantContext, { code_hash: codeHash, sealed_user_code: sealed }: SealedDevice): Promise<string> {
  return tenant.secrets.sealer.open(placeOf(tenant, codeHash), sealed);
}
