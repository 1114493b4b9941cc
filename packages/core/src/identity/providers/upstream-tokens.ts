import type { DataContext } from "../../context.ts";
import * as z from "zod";
import { findByIds } from "../../store/by-ids.ts";
import { changeRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { placeOf } from "../../store/sealed.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { openJson, sealJson } from "../../crypto/sealed-json.ts";

/** What an identity provider gave for an account of its own. */
export const UpstreamTokens = z.object({
  access: z.string(),
  refresh: z.string().exactOptional(),
  /** What was granted, with spaces between; left out where the provider does not say. */
  scope: z.string().exactOptional(),
  /** Milliseconds since 1970; left out where the provider does not say. */
  expires_at: z.number().exactOptional(),
});

/** What {@link UpstreamTokens} parses to. */
export type UpstreamTokens = z.infer<typeof UpstreamTokens>;

type Stored = Row<"upstream_tokens">;

/** Whether the tokens of a connection's provider are kept: unless its options say no (`federated_connections_access_tokens`). */
export function storesTokens({ options: { federated_connections_access_tokens: kept } }: Pick<Row<"connections">, "options">): boolean {
  return !(typeof kept === "object" && kept !== null && "active" in kept && kept.active === false);
}

/**
 * Keeps the newest tokens of an account. Providers give a refresh token at the first consent and seldom again: where none came, the one that is known stays.
 * Of parallel logins the last one's are kept, or those of one before it: all are good.
 */
export async function storeTokens(context: DataContext, accountId: string, tokens: UpstreamTokens): Promise<void> {
  const { data } = context;
  const columns = async (refresh: string | undefined): Promise<Pick<Stored, "tokens" | "seal" | "updated_at">> => ({
    ...(await sealTokens(context, accountId, { ...(refresh !== undefined && { refresh }), ...tokens })),
    updated_at: context.now(),
  });
  const { outcome } = await changeRow(data.upstream_tokens, { account_id: accountId }, async (known) => {
    // What no key opens any more is no reason to keep somebody out.
    const former = await openTokens(context, known).catch(() => undefined);
    return columns(former?.refresh);
  });
  if (outcome !== "absent") return;
  await data.upstream_tokens.insert([{ account_id: accountId, ...(await columns(undefined)), refreshing_until: 0, revision: 0 }]);
}

/** Drops what was kept for an account that was removed meanwhile. */
export async function deleteOrphanedTokens(data: TenantData, accountId: string): Promise<void> {
  if ((await data.users.count({ user_id: accountId })) === 0) await data.upstream_tokens.delete({ account_id: accountId });
}

/** The tokens of accounts, by their ids; those of which none are kept are left out. @throws where no key of the ring opens some. */
export async function tokensOf(context: DataContext, accountIds: readonly string[]): Promise<ReadonlyMap<string, UpstreamTokens>> {
  const rows = await findByIds(context.data.upstream_tokens, "account_id", accountIds);
  return new Map(
    await Promise.all(rows.map(async (row): Promise<[string, UpstreamTokens]> => [row.account_id, await openTokens(context, row)])),
  );
}

/** Seals the tokens of an account, for its record. */
export async function sealTokens(
  context: DataContext,
  accountId: string,
  tokens: UpstreamTokens,
): Promise<Pick<Stored, "tokens" | "seal">> {
  const { text, seal } = await sealJson(context, placeOf("upstream_tokens", context.data.tenantId, accountId), tokens);
  return { tokens: text, seal };
}

/** The tokens in a record. @throws where no key of the ring opens them. */
export async function openTokens(
  context: DataContext,
  { account_id: id, tokens }: Pick<Stored, "account_id" | "tokens">,
): Promise<UpstreamTokens> {
  return UpstreamTokens.parse(await openJson(context, placeOf("upstream_tokens", context.data.tenantId, id), tokens));
}
