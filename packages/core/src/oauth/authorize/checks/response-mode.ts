import { PosternError } from "../../../errors.ts";
import { matchesOrigin } from "../../../http/cors.ts";
import { responseModes, type ResponseMode } from "../../../authorization/authorization-request.ts";
import { clientOf, type AuthorizationCheck, type Checked } from "./check.ts";

const isResponseMode = (word: string): word is ResponseMode => responseModes.some((mode) => mode === word);

/** Returns the response mode of a request without `response_mode`: `fragment` for tokens, otherwise `query`. */
export function defaultResponseMode(sent: Checked["sent"]): ResponseMode {
  return (sent["response_type"] ?? "").split(" ").some((word) => word === "token" || word === "id_token") ? "fragment" : "query";
}

/**
 * Checks the response mode directly after the redirect URI, because errors from later checks are sent in this response
 * mode. Tokens are never sent in a query (OAuth 2.0 Multiple Response Types section 3). `web_message` requires that the
 * origin of the redirect URI is one of the client's origins.
 */
export const checkResponseMode: AuthorizationCheck = (checked) => {
  const { response_mode: sent } = checked.sent;
  const byDefault = defaultResponseMode(checked.sent);
  if (sent === undefined || sent === "") {
    checked.request.response_mode = byDefault;
    return;
  }
  if (!isResponseMode(sent)) throw new PosternError("unsupported_response_mode", `'${sent}' is not a supported response mode`);
  if (sent === "query" && byDefault === "fragment")
    throw new PosternError("invalid_request", "tokens are never sent in a query: use fragment or form_post");
  if (sent === "web_message") {
    const { web_origins: webOrigins, allowed_origins: allowedOrigins, callbacks } = clientOf(checked).record;
    const origin = originOf(checked.request.redirect_uri ?? "");
    const origins = [...webOrigins, ...allowedOrigins, ...callbacks.flatMap((url) => originOf(url) ?? [])];
    if (origin === undefined || !origins.some((allowed) => matchesOrigin(allowed, origin))) {
      throw new PosternError("invalid_request", "the origin of 'redirect_uri' is not an origin of the client");
    }
  }
  checked.request.response_mode = sent;
};

/** Returns the origin of a URL; undefined for a URL without an origin, such as a URL with a custom scheme. */
function originOf(url: string): string | undefined {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  return origin === "null" ? undefined : origin;
}
