import * as z from "zod";
import { redirectResponse } from "../../http/html.ts";
import { callbackParameters, callbackStates, type CallbackParameters } from "../../model/connections/callbacks.ts";
import { resumeFromProvider } from "../../login/engine.ts";
import { openAtCallback } from "../../login/open.ts";
import { loginErrorPage } from "../../login/pages/error-page.ts";
import { handleProviderCallback } from "../../login/upstream/handle-provider-callback.ts";
import { isTestState } from "../../authorization/connection-tests/state.ts";
import { receiveForm } from "../../login/upstream/posted-response.ts";
import { returnToConnectingClient } from "../../login/upstream/return-to-connecting-client.ts";
import { callbackPath, loginStateOf } from "../../login/upstream/redirect-to-provider.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { closedPage, redirectAfterPost, noLogin, ticketUsedPage } from "./page.ts";
import { returnFromConnectionTest } from "./connection-test.ts";
import { returnRoute } from "./return-route.ts";

/** Returns the schema for the parameters that strategies declare. Other parameters are ignored. */
function parametersBody(parameters: CallbackParameters) {
  return z.looseObject(
    Object.fromEntries(Object.entries(parameters).map(([name, length]) => [name, z.string().max(length).exactOptional()])),
  );
}

/** The maximum number of forms from one client address in an hour. Many users of a company can share one address. */
const formsPerAddress = 10_000;

/** The maximum lengths of the fields in a form. Fields that only strategies of the host read are limited by the body. */
const formParameters = { ...callbackParameters, ...Object.fromEntries(callbackStates.map((name) => [name, 300])) };

/**
 * The endpoint to which identity providers send the browser back. The `state` parameter names the tenant, the login
 * session and the attempt at the provider. The browser's cookie proves that the login session belongs to this browser.
 */
export const loginCallback = [
  route({
    ...returnRoute,
    path: callbackPath,
    method: "GET",
    hasSideEffects: true,
    summary: "Return from an identity provider",
    tenantHints: callbackStates,
    query: parametersBody(callbackParameters),
  })(async ({ query, request }, { tenant }) => {
    const response = pick(query, callbackParameters);
    const state = response.get("state") ?? undefined;
    if (state !== undefined && isTestState(tenant, state)) return returnFromConnectionTest(tenant, request, state, response);
    const opened = state === undefined ? undefined : await openAtCallback(tenant, request, loginStateOf(state));
    if (state === undefined || opened === undefined) return loginErrorPage(tenant, noLogin());
    if (opened.kind === "closed") return closedPage(tenant, opened);
    if (opened.interaction.request.ending === "connected-account") {
      const url = await returnToConnectingClient(opened.interaction, state, response);
      return url === undefined ? ticketUsedPage(opened.interaction) : redirectResponse(url);
    }
    return redirectAfterPost(
      await resumeFromProvider(opened.interaction, (interaction) => handleProviderCallback(interaction, state, response)),
      request,
    );
  }),
  route({
    ...returnRoute,
    path: callbackPath,
    method: "POST",
    summary: "Return from an identity provider, with a form",
    description:
      "Verifies the form and redirects to the same URL with GET. The browser sends its cookies with that request, but may not send them with a form from another site.",
    tenantHints: callbackStates,
    requestsPerAddress: formsPerAddress,
    bodyKind: "form",
    body: parametersBody(formParameters),
  })(async ({ body, request }, { tenant }: { readonly tenant: RequestTenant }) => {
    const received = new URLSearchParams(
      Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
    );
    const state = callbackStates.map((name) => received.get(name)).find((value) => value !== null);
    if (state === undefined) return loginErrorPage(tenant, noLogin());
    if (isTestState(tenant, state)) return returnFromConnectionTest(tenant, request, state, pick(body, callbackParameters));
    await receiveForm(tenant, state, received);
    return redirectResponse(`${tenant.urls.urlFor(callbackPath)}?${new URLSearchParams({ state })}`, []);
  }),
];

/** Returns the declared parameters that were sent. */
function pick(sent: { readonly [name: string]: unknown }, parameters: CallbackParameters): URLSearchParams {
  return new URLSearchParams(
    Object.keys(parameters).flatMap((name) => {
      const value = sent[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}
