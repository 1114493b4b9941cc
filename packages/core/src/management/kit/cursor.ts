import { sha256 } from "../../adapters/digest.ts";
import type { Place } from "../../store/sealed.ts";
import type { Scalar } from "../../store/value.ts";
import { invalidCursor } from "../../http/pagination.ts";
import type { Tenant } from "../../tenants/tenant.ts";

/**
 * Makes the cursor of a position in a list. It is sealed for what it belongs to: to another list, another tenant or another question it is unknown.
 * @param list what the list is, and what was asked of it.
 */
export async function sealCursor(tenant: Tenant, position: readonly unknown[], list: readonly unknown[]): Promise<string> {
  return tenant.secrets.sealer.seal(await placeOfList(tenant, list), JSON.stringify(position));
}

/** Opens a cursor. @throws {PosternError} `invalid_request` for one that was not made for this list. */
export async function openCursor(tenant: Tenant, cursor: string, list: readonly unknown[]): Promise<readonly Scalar[]> {
  const text = await tenant.secrets.sealer.open(await placeOfList(tenant, list), cursor).catch(() => {
    throw invalidCursor();
  });
  // Sealed by us: the shape is what `sealCursor` wrote.
  return JSON.parse(text) as readonly Scalar[];
}

async function placeOfList({ id }: Tenant, list: readonly unknown[]): Promise<Place> {
  return { tenantId: id, collection: "cursors", id: await sha256(JSON.stringify(list)), field: "position" };
}
