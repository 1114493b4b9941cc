import * as z from "zod";
import { redirectResponse } from "../../http/html.ts";
import { callbacks, type CallbackParameters } from "../../model/connections/callbacks.ts";
import { resumeFromProvider } from "../../login/engine.ts";
import { openInteraction } from "../../login/open.ts";
import { loginErrorPage } from "../../login/pages/error-page.ts";
import { handleProviderCallback } from "../../login/upstream/handle-provider-callback.ts";
import { callbackPath } from "../../login/upstream/redirect-to-provider.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { closedPage, redirectAfterPost, noLogin } from "./page.ts";
import { returnRoute } from "./return-route.ts";

/** Returns the schema for the parameters that strategies declare. Other parameters are ignored. */
function parametersBody(parameters: CallbackParameters) {
  return z.looseObject(
    Object.fromEntries(Object.entries(parameters).map(([name, length]) => [name, z.string().max(length).exactOptional()])),
  );
}

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
    tenantHints: callbacks.states,
    query: parametersBody(callbacks.query),
  })(async ({ query, request }, { tenant }) => {
    const response = pick(query, callbacks.query);
    const state = callbacks.states.map((name) => response.get(name)).find((value) => value !== null);
    const opened = state === undefined ? undefined : await openInteraction(tenant, request, loginStateOf(state));
    if (state === undefined || opened === undefined) return loginErrorPage(tenant, noLogin());
    if (opened.kind === "closed") return closedPage(tenant, opened);
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
      "Redirects to the same URL with GET. The browser sends its cookies with that request, but may not send them with a form from another site.",
    tenantHints: callbacks.states,
    bodyKind: "form",
    body: parametersBody(callbacks.form),
  })(async ({ body }, { tenant }: { readonly tenant: RequestTenant }) =>
    redirectResponse(`${tenant.urls.urlFor(callbackPath)}?${pick(body, callbacks.form)}`, []),
  ),
];

/** Returns the `state` of the login: the provider's `state` without its last part. */
function loginStateOf(state: string): string {
  return state.slice(0, Math.max(0, state.lastIndexOf(".")));
}

/** Returns the declared parameters that were sent. */
function pick(sent: { readonly [name: string]: unknown }, parameters: CallbackParameters): URLSearchParams {
  return new URLSearchParams(
    Object.keys(parameters).flatMap((name) => {
      const value = sent[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}
