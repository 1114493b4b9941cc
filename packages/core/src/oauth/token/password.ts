import * as z from "zod";
import { PosternError } from "../../errors.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import { signInWithPassword } from "../../identity/login/password-login.ts";
import { throwPasswordRefusal } from "../../identity/login/refusals.ts";
import { connectionFor, possibleProofs } from "../../login/possible-proofs.ts";
import { grant } from "./grant.ts";
import type { TokenResponse } from "./token-response.ts";
import { namedApi } from "../../authorization/named-api.ts";
import { requestedApi } from "../../authorization/person-scopes.ts";
import { personResponse, sessionWithoutBrowser } from "./person-response.ts";

const parameters = {
  username: z.string().min(1).max(320),
  password: z.string().min(1).max(10_000),
  scope: z.string().max(10_000).exactOptional(),
  audience: z.string().min(1).max(600).exactOptional(),
  resource: z.string().min(1).max(600).exactOptional(),
};

/** Resource owner password credentials (RFC 6749 section 4.3), for clients that have the grant enabled: at the tenant's default directory. */
export const password = grant({ type: "password", failureEvent: "fepft", parameters: z.object(parameters) })(async (sent, context) =>
  exchange(sent, undefined, context),
);

/** The vendor's variant that names a connection. */
export const passwordRealm = grant({
  type: "http://auth0.com/oauth/grant-type/password-realm",
  failureEvent: "fepft",
  parameters: z.object({ ...parameters, realm: z.string().min(1).max(128) }),
})(async (sent, context) => exchange(sent, sent.realm, context));

interface PasswordRequest {
  readonly username: string;
  readonly password: string;
  readonly scope?: string;
  readonly audience?: string;
  readonly resource?: string;
}

async function exchange(sent: PasswordRequest, realm: string | undefined, context: ClientContext): Promise<TokenResponse> {
  const { tenant, client } = context;
  if (client.record.organization_usage === "require") {
    throw new PosternError("invalid_request", "the client requires an organization, which this grant cannot name");
  }
  const connection = connectionFor(await possibleProofs(tenant, client, { connection: realm }), "pwd");
  if (connection === undefined) throw new PosternError("invalid_request", "'realm' names no password connection of the client");
  const audience = namedApi(sent);
  await requestedApi(tenant, audience);
  const result = await signInWithPassword(tenant, {
    client,
    connection,
    identifier: sent.username,
    password: sent.password,
    session: sessionWithoutBrowser(context, "pwd", connection),
  });
  if (result.kind !== "signed-in") throwPasswordRefusal(result);
  const { user, started, recorded } = result;
  return personResponse(context, { user, ...started, recorded, scope: sent.scope, audience, gty: "password", event: "sepft" });
}
