import type { ActionRequest } from "../adapters/actions.ts";
import { actionsWith } from "../identity/actions/call-action.ts";
import { isPosternError } from "../errors.ts";
import type { Outcome } from "./engine.ts";
import type { Interaction } from "./interaction.ts";
import { changeProgress, stateOf } from "./login-session.ts";
import type { LoginProgress } from "./progress.ts";
import type { GrantActionsResult } from "../authorization/actions/action-result.ts";
import { runPostLogin } from "../authorization/actions/post-login.ts";

type Done = Extract<Outcome, { kind: "done" }>;

/** The outcome of an interaction after the host's actions ran. */
export type PostLoginOutcome =
  | (Done & { readonly actions?: GrantActionsResult })
  | Extract<Outcome, { kind: "refused" }>
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
  const { tenant, client, request, api, login, progress } = interaction;
  const { person, decided, organization } = settled;
  // If a different user has signed in during the redirect, the actions run from the beginning.
  const redirected = progress.redirected?.user_id === person.user.user_id ? progress.redirected : undefined;
  if (redirected !== undefined && back === undefined) return { kind: "elsewhere", interaction, to: redirected.to };
  if (redirected === undefined && actionsWith(tenant, "onExecutePostLogin").length === 0) return done;
  try {
    const outcome = await runPostLogin(
      {
        tenant,
        client,
        user: person.user,
        session: person.session,
        organizationId: organization?.id,
        api: await api(),
        scope: decided.scope,
        requestedScope: request.scope,
        protocol: redirected === undefined ? protocolOf(request.response_type) : "redirect-callback",
        request,
        ...(back && { sent: back }),
      },
      { state: login && stateOf(tenant, login), ...(redirected && { backFrom: redirected }) },
    );
    if (outcome.kind === "redirect") {
      return { kind: "elsewhere", interaction: await storeRedirect(interaction, outcome.redirected), to: outcome.redirected.to };
    }
    const { user, actions } = outcome;
    return { ...done, settled: { ...settled, person: { ...person, user } }, ...(actions && { actions }) };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return { kind: "refused", interaction, error };
  }
}

function protocolOf(types: readonly string[]) {
  if (types.length === 1 && types[0] === "code") return "oidc-basic-profile";
  return types.includes("code") ? "oidc-hybrid-profile" : "oidc-implicit-profile";
}

/** Stores the redirect, so that the login can continue when the user returns. */
async function storeRedirect(interaction: Interaction, redirected: NonNullable<LoginProgress["redirected"]>): Promise<Interaction> {
  const changed = await changeProgress(interaction, ({ progress: { answered_at: _, ...progress } }) => ({
    progress: { ...progress, redirected },
  }));
  if (changed.saved || interaction.login === undefined) return changed.interaction;
  throw new Error("other tabs keep changing this login");
}
