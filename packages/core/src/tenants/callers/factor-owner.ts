import { sha256 } from "../../adapters/digest.ts";
import type { RequestInfo } from "../../context.ts";
import type { OpenMfaToken } from "../../identity/factors/mfa-token.ts";
import { firstFactorOf, passedFactorsOf } from "../../identity/sessions/methods.ts";
import { accessColumns } from "../../identity/users/account-access.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { Installation } from "../installation.ts";
import { mfaSystemApi, type SystemApi } from "../system-apis.ts";
import type { TenantHint } from "../resolve.ts";
import type { RequestTenant } from "../tenant.ts";
import { checkTenantAccess, verifyAccessToken } from "./access-token.ts";
import { invalidToken } from "./bearer-token.ts";
import type { PresentedToken } from "./presented-token.ts";
import { findActiveToken } from "./active-token.ts";
import type { MfaContext } from "./route-context.ts";

/**
 * Authenticates the owner of second factors by an access token of the MFA API. Requires that the user, the session and
 * the grant are still active. `mfaToken` describes the token as if it were an `mfa_token`: `passed` has the factors that
 * the user passed in the token's session.
 * @param api the API that the token must be issued for. Default: the MFA API.
 * @throws {PosternError} `invalid_token` or `forbidden`.
 */
export async function authenticateFactorOwner(
  installation: Installation,
  token: PresentedToken,
  address: TenantHint,
  requestInfo: RequestInfo,
  api: SystemApi = mfaSystemApi,
): Promise<Omit<MfaContext, "request">> {
  const { tenant, accessToken } = await verifyAccessToken(installation, token, api.identifier, address, requestInfo);
  checkTenantAccess(tenant, address);
  const { userGrant, scope, claims } = accessToken;
  const active = await findActiveToken(tenant, accessToken);
  if (userGrant === undefined || active === undefined) throw invalidToken("the token was revoked");
  const owner = await readOwner(tenant, userGrant.sessionId, accessToken.subject);
  if (owner === undefined) throw invalidToken("the token was revoked");
  const { session, user, account } = owner;
  const { method, userVerified, channels, at = 0 } = firstFactorOf(session);
  // A token from before a factor must not change factors, even if its session passed one since.
  const passed = typeof claims["acr"] === "string" ? passedFactorsOf(session) : [];
  const mfaToken: OpenMfaToken = {
    hash: await sha256(token.text),
    clientId: accessToken.clientId,
    user,
    account,
    request: {
      account_id: account.user_id,
      connection_id: session.connection_id,
      method,
      ...(userVerified !== undefined && { user_verified: userVerified }),
      ...(channels !== undefined && { channels: [...channels] }),
      access: accessColumns(account),
      scope: scope.join(" "),
      audience: tenant.urls.issuer + api.identifier,
      ...(accessToken.organizationId !== undefined && { organization: accessToken.organizationId }),
      requirements: {},
      authenticated_at: at,
      passed: [...passed],
      access_token: { session_id: userGrant.sessionId, grant_id: userGrant.grantId },
    },
  };
  return { tenant, client: active.client, mfaToken, scope };
}

/** Returns the session of a token, its user, and the account that was authenticated. */
async function readOwner(
  { data }: RequestTenant,
  sessionId: string,
  userId: string,
): Promise<{ readonly session: Row<"sessions">; readonly user: Row<"users">; readonly account: Row<"users"> } | undefined> {
  const session = await findOne(data.sessions, { id: sessionId });
  if (session === undefined) return undefined;
  const ids = [...new Set([userId, session.account_id])];
  const users = await data.users.find({ where: { user_id: { in: ids } }, limit: ids.length });
  const user = users.find(({ user_id: id }) => id === userId);
  const account = users.find(({ user_id: id }) => id === session.account_id);
  if (user === undefined || account === undefined || account.blocked) return undefined;
  return account === user || account.linked_to === user.user_id ? { session, user, account } : undefined;
}
