import { PosternError } from "../../../errors.ts";
import { isCallback } from "../../../authorization/callbacks.ts";
import { clientOf, type Check } from "./check.ts";

/** The redirect URI is one that the client registered, to the byte (RFC 9700 section 2.1). With one registered it may be left out. */
export const checkRedirectUri: Check = (checked) => {
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
  if (!isCallback(client, sent)) {
    throw new PosternError("invalid_request", "'redirect_uri' is not registered for this client", { hint: comparison(sent, callbacks) });
  }
  checked.request.redirect_uri = sent;
  checked.request.redirect_uri_given = true;
};

/** The characters and the registered URIs that a hint shows. */
const mostCharacters = 300;
const mostUris = 10;

/** What was sent beside what is registered, for a developer who looks for the difference. */
function comparison(sent: string, callbacks: readonly string[]): string {
  const shown = callbacks.slice(0, mostUris).map((uri) => `'${uri.slice(0, mostCharacters)}'`);
  const more = callbacks.length > mostUris ? ` and ${callbacks.length - mostUris} more` : "";
  const registered = callbacks.length === 0 ? "none is registered" : `registered: ${shown.join(", ")}${more}`;
  return `sent: '${sent.slice(0, mostCharacters).toWellFormed()}'; ${registered}`;
}
