import { auditClient, auditUser } from "../logs/audit.ts";
import * as z from "zod";
import { findBrowserSession, revokeSession } from "../identity/sessions/session.ts";
import { readCookie, setCookie } from "../http/cookies.ts";
import { redirectResponse } from "../http/html.ts";
import { PosternError } from "../errors.ts";
import { sessionCookie } from "../login/cookies.ts";
import { pageResponse, type PageContent } from "../login/page.ts";
import { drawLoggedOut } from "../login/pages/logged-out.tsx";
import { returnLink } from "../login/return-link.ts";
import { route } from "../tenants/callers/route-context.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { toComparableUrl } from "../model/clients/url-spelling.ts";
import { isRegisteredLogoutUrl } from "../authorization/registered-url.ts";
import { clientIdSchema } from "../model/clients/client-id.ts";

/** Auth0's logout: ends the browser's session and redirects to the application. */
export const logout = route({
  method: "GET",
  path: "/v2/logout",
  summary: "Sign out, with Auth0's endpoint",
  scopes: "public",
  hasSideEffects: true,
  errorFormat: "page",
  tenantHints: ["client_id"],
  failureEvent: () => "flo",
  query: z.looseObject({ client_id: clientIdSchema.exactOptional(), returnTo: z.string().max(2048).exactOptional() }),
  responses: {
    303: { error: "redirects to returnTo" },
    200: { error: "a page: signed out" },
    400: { error: "a page: returnTo is not allowed, or another site embeds this URL in its page" },
  },
})(async ({ query, request }, { tenant }) => {
  if (isPartOfAnotherSite(request))
    throw new PosternError("invalid_request", "the logout URL must be opened as a page and not embedded in another site");
  const client = query.client_id === undefined ? undefined : await tenant.client(query.client_id);
  const allowed = client?.record.allowed_logout_urls ?? tenant.settings.allowed_logout_urls;
  const target = query.returnTo === undefined || query.returnTo === "" ? undefined : toComparableUrl(query.returnTo);
  if (target !== undefined && !isRegisteredLogoutUrl(target, allowed)) {
    throw new PosternError("invalid_request", "'returnTo' is not one of the allowed logout URLs");
  }
  const cookies = await endBrowserSession(tenant, request, client);
  const location = target ?? allowed.find((url) => !/[*{]/.test(url));
  return location === undefined ? signedOutPage(tenant, { cookies, client }) : redirectResponse(location, cookies);
});

/**
 * Whether a page of another site loads the URL as an image, a frame or another subresource (Fetch Metadata, section 2).
 * Without this check, such a page could sign users out without their consent. Applications sign users out with a link
 * or a redirect. Requests without Fetch Metadata headers are allowed.
 */
function isPartOfAnotherSite({ headers }: Request): boolean {
  const destination = headers.get("sec-fetch-dest");
  return headers.get("sec-fetch-site") === "cross-site" && destination !== null && destination !== "document";
}

/**
 * Revokes the session that the browser's cookie belongs to.
 * @param client the client that requested the logout, if known.
 * @returns the `Set-Cookie` value that removes the cookie.
 */
export async function endBrowserSession(
  tenant: RequestTenant,
  request: Request,
  client: RegisteredClient | undefined,
): Promise<readonly string[]> {
  const cookie = readCookie(request, tenant.urls, sessionCookie(tenant));
  if (cookie === undefined) return [];
  // Also finds sessions that expired because they were idle, and sessions of blocked users, so that their refresh
  // tokens are revoked too.
  const session = await findBrowserSession(tenant.data, cookie);
  if (session !== undefined && (await revokeSession(tenant, session.id, "rp-logout"))) {
    await tenant.audit({
      type: "slo",
      ...auditClient(client),
      ...auditUser({ user_id: session.user_id, name: "" }),
    });
  }
  return [setCookie(tenant.urls, sessionCookie(tenant), "", { maxAge: 0 })];
}

/** Returns the page that confirms the logout, with a link back to the client, if the client is known. */
export function signedOutPage(tenant: RequestTenant, page: Pick<PageContent, "cookies" | "client" | "uiLocales">): Promise<Response> {
  return pageResponse(tenant, { ...page, name: "logged-out", draw: (drawing) => drawLoggedOut(drawing, returnLink(tenant, page.client)) });
}
