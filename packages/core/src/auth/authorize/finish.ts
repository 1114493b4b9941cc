import { redirectResponse } from "../../http/html.ts";
import { issue } from "../../issuing/issue.ts";
import type { Outcome } from "../../login/engine.ts";
import { errorPage } from "../../login/pages/error-page.ts";
import { respond, respondError } from "./respond.ts";

/** The end of an interaction. */
export type Ended = Extract<Outcome, { kind: "done" | "refused" }>;

/** Answers the client with what an interaction came to: what it asked for, or why it does not get it. */
export async function finish(ended: Ended): Promise<Response> {
  const { interaction } = ended;
  const { tenant, client, request, browser, cookies } = interaction;
  // An invitation that no client asked with: there is nothing to tell it.
  const unasked = request.response_type.length === 0;
  if (ended.kind === "done") {
    const issued = await issue(interaction, ended.settled);
    return unasked ? redirectResponse(request.redirect_uri, cookies) : respond(tenant, request, issued, cookies);
  }
  const { error } = ended;
  await tenant.audit({
    type: "f",
    description: error.message,
    client: { client_id: client.record.client_id, name: client.record.name },
    ...(browser && { user: { user_id: browser.user.user_id, name: browser.user.name } }),
  });
  if (!unasked) return respondError(tenant, request, error, cookies);
  if (interaction.progress.declined !== undefined) return redirectResponse(request.redirect_uri, cookies);
  return errorPage(tenant, error, { client, uiLocales: request.ui_locales, cookies });
}
