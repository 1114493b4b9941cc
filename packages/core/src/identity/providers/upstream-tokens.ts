import type { DataContext } from "../../context.ts";
import * as z from "zod";
import { findByIds } from "../../store/by-ids.ts";
import { changeRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { sealedPlaceOf } from "../../store/sealed.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { openJson, sealJson } from "../../crypto/sealed-json.ts";

/** The tokens that an identity provider issued for an account. */
export const upstreamTokensSchema = z.object({
  access: z.string(),
  refresh: z.string().exactOptional(),
  /** The granted scopes, separated by spaces; left out if the provider does not return them. */
  scope: z.string().exactOptional(),
  /** When the access token expires, in milliseconds since 1970; left out if the provider does not return the expiry. */
  expires_at: z.number().exactOptional(),
});

/** The parsed tokens that an identity provider issued for an account. */
export type UpstreamTokens = z.infer<typeof upstreamTokensSchema>;

type Stored = Row<"upstream_tokens">;

/**
 * Returns whether the tokens that a connection's provider issues are stored (`federated_connections_access_tokens`).
 * Default: yes.
 */
export function storesTokens({ options: { federated_connections_access_tokens: option } }: Pick<Row<"connections">, "options">): boolean {
  return !(typeof option === "object" && option !== null && "active" in option && option.active === false);
}

/**
 * Stores the tokens that the provider issued in the latest login with an account. Many providers issue a refresh token
 * only at the first consent, so a login without a refresh token keeps the stored one. After parallel logins, the tokens
 * from any one of them are stored, because all of them are valid.
 */
export async function storeTokens(context: DataContext, accountId: string, tokens: UpstreamTokens): Promise<void> {
  const { data } = context;
  const columns = async (refresh: string | undefined): Promise<Pick<Stored, "tokens" | "seal" | "updated_at">> => ({
    ...(await sealTokens(context, accountId, { ...(refresh !== undefined && { refresh }), ...tokens })),
    updated_at: context.now(),
  });
  const { outcome } = await changeRow(data.upstream_tokens, { account_id: accountId }, async (known) => {
    // If no key can decrypt the stored tokens, the login still succeeds.
    const former = await openTokens(context, known).catch(() => undefined);
    return columns(former?.refresh);
  });
  if (outcome !== "absent") return;
  await data.upstream_tokens.insert([{ account_id: accountId, ...(await columns(undefined)), refreshing_until: 0, revision: 0 }]);
}

/** Deletes the tokens of an account that was deleted in the meantime. */
export async function deleteOrphanedTokens(data: TenantData, accountId: string): Promise<void> {
  if ((await data.users.count({ user_id: accountId })) === 0) await data.upstream_tokens.delete({ account_id: accountId });
}

/**
 * Returns the tokens that are stored for accounts, by account id. Accounts without stored tokens are left out.
 * @param onUnreadable is called for tokens that cannot be decrypted, which are then left out. Default: throws the error.
 * @throws if no key in the key ring can decrypt the tokens of an account, unless `onUnreadable` is set.
 */
export async function tokensOf(
  context: DataContext,
  accountIds: readonly string[],
  onUnreadable?: (accountId: string, error: unknown) => void,
): Promise<ReadonlyMap<string, UpstreamTokens>> {
  const rows = await findByIds(context.data.upstream_tokens, "account_id", accountIds);
  const opened = await Promise.all(
    rows.map(async (row): Promise<readonly [string, UpstreamTokens][]> => {
      try {
        return [[row.account_id, await openTokens(context, row)]];
      } catch (error) {
        if (onUnreadable === undefined) throw error;
        onUnreadable(row.account_id, error);
        return [];
      }
    }),
  );
  return new Map(opened.flat());
}

/** Encrypts the tokens of an account for its row. */
export async function sealTokens(
  context: DataContext,
  accountId: string,
  tokens: UpstreamTokens,
): Promise<Pick<Stored, "tokens" | "seal">> {
  const { text, seal } = await sealJson(context, sealedPlaceOf("upstream_tokens", context.data.tenantId, accountId), tokens);
  return { tokens: text, seal };
}

/** Decrypts the tokens in a row. @throws if no key in the key ring can decrypt them. */
export async function openTokens(
  context: DataContext,
  { account_id: id, tokens }: Pick<Stored, "account_id" | "tokens">,
): Promise<UpstreamTokens> {
  return upstreamTokensSchema.parse(await openJson(context, sealedPlaceOf("upstream_tokens", context.data.tenantId, id), tokens));
}
