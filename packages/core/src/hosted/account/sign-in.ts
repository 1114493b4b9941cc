import type { AuthorizationRequest } from "../../authorization/authorization-request.ts";
import { noClaims } from "../../authorization/requested-claims.ts";
import { PosternError } from "../../errors.ts";
import { toLogin } from "../../login/to-login.ts";
import { pageResponse } from "../../login/page.ts";
import { noProgress } from "../../login/progress.ts";
import { returnLink } from "../../login/return-link.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { drawClosed } from "./pages/closed.tsx";
import type { AccountPlace } from "./place.ts";

/**
 * Redirects a visitor to the login of the place's client. After the login, the browser opens `url`, a URL of the account
 * page.
 * @param prompt `login` if the user must authenticate even if they are signed in.
 */
export function signInAtPage(
  { tenant, client }: AccountPlace,
  request: Request,
  url: string,
  prompt: readonly "login"[],
): Promise<Response> {
  if (client === undefined)
    throw new PosternError("invalid_request", "the account page belongs to no client, so no user can sign in there");
  return toLogin(tenant, request, loginRequest(client, url, prompt));
}

/** The user who links an account, and the session in which the user does. */
interface Linking {
  readonly client: RegisteredClient;
  /** The URL of the account page that the browser opens afterwards. */
  readonly url: string;
  /** The name of the connection to the provider. */
  readonly connection: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** Redirects a signed-in user to an identity provider, to link their account there. */
export function linkAtPage(tenant: RequestTenant, request: Request, linking: Linking): Promise<Response> {
  const { client, url, connection, userId, sessionId } = linking;
  return toLogin(
    tenant,
    request,
    { ...loginRequest(client, url, []), connection },
    { progress: { ...noProgress, link_to: { user_id: userId, session_id: sessionId } } },
  );
}

function loginRequest({ record }: RegisteredClient, url: string, prompt: readonly "login"[]): AuthorizationRequest {
  return {
    client_id: record.client_id,
    ending: "account-page",
    redirect_uri: url,
    redirect_uri_given: false,
    response_type: [],
    response_mode: "query",
    scope: ["openid"],
    prompt: [...prompt],
    claims: noClaims,
  };
}

/** Returns the page for a visitor without a session, if the page belongs to no client at which they could sign in. */
export function noSessionPage({ tenant }: AccountPlace): Promise<Response> {
  return pageResponse(tenant, {
    name: "account-closed",
    status: 403,
    draw: (drawing) => drawClosed(drawing, { reason: "no-session", returnLink: returnLink(tenant, undefined) }),
  });
}
