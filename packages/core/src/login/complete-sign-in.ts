import type { Row } from "../store/schema.ts";
import type { FactorRecord } from "./authentication-record.ts";
import type { StartedPending, StartedSession } from "./start-session.ts";
import type { Interaction } from "./interaction.ts";
import { pendingSignInProgress } from "./pending-sign-in.ts";
import { aimProgress, passedFactorsProgress } from "./progress.ts";
import type { ActionResult } from "./step.ts";
import { newPhoneProgress } from "./steps/add-factor/progress.ts";
import { codeProgress } from "./steps/code/progress.ts";
import { linkAccountProgress } from "./steps/link-account/progress.ts";
import { newPasswordProgress } from "./steps/new-password/progress.ts";
import { linkPending } from "./upstream/pending-link.ts";

/** The parts that end when the first factor was passed. */
const firstFactorProgress = [aimProgress, codeProgress, newPasswordProgress];

/**
 * Completes a sign-in: adds the authentication to the progress, removes the state of earlier steps, and links a
 * provider's account if a link is pending. If the user must pass a second factor first, only stores the pending sign-in.
 * @param factors the second factors that the user passed after the first one. Default: none.
 */
export async function completeSignIn(
  interaction: Interaction,
  user: Row<"users">,
  identifier: string,
  begun: StartedSession | StartedPending,
  factors: readonly FactorRecord[] = [],
): Promise<ActionResult> {
  if (begun.session === undefined) {
    const { pending } = begun;
    // A factor that was passed before this sign-in does not count, and another user may have entered the number.
    return {
      leaves: [...firstFactorProgress, passedFactorsProgress, newPhoneProgress],
      change: (progress) => ({ ...progress, identifier, pending }),
    };
  }
  const { session, proof, cookies, sealedCookies } = (await linked(interaction, user, factors)) ?? begun;
  const noted = session.clients.includes(interaction.client.record.client_id);
  return {
    leaves: [...firstFactorProgress, linkAccountProgress, pendingSignInProgress],
    change: (progress) => ({
      ...progress,
      identifier,
      proofs: [...progress.proofs, proof],
    }),
    signedIn: { browser: { user, session, ...(noted && { noted }) }, cookies, sealedCookies },
  };
}

/** Links the pending account, if there is one. */
async function linked(interaction: Interaction, user: Row<"users">, factors: readonly FactorRecord[]): Promise<StartedSession | undefined> {
  if (interaction.progress.pending_link === undefined) return undefined;
  return linkPending(interaction, user, factors);
}
