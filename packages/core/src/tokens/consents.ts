import type { DataContext } from "../context.ts";
import type { Match } from "../store/contract.ts";
import type { Row } from "../store/schema.ts";
import { endOfTurn } from "../store/turn.ts";
import { revokeTokens } from "./refresh-tokens/revoke-all.ts";

/** The number of consents that one query reads. */
const chunk = 50;

/**
 * Deletes consents that users gave. The client must then prompt for consent again. Its authorization codes and refresh
 * tokens for that API, and the access tokens that were issued with them, are revoked. Safe to repeat: the consent is
 * deleted after the rows that depend on it, so the next call finds the consent if the process crashes in between.
 */
export async function withdrawConsents(context: DataContext, where: Match<Row<"consents">>): Promise<void> {
  for (;;) {
    const consents = await context.data.consents.find({ where, limit: chunk });
    for (const consent of consents) {
      await revokeGrantedTokens(context, consent);
      await context.data.consents.delete({ id: consent.id });
      // Revokes codes and tokens that were issued between the first revocation and the deletion.
      await revokeGrantedTokens(context, consent);
    }
    if (consents.length < chunk) return;
    await endOfTurn();
  }
}

async function revokeGrantedTokens(context: DataContext, consent: Row<"consents">): Promise<void> {
  // A consent that covers only claims about the user has no API. The same applies to its codes and tokens.
  const audience = consent.audience === "" ? null : consent.audience;
  const given = { user_id: consent.user_id, client_id: consent.client_id, audience };
  await context.data.authorization_codes.delete(given);
  await revokeTokens(context, given);
}
