import { readAll } from "../../data/read-all.ts";
import { schema, type Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";

/** The accounts that are linked to these users. @param primaries at most 50 ids. */
export async function linkedAccounts(data: Pick<TenantData, "users">, primaries: readonly string[]): Promise<readonly Row<"users">[]> {
  return readAll(data.users, schema.users.key, { linked_to: { in: primaries } });
}
