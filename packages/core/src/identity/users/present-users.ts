import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { isUpstreamAccount, toUser, type ShownTokens, type User } from "../../model/users/users.ts";
import { linkedAccounts } from "./linked-accounts.ts";

/** Reads what identity providers gave for accounts, by their ids. */
export type ReadTokens = (accountIds: readonly string[]) => Promise<ReadonlyMap<string, ShownTokens>>;

/** A user with the accounts linked to it. @param tokens read for a caller who may see them. */
export async function presentUser(data: TenantData, row: Row<"users">, tokens?: ReadTokens): Promise<User> {
  const linked = row.linked_count === 0 ? [] : await linkedAccounts(data, [row.user_id]);
  return toUser(row, linked, await tokens?.(upstreamAccounts([row, ...linked])));
}

/** One more question for the whole page, and only where somebody on it has linked accounts. @param tokens read for a caller who may see them. */
export async function presentUsers(data: TenantData, rows: readonly Row<"users">[], tokens?: ReadTokens): Promise<readonly User[]> {
  const primaries = rows.filter(({ linked_count: count }) => count > 0).map(({ user_id: id }) => id);
  const linked = await linkedAccounts(data, primaries);
  const shown = await tokens?.(upstreamAccounts([...rows, ...linked]));
  return rows.map((row) =>
    toUser(
      row,
      linked.filter(({ linked_to: primary }) => primary === row.user_id),
      shown,
    ),
  );
}

function upstreamAccounts(accounts: readonly Row<"users">[]): readonly string[] {
  return accounts.filter(isUpstreamAccount).map(({ user_id: id }) => id);
}
