import { auditClient, auditConnection } from "../../logs/audit.ts";
import { sealPasskeyAuthSession, type PasskeyAuthSession } from "./auth-session.ts";
import type { PasskeyPlace } from "./place.ts";

/**
 * Writes the audit event of a challenge for an authenticator.
 * @param description the text of the event
 * @returns the `auth_session` with which the client sends the authenticator's response
 */
export async function startPasskeyChallenge(
  { tenant, client, connection, organization }: PasskeyPlace,
  content: Pick<PasskeyAuthSession, "id" | "account">,
  description: string,
): Promise<string> {
  await tenant.audit({ type: "passkey_challenge_started", description, ...auditClient(client), ...auditConnection(connection) });
  return sealPasskeyAuthSession(tenant, client, {
    connection_id: connection.id,
    ...(organization && { organization_id: organization.id }),
    ...content,
  });
}
