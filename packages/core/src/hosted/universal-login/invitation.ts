import * as z from "zod";
import { findInvitation } from "../../identity/organizations/invitations.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import { loginErrorPage } from "../../login/pages/error-page.ts";
import { frontPage } from "../../login/return-link.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { AuthorizationRequest } from "../../authorization/authorization-request.ts";
import type { Checked } from "../../oauth/authorize/checks/check.ts";
import { runAuthorizationChecks } from "../../oauth/authorize/checks/table.ts";
import { toLogin } from "../../login/to-login.ts";
import { noClaims } from "../../authorization/requested-claims.ts";

/**
 * The page that an invitation link opens if the client has no login URL. The user signs in, joins the organization and
 * is redirected to the client's front page without a code, because the client did not request one. A GET request
 * changes nothing, so mail scanners may open the link.
 */
export const invitationPage = route({
  method: "GET",
  path: "/u/invitation",
  summary: "Accept an invitation",
  scopes: "public",
  hasSideEffects: true,
  errorFormat: "page",
  tenantHints: ["client_id"],
  query: z.looseObject({ invitation: z.string().max(200), organization: z.string().max(255).exactOptional() }),
  responses: { 303: { error: "redirects to the login page" }, 400: { error: "a page: the invitation does not exist" } },
})(async ({ query, request }, { tenant }) => {
  const invitation = await findInvitation(tenant.data, query.invitation);
  const client = invitation && (await tenant.client(invitation.client_id));
  if (invitation === undefined || client === undefined) {
    throw new PosternError("invalid_request", "'invitation' does not match an existing invitation", { reason: "invitation-withdrawn" });
  }

  const { organization } = query;
  const sent = { invitation: query.invitation, client_id: invitation.client_id, ...(organization !== undefined && { organization }) };
  const checked: Checked = { tenant, client, sent, malformed: new Map(), request: {} };
  try {
    await runAuthorizationChecks("/u/invitation", checked);
  } catch (error) {
    if (isPosternError(error) && error.status < 500) return loginErrorPage(tenant, error, { client });
    throw error;
  }
  const home = frontPage(client);
  if (home === undefined)
    throw new PosternError("invalid_request", "the application of the invitation has no callback URL from which its home page follows");
  const authorization: AuthorizationRequest = {
    client_id: invitation.client_id,
    ending: "front-page",
    redirect_uri: home,
    redirect_uri_given: false,
    response_type: [],
    response_mode: "query",
    scope: ["openid"],
    prompt: [],
    claims: noClaims,
    ...checked.request,
  };
  return toLogin(tenant, request, authorization);
});
