import * as z from "zod";
import { grant } from "./grant.ts";
import { exchangePassword, passwordParameters } from "./password.ts";

/** Exchanges a password for tokens, with the connection that the request names. Auth0 defines this grant. */
export const passwordRealm = grant({
  failureEvent: "fepft",
  parameters: z.object({ ...passwordParameters, realm: z.string().min(1).max(128) }),
})(async (sent, context) => exchangePassword(sent, sent.realm, context));
