import * as z from "zod";
import { PosternError } from "../../errors.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import { requireIdentifier } from "../../identity/login/identifier.ts";
import { signInWithPassword } from "../../identity/login/password-login.ts";
import { throwPasswordRefusal } from "../../identity/login/refusals.ts";
import { connectionFor, availableMethods } from "../../login/available-methods.ts";
import { grant } from "./grant.ts";
import type { TokenResponse } from "./token-response.ts";
import { requiresOrganization } from "../../authorization/organization.ts";
import { requestedAudience } from "../../authorization/requested-audience.ts";
import { resolveApi } from "../../authorization/resolve-api.ts";
import { requireSession, userTokenResponse, sessionWithoutBrowser } from "./user-token-response.ts";
import { audienceParameter, resourceParameter, scopeParameter } from "./target-parameters.ts";

/** The parameters of both password grants. */
export const passwordParameters = {
  username: z.string().min(1).max(320),
  password: z.string().min(1).max(10_000),
  scope: scopeParameter,
  audience: audienceParameter,
  resource: resourceParameter,
};

/** Exchanges a password for tokens (RFC 6749 section 4.3), with the tenant's default directory. */
export const passwordGrant = grant({ failureEvent: "fepft", parameters: z.object(passwordParameters) })(async (sent, context) =>
  exchangePassword(sent, undefined, context),
);

/** The parsed parameters of a password grant. */
interface PasswordRequest {
  readonly username: string;
  readonly password: string;
  readonly scope?: string;
  readonly audience?: string;
  readonly resource?: string;
}

/**
 * Signs the user in with a password and returns their tokens.
 * @param realm the name of the connection. Default: the tenant's default directory.
 */
export async function exchangePassword(sent: PasswordRequest, realm: string | undefined, context: ClientContext): Promise<TokenResponse> {
  const { tenant, client } = context;
  if (requiresOrganization(client)) {
    throw new PosternError("invalid_request", "the client requires an organization, which this grant does not support");
  }
  const connection = connectionFor(await availableMethods(tenant, client, { connection: realm }), "pwd");
  if (connection === undefined) throw new PosternError("invalid_request", "'realm' must be a password connection of the client");
  await requireIdentifier(connection, sent.username);
  const audience = await requestedAudience(tenant, sent);
  const api = await resolveApi(tenant, audience);
  const result = await signInWithPassword(tenant, {
    client,
    connection,
    identifier: sent.username,
    password: sent.password,
    session: sessionWithoutBrowser(context, "pwd", connection, api),
  });
  if (result.kind !== "signed-in") throwPasswordRefusal(result);
  const { user, started, recorded } = result;
  const { session } = await requireSession(context, started, { scope: sent.scope, audience, gty: "password" });
  return userTokenResponse(context, { user, session, recorded, scope: sent.scope, audience, gty: "password", event: "sepft" });
}
