import { readAllByIds } from "../../store/by-ids.ts";
import { schema, type Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";

/** Reads the accounts that are linked to these primary accounts. */
export async function linkedAccounts(data: Pick<TenantData, "users">, primaries: readonly string[]): Promise<readonly Row<"users">[]> {
  return readAllByIds(data.users, schema.users.key, "linked_to", primaries);
}
