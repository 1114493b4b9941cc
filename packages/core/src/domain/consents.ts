import type { Match } from "../data/contract.ts";
import type { Row } from "../data/schema.ts";
import type { TenantData } from "../data/tenant-data.ts";
import { endOfTurn } from "../data/turn.ts";
import type { Environment } from "./environment.ts";
import { revokeTokens } from "./refresh-tokens/revoke-all.ts";

/** Consents looked at in one statement. */
const chunk = 50;

/**
 * Takes back what people allowed clients: the client asks anew, and what it was given for that API ends, which is codes, refresh tokens and
 * the access tokens that came with these. Repeatable: the consent goes after what it gave, so that a crash leaves it to be found again.
 */
export async function withdrawConsents(environment: Environment, data: TenantData, where: Match<Row<"consents">>): Promise<void> {
  for (;;) {
    const consents = await data.consents.find({ where, limit: chunk });
    for (const consent of consents) {
      await endWhatItGave(environment, data, consent);
      await data.consents.delete({ id: consent.id });
      // Whatever was begun while the consent was still there.
      await endWhatItGave(environment, data, consent);
    }
    if (consents.length < chunk) return;
    await endOfTurn();
  }
}

async function endWhatItGave(environment: Environment, data: TenantData, consent: Row<"consents">): Promise<void> {
  // A consent to claims about the person names no API: so do its codes and tokens.
  const audience = consent.audience === "" ? null : consent.audience;
  const given = { user_id: consent.user_id, client_id: consent.client_id, audience };
  await data.authorization_codes.delete(given);
  await revokeTokens(environment, data, given);
}
