import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import { toUser, type User } from "../../model/users/users.ts";
import { linkedAccounts } from "./linked-accounts.ts";

/** A user with the accounts linked to it. */
export async function presentUser(data: TenantData, row: Row<"users">): Promise<User> {
  return toUser(row, row.linked_count === 0 ? [] : await linkedAccounts(data, [row.user_id]));
}

/** One more question for the whole page, and only where somebody on it has linked accounts. */
export async function presentUsers(data: TenantData, rows: readonly Row<"users">[]): Promise<readonly User[]> {
  const primaries = rows.filter(({ linked_count: count }) => count > 0).map(({ user_id: id }) => id);
  const linked = await linkedAccounts(data, primaries);
  return rows.map((row) =>
    toUser(
      row,
      linked.filter(({ linked_to: primary }) => primary === row.user_id),
    ),
  );
}
