import * as z from "zod";
import type { Row } from "../../data/schema.ts";
import { mintRefreshToken } from "../../domain/refresh-tokens/refresh-token.ts";
import { createSession, dropNewSession } from "../../domain/sessions/session.ts";
import { methodsOf } from "../../domain/sessions/methods.ts";
import { PosternError } from "../../errors.ts";
import type { ClientContext } from "../../tenancy/context.ts";
import { passwordSignIn, refusePassword } from "../../login/password-sign-in.ts";
import { connectionFor, possibleProofs } from "../../login/possible-proofs.ts";
import { noClaims } from "../../issuing/requested-claims.ts";
import { grant, type TokenResponse } from "./grant.ts";
import { personScopes, requestedApi } from "../../issuing/person-scopes.ts";
import { personAccessToken, personIdToken, type PersonGrant } from "../../issuing/person-tokens.ts";
import { namedApi } from "../../issuing/named-api.ts";

const parameters = {
  username: z.string().min(1).max(320),
  password: z.string().min(1).max(10_000),
  scope: z.string().max(10_000).exactOptional(),
  audience: z.string().min(1).max(600).exactOptional(),
  resource: z.string().min(1).max(600).exactOptional(),
};

/** Resource owner password credentials (RFC 6749 section 4.3), for clients that have the grant enabled: at the tenant's default directory. */
export const password = grant({ type: "password", parameters: z.object(parameters), failureEvent: "fepft" })(async (sent, context) =>
  exchange(sent, undefined, context),
);

/** The vendor's variant that names a connection. */
export const passwordRealm = grant({
  type: "http://auth0.com/oauth/grant-type/password-realm",
  parameters: z.object({ ...parameters, realm: z.string().min(1).max(128) }),
  failureEvent: "fepft",
})(async (sent, context) => exchange(sent, sent.realm, context));

interface PasswordRequest {
  readonly username: string;
  readonly password: string;
  readonly scope?: string;
  readonly audience?: string;
  readonly resource?: string;
}

async function exchange(sent: PasswordRequest, realm: string | undefined, { tenant, client }: ClientContext): Promise<TokenResponse> {
  const { environment, data, requestInfo, settings } = tenant;
  if (client.record.organization_usage === "require") {
    throw new PosternError("invalid_request", "the client requires an organization, which this grant cannot name");
  }
  const connection = connectionFor(await possibleProofs(tenant, client, { connection: realm }), "pwd");
  if (connection === undefined) throw new PosternError("invalid_request", "'realm' names no password connection of the client");
  const api = await requestedApi(tenant, namedApi(sent));
  const clientId = client.record.client_id;
  const connectionId = connection.id;
  const begin = async (userId: string, { user_id: accountId }: Row<"users">) => ({
    session: await createSession(environment, data, {
      userId,
      accountId,
      connectionId,
      clientId,
      method: "pwd",
      requestInfo,
      lifetimes: settings,
    }),
  });
  const credentials = { identifier: sent.username, password: sent.password };
  const result = await passwordSignIn(tenant, client, connection, credentials, begin);
  if (result.kind !== "signed-in") {
    await result.recorded;
    refusePassword(result);
  }

  const { user, recorded } = result;
  const requested = (sent.scope ?? "openid").split(" ").filter((value) => value !== "");
  const { session } = result.begun;
  const deciding = personScopes(tenant, client, { userId: user.user_id }, [...new Set(requested)], api);
  // What the client may not have at all leaves no session behind.
  const refused = async (thrown: unknown): Promise<never> => {
    await dropNewSession(data, session);
    throw thrown;
  };
  const [rights] = await Promise.all([deciding.catch(refused), recorded]);
  const { scope } = rights;
  const granted: PersonGrant = {
    client,
    user,
    sessionId: session.id,
    grantId: environment.ids.record("grt_"),
    ...rights,
    api,
    authTime: session.authenticated_at,
    methods: methodsOf(session),
    grant: "password",
  };
  const refresh = scope.includes("offline_access")
    ? await mintRefreshToken(
        environment,
        {
          grantId: granted.grantId,
          familyId: environment.ids.record("rtf_"),
          sessionId: session.id,
          clientId,
          userId: user.user_id,
          organizationId: null,
          audience: api?.record.identifier ?? null,
          scope,
          authTime: session.authenticated_at,
          claims: noClaims,
        },
        client.settings.refresh_token,
        requestInfo,
      )
    : undefined;
  const [access, idToken] = await Promise.all([
    personAccessToken(tenant, granted),
    scope.includes("openid") ? personIdToken(tenant, granted) : undefined,
    refresh && data.refresh_tokens.insert([refresh.record]),
  ]);
  await tenant.audit({
    type: "sepft",
    client: { client_id: clientId, name: client.record.name },
    user: { user_id: user.user_id, name: user.name },
    scope: scope.join(" "),
  });
  return {
    access_token: access.token,
    token_type: "Bearer",
    expires_in: access.expiresIn,
    ...(idToken !== undefined && { id_token: idToken }),
    ...(refresh && { refresh_token: refresh.text }),
    ...(scope.length > 0 && { scope: scope.join(" ") }),
  };
}
