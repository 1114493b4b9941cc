import type { DataContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import { changeRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { UpstreamClient } from "./provider.ts";
import { UpstreamError } from "./upstream-error.ts";
import { openTokens, sealTokens, type UpstreamTokens } from "./upstream-tokens.ts";
import { refreshProviderTokens } from "./provider-requests.ts";

/**
 * An access token that expires within this time is not returned, because the caller needs time to use it. In
 * milliseconds.
 */
const margin = 30_000;

/**
 * How long a caller may take to refresh tokens, in milliseconds. Longer than the timeout for requests to a provider.
 */
const turn = 10_000;

/** How long a caller pauses between reads while another caller refreshes the tokens, in milliseconds. */
const pause = 250;

/**
 * Returns the provider tokens that are stored for an account, and refreshes an expired access token first. Only one
 * caller at a time, across all processes, refreshes the tokens, because a provider that receives a refresh token twice
 * may treat it as stolen and revoke it.
 * @param upstream called only if the tokens must be refreshed.
 * @returns undefined if no tokens are stored, or if the access token expired and no refresh token is stored. The user
 * must then sign in at the provider again.
 * @throws {UpstreamError} `revoked` if the provider no longer accepts the refresh token, `failed` for any other failure
 * at the provider, or if another caller does not finish in time.
 */
export async function freshTokens(
  context: DataContext,
  accountId: string,
  upstream: () => Promise<UpstreamClient>,
): Promise<UpstreamTokens | undefined> {
  const { data } = context;
  for (let waited = 0; waited <= turn; waited += pause) {
    const row = await findOne(data.upstream_tokens, { account_id: accountId });
    if (row === undefined) return undefined;
    const tokens = await openTokens(context, row);
    if (tokens.expires_at === undefined || tokens.expires_at - margin > context.now()) return tokens;
    if (tokens.refresh === undefined) return undefined;
    if (row.refreshing_until <= context.now()) {
      const mine = await change(data, row, { refreshing_until: context.now() + turn });
      if (mine !== undefined) return fetchNewer(context, mine, { ...tokens, refresh: tokens.refresh }, upstream);
    }
    await context.host.wait(pause);
  }
  throw new UpstreamError("failed", "the tokens were not refreshed in time by another request");
}

async function fetchNewer(
  context: DataContext,
  row: Row<"upstream_tokens">,
  tokens: UpstreamTokens & { readonly refresh: string },
  upstream: () => Promise<UpstreamClient>,
): Promise<UpstreamTokens> {
  const { data } = context;
  const end = { refreshing_until: 0 };
  try {
    const newer = await refreshProviderTokens(await upstream(), tokens.refresh, context.host.wait).catch(revokedOnly);
    // A refresh token that the provider rejected is deleted, so that it is not sent again.
    const merged = newer instanceof UpstreamError ? withoutRefresh(tokens) : { ...withoutExpiry(tokens), ...newer };
    await changeRow(
      data.upstream_tokens,
      { account_id: row.account_id },
      async (current) => {
        // If a parallel login stored a new refresh token, its tokens stay. Otherwise the row still has the refresh
        // token that was used here.
        const { refresh } = await openTokens(context, current);
        return refresh === tokens.refresh
          ? { ...(await sealTokens(context, row.account_id, merged)), ...end, updated_at: context.now() }
          : end;
      },
      row,
    );
    if (newer instanceof UpstreamError) throw newer;
    return merged;
  } catch (error) {
    await change(data, row, end);
    throw error;
  }
}

/** Returns the error of a rejected refresh token, and throws any other. */
function revokedOnly(error: unknown): UpstreamError {
  if (error instanceof UpstreamError && error.fault === "revoked") return error;
  throw error;
}

/** Updates a row if it is unchanged since it was read. @returns the updated row; undefined if the row was changed. */
async function change(
  data: TenantData,
  row: Row<"upstream_tokens">,
  set: Partial<Row<"upstream_tokens">>,
): Promise<Row<"upstream_tokens"> | undefined> {
  const { account_id, revision } = row;
  const changed = await data.upstream_tokens.update({ account_id, revision }, { set, add: { revision: 1 } });
  return changed === 1 ? { ...row, ...set, revision: revision + 1 } : undefined;
}

function withoutRefresh({ refresh: _, ...tokens }: UpstreamTokens): UpstreamTokens {
  return tokens;
}

function withoutExpiry({ expires_at: _, ...tokens }: UpstreamTokens): UpstreamTokens {
  return tokens;
}
