import { auditClient, auditUser } from "../../logs/audit.ts";
import { redirectResponse } from "../../http/html.ts";
import { issueResponse } from "../../authorization/issue-response.ts";
import { runPostLoginActions, type BackWith, type Concluded } from "../../login/run-actions.ts";
import type { Outcome } from "../../login/engine.ts";
import { stateOf } from "../../login/login-session.ts";
import { errorPage } from "../../login/pages/error-page.ts";
import { toLogin } from "../login/to-login.ts";
import { respond, respondError } from "./respond.ts";

/** The end of an interaction. */
export type Ended = Extract<Outcome, { kind: "done" | "refused" }>;

/**
 * Answers the client with what an interaction came to: what it asked for, or why it does not get it. Before that, the host's actions are asked, which may lead the person elsewhere.
 * @param back where the person is back from there.
 */
export async function finish(ended: Ended, httpRequest: Request, back?: BackWith): Promise<Response> {
  const concluded = ended.kind === "done" ? await runPostLoginActions(ended, back) : ended;
  return concluded.kind === "elsewhere" ? leadElsewhere(concluded, httpRequest) : answer(concluded);
}

async function answer(ended: Exclude<Concluded, { kind: "elsewhere" }>): Promise<Response> {
  const { interaction } = ended;
  const { tenant, client, request, login, browser, cookies } = interaction;
  const about = auditClient(client);
  // An invitation that no client asked with: there is nothing to tell it.
  const unasked = request.response_type.length === 0;
  if (ended.kind === "done") {
    const { settled, actions } = ended;
    const issued = await issueResponse(interaction, { ...settled, ...(actions && { actions }) });
    const { user } = settled.person;
    // Nobody was asked anything.
    if (login === undefined) await tenant.audit({ type: "ssa", ...about, ...auditUser(user) });
    return unasked ? redirectResponse(request.redirect_uri, cookies) : respond(tenant, request, issued, cookies);
  }
  const { error } = ended;
  await tenant.audit({
    type: login === undefined && request.prompt.includes("none") ? "fsa" : "f",
    description: error.message,
    ...about,
    ...(browser && auditUser(browser.user)),
  });
  if (!unasked) return respondError(tenant, request, error, cookies);
  if (interaction.progress.declined !== undefined) return redirectResponse(request.redirect_uri, cookies);
  return errorPage(tenant, error, { client, uiLocales: request.ui_locales, cookies });
}

/** Leads to a page of the host's, which leads back to `/continue` with the same `state`. A login that is not kept yet is kept first, and bound to its browser. */
async function leadElsewhere({ interaction, to }: Extract<Concluded, { kind: "elsewhere" }>, httpRequest: Request): Promise<Response> {
  const { tenant, request, login, progress, cookies } = interaction;
  if (login === undefined) return toLogin(tenant, httpRequest, request, { progress, cookies });
  const address = new URL(to);
  address.searchParams.set("state", stateOf(tenant, login));
  return redirectResponse(address.href, cookies);
}
