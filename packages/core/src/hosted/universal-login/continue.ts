import * as z from "zod";
import { markAnswered, currentOutcome } from "../../login/engine.ts";
import { openInteraction } from "../../login/open.ts";
import { loginErrorPage } from "../../login/pages/error-page.ts";
import type { ReturnParameters } from "../../login/run-actions.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { finish } from "../../oauth/authorize/finish.ts";
import { responsePage } from "../../oauth/authorize/respond.ts";
import { closedPage, redirectAfterPost, noLogin, hasResponded } from "./page.ts";
import { returnRoute } from "./return-route.ts";

/**
 * The parameters that a page of the host application sends back. All of them are passed to the action that redirected.
 */
const continueParametersSchema = z.looseObject({ state: z.string().max(300).exactOptional() });

const continueRoute = { ...returnRoute, responses: { 200: responsePage, ...returnRoute.responses } } as const;

/**
 * The endpoint to which pages of the host application redirect users back. The `state` names the login. The browser's
 * cookie proves that the login belongs to this browser.
 */
export const continueLogin = [
  route({
    ...continueRoute,
    path: "/continue",
    method: "GET",
    hasSideEffects: true,
    summary: "Return from the page that an action redirected to",
    query: continueParametersSchema,
  })(async ({ query, request }, { tenant }) => goOn(tenant, request, query.state, { query: texts(query), body: {} })),
  route({
    ...continueRoute,
    path: "/continue",
    method: "POST",
    summary: "Return from the page that an action redirected to, with a form",
    bodyKind: "form",
    body: continueParametersSchema,
  })(async ({ body, request }, { tenant }) => goOn(tenant, request, body.state, { query: {}, body: texts(body) })),
];

async function goOn(tenant: RequestTenant, request: Request, state: string | undefined, back: ReturnParameters): Promise<Response> {
  if (state === undefined) return loginErrorPage(tenant, noLogin());
  const opened = await openInteraction(tenant, request, state);
  if (opened.kind === "closed") return closedPage(tenant, opened);
  const outcome = await currentOutcome(opened.interaction);
  // Shows the current step, or that the login is finished, in three cases: no action redirected the user, another user
  // is signed in now, or the client received its response long ago.
  const isBack = outcome.kind === "done" && opened.interaction.progress.redirected !== undefined;
  if (!isBack || hasResponded(opened.interaction)) return redirectAfterPost(outcome, request);
  return finish({ ...outcome, interaction: await markAnswered(outcome.interaction) }, request, back);
}

function texts(sent: object): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(sent).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
