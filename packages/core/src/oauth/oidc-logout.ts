import * as z from "zod";
import { equalInConstantTime, sha256 } from "../adapters/digest.ts";
import { PosternError } from "../errors.ts";
import { readCookie } from "../http/cookies.ts";
import { redirectResponse } from "../http/html.ts";
import { sessionCookie } from "../login/cookies.ts";
import { pageResponse } from "../login/page.ts";
import { drawConfirmLogout } from "../login/pages/confirm-logout.tsx";
import { readBrowserSession } from "../login/interaction.ts";
import { nameOf } from "../login/steps/name-of.ts";
import { returnLink } from "../login/return-link.ts";
import { route } from "../tenants/callers/route-context.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { readIdTokenHint, type IdTokenHint } from "../tenants/callers/id-token-hint.ts";
import { endBrowserSession, signedOutPage } from "./logout.ts";
import { toComparableUrl } from "../model/clients/url-spelling.ts";
import { isRegisteredUrl } from "../authorization/registered-url.ts";
import { clientIdSchema } from "../model/clients/client-id.ts";

const parametersSchema = z.looseObject({
  id_token_hint: z.string().max(16_384).exactOptional(),
  client_id: clientIdSchema.exactOptional(),
  tenant: z.string().max(63).exactOptional(),
  logout_hint: z.string().max(255).exactOptional(),
  post_logout_redirect_uri: z.string().max(2048).exactOptional(),
  state: z.string().max(2048).exactOptional(),
  ui_locales: z.string().max(255).exactOptional(),
  confirmed: z.string().max(100).exactOptional(),
});

type Parameters = z.infer<typeof parametersSchema>;

const definition = {
  path: "/oidc/logout",
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["client_id", "id_token_hint", "tenant"],
  failureEvent: () => "flo" as const,
  responses: { 303: { error: "redirects to post_logout_redirect_uri" }, 200: { error: "a page" }, 400: { error: "a page" } },
} as const;

/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0), by GET and by POST. */
export const oidcLogout = [
  route({ ...definition, method: "GET", hasSideEffects: true, summary: "Sign out", query: parametersSchema })(
    async ({ query, request }, { tenant }) => logOut(tenant, request, { ...query, confirmed: "" }),
  ),
  route({ ...definition, method: "POST", summary: "Sign out, with a form", body: parametersSchema, bodyKind: "form" })(
    async ({ body, request }, { tenant }) => logOut(tenant, request, body),
  ),
];

async function logOut(tenant: RequestTenant, request: Request, sent: Parameters): Promise<Response> {
  const hint = sent.id_token_hint === undefined ? undefined : await readIdTokenHint(tenant, sent.id_token_hint);
  if (sent.id_token_hint !== undefined && hint === undefined)
    throw new PosternError("invalid_request", "'id_token_hint' was not issued by this tenant");
  if (hint !== undefined && sent.client_id !== undefined && sent.client_id !== hint.clientId) {
    throw new PosternError("invalid_request", "'client_id' and 'id_token_hint' belong to different clients");
  }
  const clientId = hint?.clientId ?? sent.client_id;
  const client = clientId === undefined ? undefined : await tenant.client(clientId);
  const target = redirectTarget(client, hint, sent);

  const cookie = readCookie(request, tenant.urls, sessionCookie(tenant));
  const signedIn = await readBrowserSession(tenant, cookie);
  // Any site can send a browser to this URL. The session therefore ends only with an ID token that was issued for the
  // session or its user, or after the user confirms.
  const proven =
    hint !== undefined && (signedIn === undefined || hint.sessionId === signedIn.session.id || hint.userId === signedIn.user.user_id);
  if (signedIn !== undefined && !proven && !(await isConfirmed(cookie ?? "", sent.confirmed ?? ""))) {
    return confirmPage(tenant, { client, cookie: cookie ?? "", account: nameOf(signedIn.user), sent });
  }
  const cookies = await endBrowserSession(tenant, request, client);
  return target === undefined ? signedOutPage(tenant, { cookies, client, uiLocales: sent.ui_locales }) : redirectResponse(target, cookies);
}

/**
 * Returns the URL to redirect to after the logout, with the `state` that was sent; undefined if no URL was sent, or if
 * no ID token identifies the client. @throws {PosternError} `invalid_request` if the client did not register the URL.
 */
function redirectTarget(client: RegisteredClient | undefined, hint: IdTokenHint | undefined, sent: Parameters): string | undefined {
  const { post_logout_redirect_uri: sentUri, state } = sent;
  if (sentUri === undefined || sentUri === "") return undefined;
  const uri = toComparableUrl(sentUri);
  if (client === undefined || !isRegisteredUrl(uri, client.record.allowed_logout_urls)) {
    throw new PosternError("invalid_request", "'post_logout_redirect_uri' is not one of the client's logout URLs");
  }
  if (hint === undefined) return undefined;
  return state === undefined ? uri : `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams({ state })}`;
}

/**
 * Returns the token that confirms a logout in the form of the confirmation page. The token depends on the secret in the
 * session cookie, so other sites cannot compute it.
 */
async function confirmation(cookie: string): Promise<string> {
  return sha256(JSON.stringify(["logout", cookie]));
}

async function isConfirmed(cookie: string, sent: string): Promise<boolean> {
  return sent !== "" && equalInConstantTime(sent, await confirmation(cookie));
}

interface Unconfirmed {
  readonly client: RegisteredClient | undefined;
  readonly cookie: string;
  /** The name of the signed-in user. */
  readonly account: string;
  readonly sent: Parameters;
}

async function confirmPage(tenant: RequestTenant, { client, cookie, account, sent }: Unconfirmed): Promise<Response> {
  const hidden = Object.fromEntries(Object.entries(sent).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  return pageResponse(tenant, {
    name: "confirm-logout",
    draw: (drawing) => drawConfirmLogout(drawing, { account, returnLink: returnLink(tenant, client) }),
    client,
    action: tenant.urls.urlFor("/oidc/logout"),
    hidden: { ...hidden, confirmed: await confirmation(cookie) },
    redirectsAfterSubmit: sent.post_logout_redirect_uri !== undefined,
    uiLocales: sent.ui_locales,
  });
}
