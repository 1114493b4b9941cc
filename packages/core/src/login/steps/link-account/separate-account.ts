import type { Interaction } from "../../interaction.ts";
import type { ActionResult } from "../../step.ts";
import { signInAtProvider } from "../../upstream/handle-provider-callback.ts";
import { tokensOfPending } from "../../upstream/pending-link.ts";
import { acceptedProvider } from "../../upstream/providers.ts";
import { linkChoices } from "./by-code.ts";
import { linkAccountProgress } from "./progress.ts";

/**
 * Signs the user in with a separate account for the identity provider that they came from, without linking it to the
 * existing account.
 */
export async function continueWithSeparateAccount(interaction: Interaction): Promise<ActionResult> {
  const { pending_link: pending } = interaction.progress;
  if (pending === undefined || !(await linkChoices(interaction)).ownAccount) return {};
  const connection = await acceptedProvider(interaction, { id: pending.connection_id });
  // The connection was disabled during the login.
  if (connection === undefined) return { leaves: [linkAccountProgress] };
  const tokens = await tokensOfPending(interaction, pending);
  return signInAtProvider(interaction, connection, { profile: pending.profile, tokens }, { authTime: pending.auth_time, ownAccount: true });
}
