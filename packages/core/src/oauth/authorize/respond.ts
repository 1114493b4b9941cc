import { toErrorDescription, type ErrorCode } from "../../errors.ts";
import { explainedAt } from "../../http/explained.ts";
import { htmlResponse, redirectResponse } from "../../http/html.ts";
import { lookOf } from "../../login/look.ts";
import { renderFormPost } from "../../login/pages/form-post.tsx";
import { brandingSources } from "../../branding/images.ts";
import { renderWebMessage } from "../../login/pages/web-message.tsx";
import type { Tenant } from "../../tenants/tenant.ts";
import type { AuthorizationRequest } from "../../authorization/authorization-request.ts";
import type { IssuedResponse } from "../../authorization/issue-response.ts";

/** Where an answer of `/authorize` goes, and how. */
export type Destination = Pick<AuthorizationRequest, "redirect_uri" | "response_mode"> &
  Partial<Pick<AuthorizationRequest, "state" | "ui_locales">>;

/** Sends an answer, a success or an error, to the client. `state` and `iss` (RFC 9207) are in each. */
export async function respond(
  tenant: Tenant,
  destination: Destination,
  parameters: IssuedResponse,
  cookies: readonly string[] = [],
): Promise<Response> {
  const { redirect_uri: redirectUri, response_mode: mode, state } = destination;
  const all = { ...parameters, ...(state !== undefined && { state }), iss: tenant.urls.issuer };
  const fields = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]));
  const nonce = tenant.random.token(16);
  switch (mode) {
    case "query":
      // Appended, never parsed and written anew: the registered URI stays as it is to the byte.
      // It ends in an empty fragment: to an address without one, browsers add that of the page before, and so hand a stranger's words to the client
      // (RFC 9700 section 4.1.3).
      return redirectResponse(`${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(fields)}#`, cookies);
    case "fragment":
      return redirectResponse(`${redirectUri}#${new URLSearchParams(fields)}`, cookies);
    case "form_post": {
      const page = { ...(await lookOf(tenant, { uiLocales: destination.ui_locales })), action: redirectUri, fields, nonce };
      return htmlResponse(renderFormPost(page), { nonce, script: true, leadsAway: true, ...brandingSources(page.branding), cookies });
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

/** Tells the client what went wrong (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6). */
export function respondError(
  tenant: Tenant,
  destination: Destination,
  { code, message }: { readonly code: ErrorCode; readonly message: string },
  cookies: readonly string[] = [],
): Promise<Response> {
  const explained = tenant.config.development && { error_uri: explainedAt("/authorize") };
  return respond(tenant, destination, { error: code, error_description: toErrorDescription(message), ...explained }, cookies);
}
