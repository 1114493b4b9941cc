import type { AuthorizationRequest } from "../authorization/authorization-request.ts";
import type { ActionProtocol, ActionRequest } from "../adapters/actions.ts";
import { actionsWith } from "../identity/actions/call-action.ts";
import { isPosternError, PosternError } from "../errors.ts";
import { multifactorAuthenticationRequired } from "../model/sdk-texts.ts";
import { currentOutcome, type Outcome } from "./engine.ts";
import type { Interaction } from "./interaction.ts";
import { changeProgress, stateOf } from "./login-session.ts";
import { passedFactors } from "./missing-factor.ts";
import { actionsProgress, responseProgress, withoutParts, type LoginProgress } from "./progress.ts";
import { runPostLoginWithFactors } from "./run-post-login.ts";
import type { GrantActionsResult } from "../authorization/actions/action-result.ts";

type Done = Extract<Outcome, { kind: "done" }>;

/** The outcome of an interaction after the host's actions ran. */
export type PostLoginOutcome =
  | (Done & { readonly actions?: GrantActionsResult })
  | Extract<Outcome, { kind: "refused" }>
  /** An action requires a factor. The progress of the interaction contains the requirement. */
  | Extract<Outcome, { kind: "screen" }>
  /** A host's action redirects the user. The URL is stored in the progress of the interaction. */
  | { readonly kind: "elsewhere"; readonly interaction: Interaction; readonly to: string };

/** The parameters with which the browser returns after a redirect by one of the host's actions. */
export type ReturnParameters = Pick<ActionRequest, "query" | "body">;

/**
 * Runs the host's post-login actions for a completed login.
 * @param back the parameters with which the browser returns from a redirect by an action. If omitted, a pending
 * redirect is repeated.
 */
export async function runPostLoginActions(done: Done, back?: ReturnParameters): Promise<PostLoginOutcome> {
  const { interaction, settled } = done;
  const { tenant, client, request, api, login, progress, remembered } = interaction;
  const { person, decided, organization } = settled;
  // If a different user has signed in since an action stopped the login, the actions run from the beginning.
  const isOwn = (stopped: { readonly user_id: string } | undefined): boolean => stopped?.user_id === person.user.user_id;
  const redirected = isOwn(progress.redirected) ? progress.redirected : undefined;
  // The interaction is done only if its user has passed the required factors.
  const demanded = isOwn(progress.demanded) ? progress.demanded : undefined;
  if (redirected !== undefined && back === undefined) return { kind: "elsewhere", interaction, to: redirected.to };
  const stopped = redirected ?? demanded;
  if (stopped === undefined && actionsWith(tenant, "onExecutePostLogin").length === 0) return done;
  try {
    const outcome = await runPostLoginWithFactors({
      login: {
        tenant,
        client,
        user: person.user,
        session: person.session,
        organizationId: organization?.id,
        api: await api(),
        scope: decided.scope,
        requestedScope: request.scope,
        protocol: redirected === undefined ? protocolOf(request) : "redirect-callback",
        request,
        ...(back && { sent: back }),
      },
      browser: { state: login && stateOf(tenant, login) },
      stopped,
      passedNow: passedFactors(interaction, person.user),
      trustedBrowser: remembered.trustedBrowser,
    });
    if (outcome.kind === "redirect") {
      return { kind: "elsewhere", interaction: await storeStop(interaction, outcome), to: outcome.redirected.to };
    }
    if (outcome.kind === "demanded") {
      if (request.prompt.includes("none")) throw new PosternError("login_required", multifactorAuthenticationRequired);
      return await requireFactor(await storeStop(interaction, outcome));
    }
    const { user, actions } = outcome;
    return { ...done, settled: { ...settled, person: { ...person, user } }, ...(actions && { actions }) };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return { kind: "refused", interaction, error };
  }
}

function protocolOf({ ending, response_type: types }: AuthorizationRequest): ActionProtocol {
  if (ending === "device") return "oauth2-device-code";
  if (types.length === 1 && types[0] === "code") return "oidc-basic-profile";
  return types.includes("code") ? "oidc-hybrid-profile" : "oidc-implicit-profile";
}

/** Stores that an action stopped the login, so that the login can continue later. */
async function storeStop(interaction: Interaction, stop: Pick<LoginProgress, "redirected" | "demanded">): Promise<Interaction> {
  const { redirected, demanded } = stop;
  const changed = await changeProgress(interaction, ({ progress }) => {
    const rest = withoutParts(progress, [responseProgress, actionsProgress]);
    return { progress: { ...rest, ...(redirected && { redirected }), ...(demanded && { demanded }) } };
  });
  if (changed.saved || interaction.login === undefined) return changed.interaction;
  throw new Error("other tabs keep changing this login");
}

/** Returns the screen on which the user passes or adds the factor that an action requires. */
async function requireFactor(interaction: Interaction): Promise<PostLoginOutcome> {
  const outcome = await currentOutcome(interaction);
  if (outcome.kind === "screen" || outcome.kind === "refused") return outcome;
  // Without a factor that is still missing, the actions would have continued.
  throw new PosternError("access_denied", multifactorAuthenticationRequired);
}
