import { auditClient, auditConnection, auditUser } from "../../logs/audit.ts";
import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { isExpired, withExpiry } from "../../tokens/refresh-tokens/refresh-token.ts";
import { bearerType } from "../../tokens/access-token.ts";
import type { TokenReference } from "../../tokens/subject.ts";
import { freshTokens } from "../../identity/providers/fresh-tokens.ts";
import { UpstreamError } from "../../identity/providers/upstream-error.ts";
import { storesTokens } from "../../identity/providers/upstream-tokens.ts";
import { linkedAccounts } from "../../identity/users/linked-accounts.ts";
import { PosternError } from "../../errors.ts";
import { requireActiveUser } from "../../authorization/active-user.ts";
import { isPublic } from "../../model/clients/refresh-token-settings.ts";
import { isUpstream } from "../../model/connections/upstream.ts";
import { localUserId } from "../../model/users/users.ts";
import { findAccessToken } from "../../tenants/callers/access-token.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import { reportUpstreamFailure } from "../../tenants/upstream-failure.ts";
import { grant } from "./grant.ts";
import { requireKey } from "./require-key.ts";
import { tokenResponse } from "./token-response.ts";

const types = ["urn:ietf:params:oauth:token-type:refresh_token", "urn:ietf:params:oauth:token-type:access_token"] as const;
const connectionToken = "http://auth0.com/oauth/token-type/federated-connection-access-token";

/** Default of `expires_in`, in seconds, if the identity provider returned no lifetime. */
const defaultLifetime = 3600;

/**
 * Returns the access token that an identity provider issued for a user, to a client that calls the provider's API.
 * Auth0 defines this grant. If the token has expired, Postern refreshes it at the identity provider. The client must be
 * first-party and must authenticate.
 */
export const federatedConnectionAccessToken = grant({
  failureEvent: "fecte",
  parameters: z.object({
    connection: z.string().min(1).max(128),
    subject_token: z.string().min(1).max(16_384),
    subject_token_type: z.enum(types, { error: `must be ${types.join(" or ")}` }),
    requested_token_type: z.literal(connectionToken, { error: `must be ${connectionToken}` }).exactOptional(),
    login_hint: z.string().max(255).exactOptional(),
  }),
})(async (sent, context) => {
  const { tenant, client } = context;
  const { data } = tenant;
  const { record } = client;
  if (isPublic(record.token_endpoint_auth_method) || !record.is_first_party) {
    throw new PosternError("unauthorized_client", "only a first-party client that authenticates can get tokens from identity providers");
  }
  const { user } = await requireActiveUser(tenant, client, await subjectOf(context, sent), "'subject_token': the token was revoked");
  const connection = await providerNamed(context, sent.connection);
  const accounts = [
    ...(await data.users.find({ where: { user_id: user.user_id }, limit: 1 })),
    ...(await linkedAccounts(data, [user.user_id])),
  ];
  const account = accounts.find(
    (one) => one.connection === connection.name && (sent.login_hint === undefined || localUserId(one.user_id) === sent.login_hint),
  );
  const tokens =
    account &&
    (await fromProvider(context, connection, () => freshTokens(tenant, account.user_id, () => tenant.upstreamClient(connection))));
  if (tokens === undefined) {
    throw new PosternError("invalid_grant", "no valid token from this connection is stored: the user must sign in with it again");
  }
  await tenant.audit({
    type: "secte",
    description: "The access token of the identity provider was returned.",
    ...auditClient(client),
    ...auditConnection(connection),
    ...auditUser(user),
  });
  const { expires_at: expiresAt, scope } = tokens;
  const expiresIn = expiresAt === undefined ? defaultLifetime : Math.floor((expiresAt - tenant.now()) / 1000);
  const access = { token: tokens.access, type: bearerType, expiresIn } as const;
  return tokenResponse({ access, scope: scope?.split(" ") ?? [] }, connectionToken);
});

interface Subject {
  readonly subject_token: string;
  readonly subject_token_type: (typeof types)[number];
}

/**
 * Returns the user and the session that the subject token belongs to.
 * @throws {PosternError} `invalid_grant` if the token is unknown, has expired or was issued to another client.
 */
async function subjectOf(context: ClientContext, { subject_token: token, subject_token_type: type }: Subject): Promise<TokenReference> {
  const { tenant, client } = context;
  const { data } = tenant;
  const unknown = new PosternError("invalid_grant", "'subject_token': the token is unknown, has expired, or was issued to another client");
  if (type === "urn:ietf:params:oauth:token-type:access_token") {
    const access = await findAccessToken(tenant, token);
    if (access?.userGrant === undefined || access.clientId !== client.record.client_id) throw unknown;
    requireKey(context, access.jkt ?? null);
    return { userId: access.subject, ...access.userGrant };
  }
  const found = await findOne(data.refresh_tokens, { token_hash: await sha256(token) });
  const refresh = found && withExpiry(found, client.settings.refresh_token, client.record);
  if (refresh === undefined || refresh.client_id !== client.record.client_id) throw unknown;
  if (refresh.rotated_at !== null || refresh.revoked_at !== null || isExpired(refresh, tenant.now())) throw unknown;
  requireKey(context, refresh.jkt);
  return { userId: refresh.user_id, sessionId: refresh.session_id };
}

/**
 * Returns the connection of an identity provider.
 * @throws {PosternError} `invalid_request` if the client does not offer the connection, or if the connection's tokens
 * are not stored.
 */
async function providerNamed({ tenant, client }: ClientContext, name: string): Promise<Row<"connections">> {
  const connection = await tenant.connections.offeredNamed(client, name);
  if (connection === undefined || !isUpstream(connection) || !storesTokens(connection)) {
    throw new PosternError(
      "invalid_request",
      "'connection' must be an identity provider that is enabled for this client and whose tokens are stored",
    );
  }
  return connection;
}

/**
 * Sends a request to the identity provider, and reports a failure in the audit log.
 * @returns undefined if the identity provider no longer accepts the refresh token.
 * @throws {PosternError} `temporarily_unavailable` for any other failure, which the client may retry.
 */
async function fromProvider<T>(
  { tenant, client }: ClientContext,
  connection: Row<"connections">,
  request: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    await reportUpstreamFailure(tenant, client, connection, error);
    if (error.fault === "revoked") return undefined;
    throw new PosternError("temporarily_unavailable", "the request to the identity provider failed", {
      detail: error.message,
      cause: error,
    });
  }
}
