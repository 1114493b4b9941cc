import type { Row } from "../store/schema.ts";
import type { StartedSession } from "./start-session.ts";
import type { Interaction } from "./interaction.ts";
import type { ActionResult } from "./step.ts";
import { linkPending } from "./upstream/pending-link.ts";

/** Goes on as somebody who proved who they are. What was asked of them on the way is over, and what was to be linked is. */
export async function completeSignIn(
  interaction: Interaction,
  user: Row<"users">,
  identifier: string,
  begun: StartedSession,
): Promise<ActionResult> {
  const { session, proof, cookies } = (await linked(interaction, user)) ?? begun;
  const noted = session.clients.includes(interaction.client.record.client_id);
  return {
    change: ({ aim: _, code: __, reset: ___, pending_link: ____, ...progress }) => ({
      ...progress,
      identifier,
      proofs: [...progress.proofs, proof],
    }),
    signedIn: { browser: { user, session, ...(noted && { noted }) }, cookies },
  };
}

/** Most people have nothing to link: for them the code that does it is not loaded. */
async function linked(interaction: Interaction, user: Row<"users">): Promise<StartedSession | undefined> {
  if (interaction.progress.pending_link === undefined) return undefined;
  return linkPending(interaction, user);
}
