import { sha256 } from "../../adapters/digest.ts";
import type { StoredIdentity } from "../../identity/providers/provider-requests.ts";
import type { AuthTime } from "../../identity/sessions/methods.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { Row } from "../../store/schema.ts";
import type { Interaction } from "../interaction.ts";
import type { ActionResult } from "../step.ts";
import { backToClient, describeProblem } from "./back-to-client.ts";
import { pendingLink } from "./pending-link.ts";

/**
 * Stores the user's identity at a provider for the client that connects an account, and sends the client a code for it. The
 * browser must still have the session in which it opened the ticket.
 */
export async function storeForClient(
  interaction: Interaction,
  connection: Row<"connections">,
  identity: StoredIdentity,
  authTime: AuthTime,
): Promise<ActionResult> {
  const { tenant, login, browser, progress } = interaction;
  const begun = progress.link_to;
  if (browser?.session.id !== begun?.session_id || browser?.user.user_id !== begun?.user_id || begun === undefined)
    return refuseSession(interaction);
  if (login === undefined) throw new Error("a connected account requires a login session");
  const secret = tenant.random.token(24);
  const result = {
    code_hash: await sha256(secret),
    identity: await pendingLink(interaction, connection, identity, undefined, authTime),
  };
  return {
    ...backToClient(interaction, { connect_code: `${login.id}.${secret}` }),
    change: ({ connect, ...others }) => ({ ...others, ...(connect && { connect: { ...connect, result } }) }),
  };
}

/** Sends the browser back to the client because of its session, and records that. */
export async function refuseSession(interaction: Interaction): Promise<ActionResult> {
  const { tenant, client, browser, progress } = interaction;
  const wasSignedIn = progress.link_to !== undefined;
  const isOther = browser !== undefined && browser.user.user_id !== progress.connect?.user_id;
  const problem = wasSignedIn && !isOther ? "session-ended" : "other-session";
  await tenant.audit({
    type: "f",
    description: `Not connected: ${describeProblem(problem)}.`,
    ...auditClient(client),
    ...(browser && auditUser(browser.user)),
  });
  return backToClient(interaction, { problem });
}
