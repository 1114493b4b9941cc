import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { requestedAudience } from "../../authorization/requested-audience.ts";
import { resolveApi } from "../../authorization/resolve-api.ts";
import { readRemembered } from "../../login/cookies.ts";
import { signInWithCode, type SubmittedCode } from "../../identity/login/code-login.ts";
import { throwCodeRefusal } from "../../identity/login/refusals.ts";
import type { Row } from "../../store/schema.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import { invalidInput } from "../../http/validation.ts";
import { readCodeUsername } from "../../identity/login/code-address.ts";
import { openAuthSession } from "../otp/auth-session.ts";
import { fromStoredAuthParams } from "../passwordless/auth-params.ts";
import { codeConnection } from "../passwordless/place.ts";
import { grant } from "./grant.ts";
import { requireSession, userTokenResponse, sessionWithoutBrowser } from "./user-token-response.ts";
import { audienceParameter, organizationParameter, resourceParameter, scopeParameter } from "./target-parameters.ts";

const parameters = z.object({
  username: z.string().min(1).max(320).exactOptional().meta({ description: "The email address or phone number that the code was sent to" }),
  otp: z.string().min(1).max(100).meta({ description: "The code" }),
  realm: z.string().min(1).max(128).exactOptional().meta({ description: "`email` or `sms`, or the name of the connection" }),
  auth_session: z
    .string()
    .min(1)
    .max(4096)
    .exactOptional()
    .meta({ description: "The `auth_session` that `/otp/challenge` returned, instead of `username` and `realm`" }),
  scope: scopeParameter.meta({ description: "Default: the value that was sent to `/passwordless/start`" }),
  audience: audienceParameter.meta({ description: "Default: the value that was sent to `/passwordless/start`" }),
  resource: resourceParameter,
  organization: organizationParameter.meta({ description: "Default: the value that was sent to `/passwordless/start`" }),
});

type Parameters = z.infer<typeof parameters>;

/**
 * Exchanges a one-time code for tokens. Auth0 defines this grant. The alias is Auth0's identifier with `vendor` instead
 * of Auth0's domain.
 */
export const oneTimeCode = grant({
  aliases: ["http://vendor/oauth/grant-type/passwordless/otp"],
  failureEvent: "fepotpft",
  parameters,
})(async (sent, context) => {
  const { tenant, client, request } = context;
  const { connection, ...submitted } = await findSubmitted(sent, context);
  // The API is resolved before the code is used, so that a request for an unknown API leaves the code valid.
  const named = await requestedAudience(tenant, sent);
  const api = named === undefined ? undefined : await resolveApi(tenant, named);
  const { accounts: marks } = readRemembered(tenant, request);
  const start = sessionWithoutBrowser(context, "otp", connection, api);
  const result = await signInWithCode(tenant, { client, connection, session: start, ...submitted, marks });
  if (result.kind !== "signed-in") throwCodeRefusal(result, submitted.address);
  const { user, started, recorded, code } = result;
  const kept = fromStoredAuthParams(code.request);
  const { scope = kept.scope, organization = kept.organization } = sent;
  const audience = named ?? (await requestedAudience(tenant, kept));
  const { session } = await requireSession(context, started, { scope, audience, organization });
  return userTokenResponse(context, { user, session, recorded, scope, audience, organization });
});

/** Returns the submitted code and its connection. @throws {PosternError} `invalid_request` or `invalid_grant`. */
async function findSubmitted(
  sent: Parameters,
  { tenant, client }: ClientContext,
): Promise<SubmittedCode & { readonly connection: Row<"connections"> }> {
  const { username, realm, otp: code, auth_session: session } = sent;
  if (session !== undefined) return { ...(await openAuthSession(tenant, client, session)), code };
  if (username === undefined) throw invalidInput("body", "'username' is missing");
  if (realm === undefined) throw invalidInput("body", "'realm' is missing");
  const connection = await codeConnection(tenant, client, realm);
  if (connection === undefined)
    throw new PosternError("invalid_request", "'realm' must be a passwordless connection that is enabled for this client");
  return { connection, address: await readCodeUsername(connection, username), code };
}
