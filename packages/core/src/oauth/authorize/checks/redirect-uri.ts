import { PosternError } from "../../../errors.ts";
import { isCallback } from "../../../authorization/callbacks.ts";
import { toComparableUrl } from "../../../model/clients/url-spelling.ts";
import { clientOf, type AuthorizationCheck } from "./check.ts";

/**
 * Requires a registered redirect URI (RFC 9700 section 2.1). The parameter may be omitted if exactly one URI is
 * registered.
 */
export const checkRedirectUri: AuthorizationCheck = (checked) => {
  const { redirect_uri: sent } = checked.sent;
  const client = clientOf(checked);
  const { callbacks } = client.record;
  if (sent === undefined || sent === "") {
    const [only, ...others] = callbacks;
    if (only === undefined || others.length > 0 || /[*{]/.test(only))
      throw new PosternError("invalid_request", "'redirect_uri' is missing");
    checked.request.redirect_uri = only;
    checked.request.redirect_uri_given = false;
    return;
  }
  const uri = toComparableUrl(sent);
  if (!isCallback(client, uri)) {
    throw new PosternError("invalid_request", "'redirect_uri' is not registered for this client", { hint: comparison(uri, callbacks) });
  }
  checked.request.redirect_uri = uri;
  checked.request.redirect_uri_given = true;
};

/** The maximum number of characters of each URI, and the maximum number of URIs, in the `hint` of the error. */
const maximumCharacters = 300;
const maximumUris = 10;

/** Returns a hint that compares the URI that was sent with the registered URIs. */
function comparison(sent: string, callbacks: readonly string[]): string {
  const shown = callbacks.slice(0, maximumUris).map((uri) => `'${uri.slice(0, maximumCharacters)}'`);
  const more = callbacks.length > maximumUris ? ` and ${callbacks.length - maximumUris} more` : "";
  const registered = callbacks.length === 0 ? "none is registered" : `registered: ${shown.join(", ")}${more}`;
  return `sent: '${sent.slice(0, maximumCharacters).toWellFormed()}'; ${registered}`;
}
