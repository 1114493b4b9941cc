import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { redirectResponse } from "../../http/html.ts";
import { respondsWithPage } from "../../authorization/authorization-request.ts";
import { markAnswered, viewStep, currentOutcome, submitAction, type Outcome } from "../../login/engine.ts";
import { formToken } from "../../login/form-token.ts";
import { organizationIdOf, type Interaction } from "../../login/interaction.ts";
import { stateOf, type LoginSession } from "../../login/login-session.ts";
import { openForm, openInteraction, type Closed } from "../../login/open.ts";
import { pageResponse } from "../../login/page.ts";
import { drawAnswered } from "../../login/pages/answered.tsx";
import { errorPage } from "../../login/pages/error-page.ts";
import { nameOf } from "../../login/steps/name-of.ts";
import { pageOf, type Screen } from "../../login/steps.ts";
import { returnLink } from "../../login/return-link.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import { finish } from "../authorize/finish.ts";
import { stepUrl } from "./to-login.ts";

const State = z.string().max(200);

const Step = z.string().max(40);

const definition = {
  path: "/u/login",
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["state"],
  responses: {
    200: { error: "the page" },
    303: { error: "to the page of the step that is due, or to the client" },
    400: { error: "a page: the login is over, or there is none" },
  },
} as const;

/**
 * The login page. Complete without JavaScript. Each step has its own address, and every post leads to one, so that back, forward and reload repeat nothing;
 * the address of a step that is over leads on to the one that is due.
 */
export const loginPage = [
  route({
    ...definition,
    method: "GET",
    hasSideEffects: true,
    summary: "Show a step of the login, or what it asks now",
    query: z.looseObject({ state: State.exactOptional(), step: Step.exactOptional() }),
  })(async ({ query: { state, step }, request }, { tenant }) => {
    if (state === undefined) return errorPage(tenant, noLogin());
    const opened = await openInteraction(tenant, request, state);
    if (opened.kind === "closed") return closedPage(tenant, opened);
    const { interaction } = opened;
    return show(step === undefined ? await currentOutcome(interaction) : await viewStep(interaction, step), step, request);
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Take an action of the login",
    bodyKind: "form",
    body: z.looseObject({ state: State, step: Step.exactOptional(), csrf: z.string().max(150), action: z.string().max(40) }),
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
    return lead(outcome, request);
  }),
];

/** The address was opened without a login. */
export function noLogin(): PosternError {
  return new PosternError("login_expired", "This address is not where a sign-in begins. Go to the app and start there.", {
    reason: "no-login",
  });
}

/** The page of a login that cannot be gone on with. */
export function closedPage(tenant: Tenant, { error, client, uiLocales }: Closed): Promise<Response> {
  return errorPage(tenant, error, { client, uiLocales });
}

/** Milliseconds after an answer in which it is made again: a second click on a slow network asks twice. */
const stillAnswering = 3000;

/** Milliseconds since the client was answered; negative where it was not. */
function sinceAnswer({ tenant, progress }: Interaction): number {
  return tenant.now() - (progress.answered_at ?? Infinity);
}

/** Whether the client was answered, and not just now. */
export function wasAnswered(interaction: Interaction): boolean {
  return sinceAnswer(interaction) > stillAnswering;
}

/** Shows what is due at its own address; anything else is led there. */
async function show(outcome: Outcome, step: string | undefined, httpRequest: Request): Promise<Response> {
  const { interaction } = outcome;
  const { login } = interaction;
  if (login === undefined) throw new Error("a page belongs to a login session");
  // What was answered is not answered again by going back to a step, however soon: the app would meet an answer that it does not wait for any more.
  const answered = sinceAnswer(interaction);
  if (answered > stillAnswering || (answered >= 0 && step !== undefined)) return answeredPage(interaction);
  if (outcome.kind === "leave") return lead(outcome, httpRequest);
  if (outcome.kind !== "screen") return finish({ ...outcome, interaction: await markAnswered(interaction) }, httpRequest);
  if (leadsOnAtOnce(interaction, outcome.screen))
    return lead(await submitAction(interaction, { step: "provider", action: "continue-with", fields: {} }), httpRequest);
  const here = step === undefined || step === outcome.screen.name;
  return here ? screenPage(interaction, login, outcome.screen) : lead(outcome, httpRequest);
}

/** Where a post leads: to the page of the step that is due, or to the client. An answer that is itself a page is made when that is looked at. */
export async function lead(outcome: Outcome, httpRequest: Request): Promise<Response> {
  const { interaction } = outcome;
  const { tenant, login, request, cookies } = interaction;
  if (login === undefined) throw new Error("a page belongs to a login session");
  if (outcome.kind === "screen") return redirectResponse(stepUrl(tenant, login, outcome.screen.name), cookies);
  if (outcome.kind === "leave") return redirectResponse(outcome.to, cookies);
  // A page that the browser kept was sent once more: nobody waits for its answer, and the page that is looked at now says so.
  if (wasAnswered(interaction)) return redirectResponse(stepUrl(tenant, login), cookies);
  return respondsWithPage(request) ? redirectResponse(stepUrl(tenant, login), cookies) : finish(outcome, httpRequest);
}

/** Who is sent to one provider alone is sent there without a word. Whoever comes back from there is asked. */
function leadsOnAtOnce({ progress }: Interaction, screen: Screen): boolean {
  return screen.name === "provider" && screen.problem === undefined && progress.upstream === undefined;
}

async function screenPage(interaction: Interaction, login: LoginSession, screen: Screen): Promise<Response> {
  const { tenant, client, request, browser, cookies } = interaction;
  const organizationId = organizationIdOf(interaction);
  const csrf = await formToken(login, browser?.user.user_id, tenant.random.token(9));
  const draw = pageOf(screen.name);
  return pageResponse(tenant, {
    name: screen.name,
    draw: (drawing) => draw(drawing, screen),
    action: tenant.urls.urlFor("/u/login"),
    hidden: { state: stateOf(tenant, login), step: screen.name, csrf },
    client,
    cookies,
    leadsAway: true,
    uiLocales: request.ui_locales,
    organization: organizationId === undefined ? undefined : await tenant.organization(organizationId),
  });
}

function answeredPage({ tenant, client, request, browser }: Interaction): Promise<Response> {
  return pageResponse(tenant, {
    name: "answered",
    draw: (drawing) => drawAnswered(drawing, { account: browser && nameOf(browser.user), wayOn: returnLink(tenant, client) }),
    client,
    uiLocales: request.ui_locales,
  });
}
