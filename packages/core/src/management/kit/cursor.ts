import { sha256 } from "../../adapters/digest.ts";
import type { SealedPlace } from "../../store/sealed.ts";
import type { Scalar } from "../../store/value.ts";
import { invalidCursor } from "../../http/pagination.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/**
 * Creates a cursor for a position in a list. The cursor is encrypted for one list, tenant and query, and is invalid for
 * any other.
 * @param list identifies the list and the query.
 */
export async function sealCursor(tenant: RequestTenant, position: readonly unknown[], list: readonly unknown[]): Promise<string> {
  return tenant.secrets.sealer.seal(await placeOfList(tenant, list), JSON.stringify(position));
}

/**
 * Decrypts a cursor. Returns undefined without a cursor: for the first page, Auth0's CLI sends an empty one.
 * @throws {PosternError} `invalid_request` if the cursor does not belong to this list.
 */
export async function openCursor(
  tenant: RequestTenant,
  cursor: string | undefined,
  list: readonly unknown[],
): Promise<readonly Scalar[] | undefined> {
  if (cursor === undefined || cursor === "") return undefined;
  const text = await tenant.secrets.sealer.open(await placeOfList(tenant, list), cursor).catch(() => {
    throw invalidCursor();
  });
  // The decrypted text is authentic, so it has the shape that `sealCursor` wrote.
  return JSON.parse(text) as readonly Scalar[];
}

async function placeOfList({ id }: RequestTenant, list: readonly unknown[]): Promise<SealedPlace> {
  return { tenantId: id, collection: "cursors", id: await sha256(JSON.stringify(list)), field: "position" };
}
