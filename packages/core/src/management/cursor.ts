import { sha256 } from "../adapters/digest.ts";
import type { Scalar } from "../data/value.ts";
import { invalidCursor } from "../http/pagination.ts";
import type { Tenant } from "../tenancy/tenant.ts";

/**
 * Makes the cursor of a position in a list. It is sealed, and with it what it belongs to: to another list, another tenant or another question it is unknown.
 * @param list what the list is, and what was asked of it.
 */
export async function sealCursor(tenant: Tenant, position: readonly unknown[], list: readonly unknown[]): Promise<string> {
  return tenant.environment.sealer.seal("cursor", JSON.stringify({ list: await nameOf(tenant, list), position }));
}

/** Opens a cursor. @throws {PosternError} `invalid_request` for one that was not made for this list. */
export async function openCursor(tenant: Tenant, cursor: string, list: readonly unknown[]): Promise<readonly Scalar[]> {
  const text = await tenant.environment.sealer.open("cursor", cursor).catch(() => {
    throw invalidCursor();
  });
  // Sealed by us: the shape is what `sealCursor` wrote.
  const { list: name, position } = JSON.parse(text) as { readonly list: string; readonly position: readonly Scalar[] };
  if (name !== (await nameOf(tenant, list))) throw invalidCursor();
  return position;
}

async function nameOf({ id }: Tenant, list: readonly unknown[]): Promise<string> {
  return sha256(JSON.stringify([id, ...list]));
}
