import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { endOfTurn } from "../../store/turn.ts";
import { revokeGrant } from "./refresh-token.ts";

/** Tokens looked at in one statement. */
const chunk = 500;
/** Grants revoked between two turns of the event loop. */
const grantsPerTurn = 50;

/** Whose refresh tokens: a user's, or those of a user that one client has for one API (`null`: for none). */
export type TokensOfUser = Pick<Row<"refresh_tokens">, "user_id"> & Partial<Pick<Row<"refresh_tokens">, "client_id" | "audience">>;

/**
 * Ends refresh tokens of a user, and the access tokens that came with them. The rows stay. Repeatable: the tokens of a grant are revoked after the
 * grant, so that a crash leaves them to be found again.
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
