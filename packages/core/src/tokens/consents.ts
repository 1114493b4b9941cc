import { sha256 } from "../adapters/digest.ts";
import type { DataContext } from "../context.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { findOne } from "../store/find-one.ts";
import type { Match } from "../store/contract.ts";
import type { Row } from "../store/schema.ts";
import { endOfTurn } from "../store/turn.ts";
import { revokeTokens } from "./refresh-tokens/revoke-all.ts";

/** The number of consents that one query reads. */
const chunk = 50;

/** A user, a client, and the stored identifier of an API; '' for claims about the user only. */
interface ConsentReference {
  readonly userId: string;
  readonly clientId: string;
  readonly audience: string;
}

/** Returns the condition for the only consent that a user gave to a client for an API. */
export async function consentOf({ userId, clientId, audience }: ConsentReference): Promise<ConsentKey> {
  return { user_id: userId, client_id: clientId, audience_hash: await sha256(audience) };
}

type ConsentKey = Pick<Row<"consents">, "user_id" | "client_id" | "audience_hash">;

/** Whether a consent still counts: a client that changed where it receives responses, or its keys, needs another one. */
export function isCurrentConsent(consent: Row<"consents">, client: RegisteredClient | undefined): boolean {
  return client !== undefined && consent.updated_at >= (client.record.consents_since ?? 0);
}

/** Returns a user's consent to a client's access to an API; undefined if the user gave none, or if it no longer counts. */
export async function findConsent(
  { data }: Pick<DataContext, "data">,
  reference: ConsentReference,
  client: RegisteredClient | undefined,
): Promise<Row<"consents"> | undefined> {
  const consent = await findOne(data.consents, await consentOf(reference));
  return consent !== undefined && isCurrentConsent(consent, client) ? consent : undefined;
}

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
