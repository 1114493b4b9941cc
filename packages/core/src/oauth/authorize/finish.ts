import { auditClient, auditUser } from "../../logs/audit.ts";
import { redirectResponse } from "../../http/html.ts";
import { runPostLoginActions, type ReturnParameters, type PostLoginOutcome } from "../../login/run-actions.ts";
import type { Outcome } from "../../login/engine.ts";
import { stateOf } from "../../login/login-session.ts";
import { loginErrorPage } from "../../login/pages/error-page.ts";
import { stepUrl, toLogin } from "../../login/to-login.ts";
import { connectDevice, declineDevice } from "./finish-device.ts";
import { issueRequested } from "./issue-requested.ts";
import { isForUser, issuedParameters, respond, respondError } from "./respond.ts";

/** The end of an interaction. */
type FinishedInteraction = Extract<Outcome, { kind: "done" | "refused" }>;

/**
 * Sends the client the result of an interaction: a successful response or an error. Before a successful response, runs
 * the host's actions, which may redirect the user to another page or require a factor.
 * @param back present if the user has returned from that page.
 */
export async function finish(finished: FinishedInteraction, httpRequest: Request, back?: ReturnParameters): Promise<Response> {
  return sendConcluded(await concludeInteraction(finished, back), httpRequest);
}

/** Runs the host's actions for a successful interaction, without sending the response. See {@link finish}. */
export async function concludeInteraction(finished: FinishedInteraction, back?: ReturnParameters): Promise<PostLoginOutcome> {
  return finished.kind === "done" ? runPostLoginActions(finished, back) : finished;
}

/** Sends the response for an interaction after the host's actions ran. */
export async function sendConcluded(concluded: PostLoginOutcome, httpRequest: Request): Promise<Response> {
  switch (concluded.kind) {
    case "elsewhere":
      return redirectToHostPage(concluded, httpRequest);
    case "screen":
      return redirectToFactor(concluded, httpRequest);
    default:
      return sendResult(concluded);
  }
}

async function sendResult(finished: Exclude<PostLoginOutcome, { kind: "elsewhere" | "screen" }>): Promise<Response> {
  const { interaction } = finished;
  const { tenant, client, request, login, browser, cookies } = interaction;
  const about = auditClient(client);
  const hasResponse = request.ending === "response";
  const hasDevice = request.ending === "device";
  if (finished.kind === "done") {
    if (hasDevice) return connectDevice(finished);
    const issued = await issueRequested(finished);
    return hasResponse ? respond(tenant, request, issuedParameters(issued), cookies) : redirectResponse(request.redirect_uri, cookies);
  }
  const { error } = finished;
  await tenant.audit({
    type: login === undefined && request.prompt.includes("none") ? "fsa" : "f",
    description: error.message,
    ...about,
    ...(browser && auditUser(browser.user)),
  });
  if (hasResponse && !isForUser(error)) return respondError(tenant, request, error, cookies);
  if (hasDevice && interaction.progress.declined !== undefined) return declineDevice(interaction);
  if (interaction.progress.declined !== undefined && request.ending === "front-page")
    return redirectResponse(request.redirect_uri, cookies);
  return loginErrorPage(tenant, error, { client, uiLocales: request.ui_locales, cookies });
}

/** Redirects to the step in which the user passes the factor that an action requires. */
async function redirectToFactor(
  { interaction, screen }: Extract<PostLoginOutcome, { kind: "screen" }>,
  httpRequest: Request,
): Promise<Response> {
  const { tenant, request, login, progress, cookies } = interaction;
  if (login === undefined) return toLogin(tenant, httpRequest, request, { step: screen.name, progress, cookies });
  return redirectResponse(stepUrl(tenant, login, screen.name), cookies);
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
