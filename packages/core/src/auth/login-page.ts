import * as z from "zod";
import { csrfToken, stateOf } from "../login/login-session.ts";
import { pageResponse } from "../login/page.ts";
import { route } from "../tenancy/context.ts";
import { currentStep, openForm, openLogin, takeStep, type LoginOutcome, type OpenLogin } from "./login-steps.ts";

const State = z.string().max(200);

const definition = {
  path: "/u/login",
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["state"],
  responses: { 200: { error: "the page" }, 303: { error: "to the client" }, 400: { error: "a page: the visit is over" } },
} as const;

/** The login page: shows what the visit asks now. Complete without JavaScript. */
export const loginPage = [
  route({ ...definition, method: "GET", acts: true, summary: "Show the login page", query: z.looseObject({ state: State }) })(
    async ({ query, request }, { tenant }) => {
      const open = await openLogin(tenant, request, query.state);
      return show(open, await currentStep(open));
    },
  ),
  route({
    ...definition,
    method: "POST",
    summary: "Take a step on the login page",
    bodyKind: "form",
    body: z.looseObject({
      state: State,
      csrf: z.string().max(100),
      action: z.string().max(40),
      identifier: z.string().max(1000).exactOptional(),
      password: z.string().max(10_000).exactOptional(),
      organization: z.string().max(64).exactOptional(),
    }),
  })(async ({ body, request }, { tenant }) => {
    const open = await openForm(tenant, request, body.state, body.csrf);
    return show(open, await takeStep(open, body));
  }),
];

async function show(open: OpenLogin, outcome: LoginOutcome): Promise<Response> {
  if (outcome.kind === "answer") return outcome.response;
  const { tenant, login, client, request } = open;
  const organizationId = request.organization?.id ?? login.progress.organization_id;
  return pageResponse(tenant, outcome.screen, {
    action: tenant.urls.urlFor("/u/login"),
    hidden: { state: stateOf(tenant, login), csrf: await csrfToken(login, outcome.shownTo) },
    clientName: client.record.name,
    cookies: outcome.cookies,
    leadsAway: true,
    uiLocales: request.ui_locales,
    organization: organizationId === undefined ? undefined : await tenant.organization(organizationId),
  });
}
