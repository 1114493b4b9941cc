import type { DataContext } from "../context.ts";
import type { Match } from "../store/contract.ts";
import type { Row } from "../store/schema.ts";
import { endOfTurn } from "../store/turn.ts";
import { revokeTokens } from "./refresh-tokens/revoke-all.ts";

/** Consents looked at in one statement. */
const chunk = 50;

/**
 * Takes back what people allowed clients: the client asks anew, and what it was given for that API ends, which is codes, refresh tokens and
 * the access tokens that came with these. Repeatable: the consent goes after what it gave, so that a crash leaves it to be found again.
 */
export async function withdrawConsents(context: DataContext, where: Match<Row<"consents">>): Promise<void> {
  for (;;) {
    const consents = await context.data.consents.find({ where, limit: chunk });
    for (const consent of consents) {
      await endWhatItGave(context, consent);
      await context.data.consents.delete({ id: consent.id });
      // Whatever was begun while the consent was still there.
      await endWhatItGave(context, consent);
    }
    if (consents.length < chunk) return;
    await endOfTurn();
  }
}

async function endWhatItGave(context: DataContext, consent: Row<"consents">): Promise<void> {
  // A consent to claims about the person names no API: so do its codes and tokens.
  const audience = consent.audience === "" ? null : consent.audience;
  const given = { user_id: consent.user_id, client_id: consent.client_id, audience };
  await context.data.authorization_codes.delete(given);
  await revokeTokens(context, given);
}
