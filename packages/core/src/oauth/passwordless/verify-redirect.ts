import * as z from "zod";
import { readCookie } from "../../http/cookies.ts";
import { redirectResponse } from "../../http/html.ts";
import { browserSession } from "../../login/start-session.ts";
import { signInWithCode } from "../../identity/login/code-login.ts";
import { createLoginTicket } from "../../identity/login/login-ticket.ts";
import { confirmCodePage } from "../../login/confirm-code-page.ts";
import { bindingCookies, readRemembered, sessionCookie } from "../../login/cookies.ts";
import { readBrowserSession } from "../../login/interaction.ts";
import { checkOwnForm } from "../../login/own-form.ts";
import { codeProblems } from "../../login/pages/confirm-code.tsx";
import { PosternError } from "../../errors.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { authParams, fromStoredAuthParams, pickAuthParams } from "./auth-params.ts";
import { namedAddress, placeFields, type NamedAddress, type NamedPlace } from "./place.ts";
import { verifyLink } from "./verify-link.ts";

const definition = {
  path: "/passwordless/verify_redirect",
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["client_id"],
  failureEvent: () => "f" as const,
  responses: {
    200: { error: "the page" },
    303: { error: "redirects to /authorize, or to this page with an error message" },
    400: { error: "a page: the link is not valid" },
  },
} as const;

const parameters = {
  ...placeFields,
  ...authParams,
  verification_code: z.string().max(100).exactOptional(),
  link_key: z.string().max(100).exactOptional().meta({ description: "The value from the link" }),
};

/**
 * The page that a sign-in link opens. A GET request changes nothing and does not count as an attempt, because mail
 * scanners open links first. The button on the page signs the user in and continues at `/authorize` with the client's
 * parameters. `/authorize` then checks the request, decides the redirect URI and prompts the user as usual.
 */
export const verifyRedirect = [
  route({
    ...definition,
    method: "GET",
    summary: "Show the page that a sign-in link opens",
    query: z.looseObject({ ...parameters, problem: z.string().max(40).exactOptional() }),
  })(async ({ query }, { tenant }) => {
    const { client_id, verification_code: code = "", link_key = "", ui_locales, problem = "" } = query;
    const { client, address, connection } = await findPlace(tenant, query);
    const shown = codeProblems[problem] ?? (code === "" ? "used" : undefined);
    const destination = { connection: connection.name, [address.channel === "email" ? "email" : "phone_number"]: address.text };
    const hidden = { client_id, ...destination, verification_code: code, ...(link_key !== "" && { link_key }), ...pickAuthParams(query) };
    const page = { client, path: definition.path, hidden, uiLocales: ui_locales };
    return confirmCodePage(tenant, page, { account: address.text, problem: shown });
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Sign in with a link",
    bodyKind: "form",
    body: z.looseObject(parameters),
  })(async ({ body, request }, { tenant }) => {
    checkOwnForm(tenant, request);
    const { client, connection, address } = await findPlace(tenant, body);
    const browser = await readBrowserSession(tenant, readCookie(request, tenant.urls, sessionCookie(tenant)));
    const remembered = readRemembered(tenant, request);
    const result = await signInWithCode(tenant, {
      client,
      connection,
      session: browserSession({ tenant, client, browser, remembered }, { method: "otp", connection }),
      address,
      code: body.verification_code ?? "",
      linkKey: body.link_key,
      marks: remembered.accounts,
    });
    const { client_id: clientId } = client.record;
    if (result.kind !== "signed-in") {
      const problem = result.kind === "wrong-code" ? "used" : result.kind;
      return redirectResponse(verifyLink(tenant, { clientId, connection: connection.name, address, problem }));
    }
    await result.recorded;
    const query = { response_type: "code", ...fromStoredAuthParams(result.code.request), ...pickAuthParams(body), client_id: clientId };
    const authorize = (parameters: Record<string, string>, cookies: readonly string[]): Response =>
      redirectResponse(`${tenant.urls.urlFor("/authorize")}?${new URLSearchParams(parameters)}`, cookies);
    if (result.started.session !== undefined) return authorize(query, result.started.cookies);
    // No session starts before the second factor, which is a step of the login at `/authorize`.
    const binding = bindingCookies(tenant, request);
    const ticket = await createLoginTicket(tenant, {
      userId: result.user.user_id,
      account: result.account,
      connectionId: connection.id,
      method: "otp",
      channels: [address.text],
      clientId,
      browser: binding.browser,
    });
    return authorize({ ...query, login_ticket: ticket }, binding.cookies);
  }),
];

async function findPlace(
  tenant: RequestTenant,
  sent: NamedPlace & { readonly client_id: string },
): Promise<NamedAddress & { readonly client: RegisteredClient }> {
  const client = await tenant.client(sent.client_id);
  if (client === undefined) throw new PosternError("unauthorized_client", "the client is unknown");
  return { client, ...(await namedAddress(tenant, client, sent)) };
}
