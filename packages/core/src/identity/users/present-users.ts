import type * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { isUpstreamAccount, toUser, type ShownTokens, type userSchema } from "../../model/users/users.ts";
import { linkedAccounts } from "./linked-accounts.ts";

/** Reads the provider tokens that are stored for accounts, by account id. */
export type ReadTokens = (accountIds: readonly string[]) => Promise<ReadonlyMap<string, ShownTokens>>;

/**
 * Converts a user with the linked accounts to the format of API responses.
 * @param tokens reads the provider tokens. Left out if the caller may not see them.
 */
export async function presentUser(data: TenantData, row: Row<"users">, tokens?: ReadTokens): Promise<z.infer<typeof userSchema>> {
  const linked = row.linked_count === 0 ? [] : await linkedAccounts(data, [row.user_id]);
  return toUser(row, linked, await tokens?.(upstreamAccounts([row, ...linked])));
}

/**
 * Converts a page of users to the format of API responses. Sends one query for the linked accounts of all users, if any
 * user has linked accounts.
 * @param tokens reads the provider tokens. Left out if the caller may not see them.
 */
export async function presentUsers(
  data: TenantData,
  rows: readonly Row<"users">[],
  tokens?: ReadTokens,
): Promise<readonly z.infer<typeof userSchema>[]> {
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
