import { auditClient, auditUser } from "../../logs/audit.ts";
import { redirectResponse } from "../../http/html.ts";
import { issueResponse } from "../../authorization/issue-response.ts";
import { runPostLoginActions, type ReturnParameters, type PostLoginOutcome } from "../../login/run-actions.ts";
import type { Outcome } from "../../login/engine.ts";
import { stateOf } from "../../login/login-session.ts";
import { loginErrorPage } from "../../login/pages/error-page.ts";
import { toLogin } from "../login/to-login.ts";
import { respond, respondError } from "./respond.ts";

/** The end of an interaction. */
type FinishedInteraction = Extract<Outcome, { kind: "done" | "refused" }>;

/**
 * Sends the client the result of an interaction: a successful response or an error. Before a successful response, runs
 * the host's actions, which may redirect the user to another page.
 * @param back present if the user has returned from that page.
 */
export async function finish(finished: FinishedInteraction, httpRequest: Request, back?: ReturnParameters): Promise<Response> {
  const concluded = finished.kind === "done" ? await runPostLoginActions(finished, back) : finished;
  return concluded.kind === "elsewhere" ? redirectToHostPage(concluded, httpRequest) : sendResult(concluded);
}

async function sendResult(finished: Exclude<PostLoginOutcome, { kind: "elsewhere" }>): Promise<Response> {
  const { interaction } = finished;
  const { tenant, client, request, login, browser, cookies } = interaction;
  const about = auditClient(client);
  // An invitation without an authorization request: the client expects no response.
  const isUnrequested = request.response_type.length === 0;
  if (finished.kind === "done") {
    const { settled, actions } = finished;
    const issued = await issueResponse(interaction, { ...settled, ...(actions && { actions }) });
    const { user } = settled.person;
    // A silent authentication: no page was displayed.
    if (login === undefined) await tenant.audit({ type: "ssa", ...about, ...auditUser(user) });
    return isUnrequested ? redirectResponse(request.redirect_uri, cookies) : respond(tenant, request, issued, cookies);
  }
  const { error } = finished;
  await tenant.audit({
    type: login === undefined && request.prompt.includes("none") ? "fsa" : "f",
    description: error.message,
    ...about,
    ...(browser && auditUser(browser.user)),
  });
  if (!isUnrequested) return respondError(tenant, request, error, cookies);
  if (interaction.progress.declined !== undefined) return redirectResponse(request.redirect_uri, cookies);
  return loginErrorPage(tenant, error, { client, uiLocales: request.ui_locales, cookies });
}

/**
 * Redirects to a page of the host application, which redirects back to `/continue` with the same `state`. If the login
 * is not stored yet, stores it and binds it to the browser.
 */
async function redirectToHostPage(
  { interaction, to }: Extract<PostLoginOutcome, { kind: "elsewhere" }>,
  httpRequest: Request,
): Promise<Response> {
  const { tenant, request, login, progress, cookies } = interaction;
  if (login === undefined) return toLogin(tenant, httpRequest, request, { progress, cookies });
  const address = new URL(to);
  address.searchParams.set("state", stateOf(tenant, login));
  return redirectResponse(address.href, cookies);
}
