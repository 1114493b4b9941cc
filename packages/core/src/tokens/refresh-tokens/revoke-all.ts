import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { endOfTurn } from "../../store/turn.ts";
import { revokeGrant } from "./refresh-token.ts";

/** The number of tokens that one query reads. */
const chunk = 500;
/** The number of grants that are revoked before this function yields to the event loop. */
const grantsPerTurn = 50;

/**
 * Selects refresh tokens: all tokens of a user, or the tokens that one client has for one API (`audience`; `null` for
 * tokens without an API).
 */
type TokensOfUser = Pick<Row<"refresh_tokens">, "user_id"> & Partial<Pick<Row<"refresh_tokens">, "client_id" | "audience">>;

/**
 * Revokes refresh tokens of a user and the access tokens that were issued with them. The rows are not deleted. Safe to
 * repeat: the tokens of a grant are marked as revoked after the grant, so the next call finds them if the process
 * crashes in between.
 */
export async function revokeTokens(context: DataContext, which: TokensOfUser): Promise<void> {
  for (;;) {
    const tokens = await context.data.refresh_tokens.find({ where: { ...which, revoked_at: null }, limit: chunk });
    const grants = [...new Set(tokens.map(({ grant_id: grant }) => grant))];
    for (const [i, grant] of grants.entries()) {
      if (i % grantsPerTurn === grantsPerTurn - 1) await endOfTurn();
      await revokeGrant(context, grant, "revoked");
      await context.data.refresh_tokens.update(
        { grant_id: grant, user_id: which.user_id, revoked_at: null },
        { set: { revoked_at: context.now() } },
      );
    }
    if (tokens.length < chunk) return;
    await endOfTurn();
  }
}
