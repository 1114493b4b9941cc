import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { redirectResponse } from "../../http/html.ts";
import { respondsWithPage } from "../../authorization/authorization-request.ts";
import { acceptedCredentials } from "../../login/accepted-credentials.ts";
import { markAnswered, viewStep, currentOutcome, submitAction, type Outcome } from "../../login/engine.ts";
import { formToken } from "../../login/form-token.ts";
import { organizationIdOf, type Interaction } from "../../login/interaction.ts";
import { stateOf, type LoginSession } from "../../login/login-session.ts";
import { openForm, openInteraction, ticketUsed, type Closed } from "../../login/open.ts";
import { pageResponse } from "../../login/page.ts";
import { drawAnswered } from "../../login/pages/answered.tsx";
import { loginErrorPage } from "../../login/pages/error-page.ts";
import { nameOf } from "../../login/steps/name-of.ts";
import { pageOfStep, type Screen } from "../../login/steps.ts";
import { returnLink } from "../../login/return-link.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { finish } from "../../oauth/authorize/finish.ts";
import { stepUrl } from "../../login/to-login.ts";

const stateSchema = z.string().max(200);

const stepSchema = z.string().max(40);

const definition = {
  path: "/u/login",
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["state"],
  responses: {
    200: { error: "the page" },
    303: { error: "redirects to the current step, or to the client" },
    400: { error: "a page: the login is finished or does not exist" },
  },
} as const;

/**
 * The login page. It works without JavaScript. Each step has its own URL, and every POST redirects to such a URL, so
 * that back, forward and reload do not repeat an action. The URL of a completed step redirects to the current step.
 */
export const loginPage = [
  route({
    ...definition,
    method: "GET",
    hasSideEffects: true,
    summary: "Show a step of the login. Default: the current step",
    query: z.looseObject({ state: stateSchema.exactOptional(), step: stepSchema.exactOptional() }),
  })(async ({ query: { state, step }, request }, { tenant }) => {
    if (state === undefined) return loginErrorPage(tenant, noLogin());
    const opened = await openInteraction(tenant, request, state);
    if (opened.kind === "closed") return closedPage(tenant, opened);
    const { interaction } = opened;
    return show(step === undefined ? await currentOutcome(interaction) : await viewStep(interaction, step), step, request);
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Submit an action of the login",
    bodyKind: "form",
    body: z.looseObject({ state: stateSchema, step: stepSchema.exactOptional(), csrf: z.string().max(150), action: z.string().max(40) }),
  })(async ({ body, request }, { tenant }) => {
    const { state, step, csrf, action } = body;
    const opened = await openForm(tenant, request, state, csrf);
    if (opened.kind === "closed") return closedPage(tenant, opened);
    const { interaction, rendering, shownToAnother } = opened;
    const outcome = await submitAction(interaction, {
      ...(step !== undefined && { step }),
      action,
      fields: body,
      rendering,
      shownToAnother,
    });
    return redirectAfterPost(outcome, request);
  }),
];

/** Returns the error for a URL that was opened without a login. */
export function noLogin(): PosternError {
  return new PosternError("login_expired", "A sign-in cannot start at this URL. Go to the app and start there.", {
    reason: "no-login",
  });
}

/** Returns the page for a login that cannot be continued. */
export function closedPage(tenant: RequestTenant, { error, client, uiLocales }: Closed): Promise<Response> {
  return loginErrorPage(tenant, error, { client, uiLocales });
}

/** Returns the page for a ticket of the My Account API that the browser opened before. */
export function ticketUsedPage({ tenant, client, request }: Interaction): Promise<Response> {
  return closedPage(tenant, { kind: "closed", error: ticketUsed(), client, uiLocales: request.ui_locales });
}

/**
 * How long after a response to the client the response can be issued again, in milliseconds. On a slow network, a
 * second click repeats the request.
 */
const repeatWindow = 3000;

/** Returns the milliseconds since the response to the client; a negative number if there was none. */
function millisecondsSinceResponse({ tenant, progress }: Interaction): number {
  return tenant.now() - (progress.answered_at ?? Infinity);
}

/** Whether the client received its response, more than {@link repeatWindow} milliseconds ago. */
export function hasResponded(interaction: Interaction): boolean {
  return millisecondsSinceResponse(interaction) > repeatWindow;
}

/** Renders the current step at its own URL. Redirects from any other URL. */
async function show(outcome: Outcome, step: string | undefined, httpRequest: Request): Promise<Response> {
  const { interaction } = outcome;
  const { login } = interaction;
  if (login === undefined) throw new Error("a page requires a login session");
  // If the user goes back to a step, the response is not issued again, even within the `repeatWindow`, because the
  // application no longer expects a response.
  const sinceResponse = millisecondsSinceResponse(interaction);
  if (sinceResponse > repeatWindow || (sinceResponse >= 0 && step !== undefined)) return answeredPage(interaction);
  if (outcome.kind === "leave") return redirectAfterPost(outcome, httpRequest);
  if (outcome.kind !== "screen") return finish({ ...outcome, interaction: await markAnswered(interaction) }, httpRequest);
  if (skipsProviderPage(interaction, outcome.screen))
    return redirectAfterPost(await submitAction(interaction, { step: "provider", action: "continue-with", fields: {} }), httpRequest);
  const isCurrent = step === undefined || step === outcome.screen.name;
  return isCurrent ? screenPage(outcome, login) : redirectAfterPost(outcome, httpRequest);
}

/**
 * Redirects after a POST: to the page of the current step, or to the client. A response that is itself a page is issued
 * when that page is loaded.
 */
export async function redirectAfterPost(outcome: Outcome, httpRequest: Request): Promise<Response> {
  const { interaction } = outcome;
  const { tenant, login, request, cookies } = interaction;
  if (login === undefined) throw new Error("a page requires a login session");
  if (outcome.kind === "screen") return redirectResponse(stepUrl(tenant, login, outcome.screen.name), cookies);
  if (outcome.kind === "leave") return redirectResponse(outcome.to, cookies);
  // The browser resubmitted a cached page. The client no longer expects a response, and the next page explains that.
  if (hasResponded(interaction)) return redirectResponse(stepUrl(tenant, login), cookies);
  return respondsWithPage(request) ? redirectResponse(stepUrl(tenant, login), cookies) : finish(outcome, httpRequest);
}

/**
 * Whether the browser is redirected to the provider without a page, because the login has a single provider. A user who
 * returned from the provider is prompted.
 */
function skipsProviderPage({ progress }: Interaction, screen: Screen): boolean {
  return screen.name === "provider" && screen.problem === undefined && progress.upstream === undefined;
}

async function screenPage({ interaction, screen, settled }: Extract<Outcome, { kind: "screen" }>, login: LoginSession): Promise<Response> {
  const { tenant, client, request, browser, cookies } = interaction;
  const organizationId = organizationIdOf(interaction);
  const csrf = await formToken(login, browser?.user.user_id, tenant.random.token(9));
  const draw = pageOfStep(screen.name);
  // A sign-in that redirects at once shows no page, so the next page in its session reports the credentials.
  const signedIn = settled?.person ?? browser;
  const accepted = signedIn && (await acceptedCredentials(tenant, signedIn.user));
  return pageResponse(tenant, {
    name: screen.name,
    draw: (drawing) => draw(drawing, screen),
    action: tenant.urls.urlFor("/u/login"),
    hidden: { state: stateOf(tenant, login), step: screen.name, csrf },
    client,
    cookies,
    ...(accepted && { accepted }),
    redirectsAfterSubmit: true,
    uiLocales: request.ui_locales,
    organization: organizationId === undefined ? undefined : await tenant.organization(organizationId),
  });
}

function answeredPage({ tenant, client, request, browser }: Interaction): Promise<Response> {
  return pageResponse(tenant, {
    name: "answered",
    draw: (drawing) => drawAnswered(drawing, { account: browser && nameOf(browser.user), returnLink: returnLink(tenant, client) }),
    client,
    uiLocales: request.ui_locales,
  });
}
