import { PosternError } from "../../../errors.ts";
import { matchesOrigin } from "../../../http/cors.ts";
import { responseModes, type ResponseMode } from "../../../authorization/authorization-request.ts";
import { clientOf, type Check, type Checked } from "./check.ts";

const isResponseMode = (word: string): word is ResponseMode => responseModes.some((mode) => mode === word);

/** How an answer travels where the request does not say: tokens in the fragment, all else in the query. */
export function defaultResponseMode(sent: Checked["sent"]): ResponseMode {
  return (sent["response_type"] ?? "").split(" ").some((word) => word === "token" || word === "id_token") ? "fragment" : "query";
}

/** The first of all: whatever else is wrong is told by this way. Tokens never travel in a query (OAuth 2.0 Multiple Response Types section 3); a message goes to an origin of the client alone. */
export const checkResponseMode: Check = (checked) => {
  const { response_mode: sent } = checked.sent;
  const byDefault = defaultResponseMode(checked.sent);
  if (sent === undefined || sent === "") {
    checked.request.response_mode = byDefault;
    return;
  }
  if (!isResponseMode(sent)) throw new PosternError("unsupported_response_mode", `'${sent}' is not a response mode of this service`);
  if (sent === "query" && byDefault === "fragment")
    throw new PosternError("invalid_request", "tokens are never sent in a query: use fragment or form_post");
  if (sent === "web_message") {
    const { web_origins: webOrigins, allowed_origins: allowedOrigins, callbacks } = clientOf(checked).record;
    const origin = originOf(checked.request.redirect_uri ?? "");
    const origins = [...webOrigins, ...allowedOrigins, ...callbacks.flatMap((url) => originOf(url) ?? [])];
    if (origin === undefined || !origins.some((allowed) => matchesOrigin(allowed, origin))) {
      throw new PosternError("invalid_request", "the origin of 'redirect_uri' is none of the client's");
    }
  }
  checked.request.response_mode = sent;
};

/** Undefined for what has none, such as a scheme of an app's own: a message would go to anybody. */
function originOf(url: string): string | undefined {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  return origin === "null" ? undefined : origin;
}
