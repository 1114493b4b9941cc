import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import { signInUpstream } from "../../identity/login/upstream-login.ts";
import type { StoredIdentity } from "../../identity/providers/provider-requests.ts";
import type { AuthTime } from "../../identity/sessions/methods.ts";
import { UpstreamError } from "../../identity/providers/upstream-error.ts";
import { isPosternError } from "../../errors.ts";
import { browserSession } from "../start-session.ts";
import type { Interaction } from "../interaction.ts";
import { changeProgress } from "../login-session.ts";
import type { LoginProgress } from "../progress.ts";
import type { StoredAttempt } from "./progress.ts";
import { completeSignIn } from "../complete-sign-in.ts";
import type { ActionResult } from "../step.ts";
import { providerAuthTime } from "./auth-time.ts";
import { identify } from "./identify.ts";
import { attemptIn, openResult, type PostedResult } from "./posted-response.ts";
import { problemOf, providerFailure, recordUnmet, type ProviderFailure } from "./redirect-to-provider.ts";
import { failOwnLink, isOwnLink, linkAtProvider } from "./link-own-account.ts";
import { pendingLink } from "./pending-link.ts";
import { acceptedProvider } from "./providers.ts";
import { notifyLinkedAccount } from "./notify-linked-account.ts";

/**
 * Removes a sign-in attempt at a provider from the login session. If several callbacks have the same state, only the
 * one that removes the attempt is handled.
 * @returns undefined if the login session does not contain the attempt: an earlier callback used it, or it belongs to
 * another login session.
 */
async function takeAttempt(
  interaction: Interaction,
  state: string,
): Promise<{ readonly interaction: Interaction; readonly attempt: StoredAttempt } | undefined> {
  const hash = await sha256(state);
  const changed = await changeProgress<{ readonly attempt?: StoredAttempt; readonly progress?: LoginProgress }>(
    interaction,
    ({ progress }) => {
      const attempt = attemptIn(progress, hash);
      if (attempt === undefined) return {};
      return { attempt, progress: { ...progress, upstream: progress.upstream?.filter((stored) => stored !== attempt) ?? [] } };
    },
  );
  const { attempt } = changed.change;
  return changed.saved && attempt !== undefined ? { interaction: changed.interaction, attempt } : undefined;
}

/**
 * Signs in a user who returns from an identity provider.
 * @param received the parameters that the provider added to the callback. Not used if the provider posted a form before.
 * @returns undefined if the login session contains no attempt with this state.
 */
export async function handleProviderCallback(
  interaction: Interaction,
  state: string,
  received: URLSearchParams,
): Promise<{ readonly interaction: Interaction; readonly result: ActionResult } | undefined> {
  const found = await takeAttempt(interaction, state);
  if (found === undefined) return undefined;
  const { attempt } = found;
  const connection = await acceptedProvider(found.interaction, { id: attempt.connection_id });
  // The connection was disabled after the redirect to the provider.
  if (connection === undefined)
    return { interaction: found.interaction, result: failedAt(found.interaction, { problem: "provider-failed" }) };
  try {
    const identity = await identityOf(found.interaction, connection, attempt, { state, received });
    if ("fault" in identity)
      return { interaction: found.interaction, result: failedAt(found.interaction, { problem: problemOf(identity.fault) }) };
    if (!(await isStillAllowed(found.interaction, connection)))
      return { interaction: found.interaction, result: failedAt(found.interaction, { problem: "provider-failed" }) };
    const authTime = providerAuthTime(found.interaction, connection, { authenticatedAt: identity.authenticatedAt, leftAt: attempt.at });
    const result = isOwnLink(found.interaction)
      ? await linkAtProvider(found.interaction, connection, identity, authTime)
      : await signInAtProvider(found.interaction, connection, identity, { authTime });
    return { interaction: found.interaction, result };
  } catch (error) {
    if (isPosternError(error) && error.code === "unmet_authentication_requirements")
      await recordUnmet(found.interaction, connection, error);
    if (!(error instanceof UpstreamError)) throw error;
    return { interaction: found.interaction, result: failedAt(found.interaction, providerFailure(found.interaction, connection, error)) };
  }
}

/** Returns the user that the provider authenticated: from its form, if it posted one, otherwise from the callback. */
async function identityOf(
  { tenant, login }: Interaction,
  connection: Row<"connections">,
  { response, ...attempt }: StoredAttempt,
  sent: { readonly state: string; readonly received: URLSearchParams },
): Promise<PostedResult> {
  if (response === undefined || login === undefined) return identify(tenant, connection, { ...sent, isForm: false });
  return openResult(tenant, login, { ...attempt, response });
}

/** Returns the result of a failed sign-in. A link that the user of a session began ends. */
function failedAt(interaction: Interaction, failure: ProviderFailure): ActionResult {
  if (!isOwnLink(interaction)) return failure;
  const { problem, recorded } = failure;
  return { ...failOwnLink(interaction, problem), ...(recorded !== undefined && { recorded }) };
}

/**
 * Whether the connection is still enabled for the client. A provider can take seconds to respond, and the connection
 * may be disabled or deleted during that time. Reads cached settings.
 */
async function isStillAllowed(interaction: Interaction, { id }: Row<"connections">): Promise<boolean> {
  const client = await interaction.tenant.client(interaction.client.record.client_id);
  return client !== undefined && (await acceptedProvider({ ...interaction, client }, { id })) !== undefined;
}

/**
 * Signs in the user whom an identity provider authenticated.
 * @param options `authTime`: when the user authenticated at the provider. `ownAccount`: sign in to a separate account
 * for the provider, although another account has the same email address.
 */
export async function signInAtProvider(
  interaction: Interaction,
  connection: Row<"connections">,
  identity: StoredIdentity,
  { authTime, ownAccount = false }: { readonly authTime: AuthTime; readonly ownAccount?: boolean },
): Promise<ActionResult> {
  const { tenant, client } = interaction;
  const { profile, tokens } = identity;
  const offers = async (name: string): Promise<boolean> => (await tenant.connections.offeredNamed(client, name)) !== undefined;
  const session = browserSession(interaction, { method: "federated", connection, authTime });
  const result = await signInUpstream(tenant, { client, connection, session, profile, tokens, ownAccount, offers });
  switch (result.kind) {
    case "signed-in":
      if (result.linked === true) notifyLinkedAccount(interaction, connection, result.user);
      return {
        ...(await completeSignIn(interaction, result.user, profile.email ?? result.user.name, result.started)),
        recorded: result.recorded,
      };
    case "account-exists": {
      const pending = await pendingLink(interaction, connection, identity, result.accountId, authTime);
      return { change: (progress) => ({ ...progress, pending_link: pending }) };
    }
    case "closed":
      return { problem: "provider-closed" };
    case "blocked":
      return { problem: "blocked" };
  }
}
