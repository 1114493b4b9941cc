import { toErrorDescription, type ErrorCode, type PosternError } from "../../errors.ts";
import { appendParameters } from "../../http/append-parameters.ts";
import { errorDocumentationUrl } from "../../http/error-documentation.ts";
import { htmlResponse, redirectResponse } from "../../http/html.ts";
import { appearanceOf } from "../../login/appearance.ts";
import { renderFormPost } from "../../login/pages/form-post.tsx";
import { brandingSources } from "../../branding/images.ts";
import { renderWebMessage } from "../../login/pages/web-message.tsx";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { AuthorizationRequest } from "../../authorization/authorization-request.ts";
import type { IssuedTokens } from "../../authorization/issue-tokens/issue-tokens.ts";

/** The page that {@link respond} returns, for the API documents. */
export const responsePage = {
  error: "a page that sends the response, a success or an error, to the client: with `response_mode` `form_post` or `web_message`",
} as const;

/** The destination of an authorization response, and its response mode. */
type ResponseDestination = Pick<AuthorizationRequest, "redirect_uri" | "response_mode"> &
  Partial<Pick<AuthorizationRequest, "state" | "ui_locales">>;

/** The parameters of an authorization response. */
type ResponseParameters = { readonly [name: string]: string | number };

/** Returns the parameters of a successful authorization response. An empty scope is omitted. */
export function issuedParameters({ code, access, idToken, scope }: IssuedTokens): ResponseParameters {
  return {
    ...(code !== undefined && { code }),
    ...(access && { access_token: access.token, token_type: access.type, expires_in: access.expiresIn }),
    ...(idToken !== undefined && { id_token: idToken }),
    ...(access && scope.length > 0 && { scope: scope.join(" ") }),
  };
}

/**
 * Sends an authorization response, a success or an error, to the client. Each response contains `state` and `iss` (RFC
 * 9207).
 */
export async function respond(
  tenant: RequestTenant,
  destination: ResponseDestination,
  parameters: ResponseParameters,
  cookies: readonly string[] = [],
): Promise<Response> {
  const { redirect_uri: redirectUri, response_mode: mode, state } = destination;
  const all = { ...parameters, ...(state !== undefined && { state }), iss: tenant.urls.issuer };
  const fields = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]));
  const nonce = tenant.random.token(16);
  switch (mode) {
    case "query":
      return redirectResponse(appendParameters(redirectUri, fields), cookies);
    case "fragment":
      return redirectResponse(`${redirectUri}#${new URLSearchParams(fields)}`, cookies);
    case "form_post": {
      const page = { ...(await appearanceOf(tenant, { uiLocales: destination.ui_locales })), action: redirectUri, fields, nonce };
      return htmlResponse(renderFormPost(page), {
        nonce,
        script: true,
        redirectsAfterSubmit: true,
        ...brandingSources(page.branding),
        cookies,
      });
    }
    case "web_message": {
      const { origin } = new URL(redirectUri);
      return htmlResponse(renderWebMessage({ response: all, targetOrigin: origin, nonce }), {
        nonce,
        script: true,
        framedBy: [origin],
        cookies,
      });
    }
  }
}

/**
 * Whether an error is displayed on a page instead of being sent to the client. No administrator checked an external client, so a
 * user who cannot sign in to it gets the explanation from this service.
 */
export function isForUser({ reason }: PosternError): boolean {
  return reason === "no-connection";
}

/** Sends an error to the client (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6). */
export function respondError(
  tenant: RequestTenant,
  destination: ResponseDestination,
  { code, message }: { readonly code: ErrorCode; readonly message: string },
  cookies: readonly string[] = [],
): Promise<Response> {
  const explained = tenant.config.development && { error_uri: errorDocumentationUrl("/authorize") };
  return respond(tenant, destination, { error: code, error_description: toErrorDescription(message), ...explained }, cookies);
}
