import { PosternError } from "../../../errors.ts";
import { isCallback } from "../../../issuing/callbacks.ts";
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
    throw new PosternError("invalid_request", "'redirect_uri' is not registered for this client");
  }
  checked.request.redirect_uri = sent;
  checked.request.redirect_uri_given = true;
};
