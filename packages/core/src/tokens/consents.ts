import type { DataContext } from "../context.ts";
import type { Match } from "../store/contract.ts";
import type { Row } from "../store/schema.ts";
import { endOfTurn } from "../store/turn.ts";
import { revokeTokens } from "./refresh-tokens/revoke-all.ts";

/** Consents read by one query. */
const chunk = 50;

/**
 * Deletes consents of users. The client must request consent again, and its authorization codes, refresh tokens and
 * their access tokens for that API are revoked. Repeatable: the consent is deleted after the rows that depend on it, so
 * a crash leaves the consent for the next call.
 */
export async function withdrawConsents(context: DataContext, where: Match<Row<"consents">>): Promise<void> {
  for (;;) {
    const consents = await context.data.consents.find({ where, limit: chunk });
    for (const consent of consents) {
      await revokeGrantedTokens(context, consent);
      await context.data.consents.delete({ id: consent.id });
      // Codes and tokens that were issued before the consent was deleted.
      await revokeGrantedTokens(context, consent);
    }
    if (consents.length < chunk) return;
    await endOfTurn();
  }
}

async function revokeGrantedTokens(context: DataContext, consent: Row<"consents">): Promise<void> {
  // A consent to claims about the user has no API, and neither have its codes and tokens.
  const audience = consent.audience === "" ? null : consent.audience;
  const given = { user_id: consent.user_id, client_id: consent.client_id, audience };
  await context.data.authorization_codes.delete(given);
  await revokeTokens(context, given);
}
