import type { RequestInfo } from "../../context.ts";
import type { TokenSubject } from "../../tokens/subject.ts";
import { checkTenantAccess, verifyAccessToken } from "./access-token.ts";
import { invalidToken } from "./bearer-token.ts";
import type { PresentedToken } from "./presented-token.ts";
import type { Installation } from "../installation.ts";
import { findActiveToken } from "./active-token.ts";
import { userinfoSystemApi } from "../system-apis.ts";
import type { TenantHint } from "../resolve.ts";
import type { RequestTenant } from "../tenant.ts";

/** The user of an access token. */
export interface BearerUser {
  readonly user: TokenSubject;
  /** The client that the token was issued to. */
  readonly clientId: string;
  readonly scope: readonly string[];
  /** Claims that the `claims` parameter requested for `/userinfo`. */
  readonly userinfoClaims: readonly string[];
}

/**
 * Authenticates a user's access token for `/userinfo`. Requires that the user, the session and the grant are still
 * active.
 * @throws {PosternError} `invalid_token` or `forbidden`.
 */
export async function authenticateBearerUser(
  installation: Installation,
  token: PresentedToken,
  address: TenantHint,
  requestInfo: RequestInfo,
): Promise<{ readonly tenant: RequestTenant; readonly bearer: BearerUser }> {
  const { tenant, accessToken } = await verifyAccessToken(installation, token, userinfoSystemApi.identifier, address, requestInfo);
  checkTenantAccess(tenant, address);
  const { clientId, scope, userGrant, claims } = accessToken;
  if (userGrant === undefined) throw invalidToken("the token does not belong to a user");
  const activeToken = await findActiveToken(tenant, accessToken);
  if (activeToken === undefined) throw invalidToken("the token was revoked");
  const { userinfo_claims: userinfoClaims } = claims;
  return {
    tenant,
    bearer: {
      user: activeToken.user,
      clientId,
      scope,
      userinfoClaims: Array.isArray(userinfoClaims) ? userinfoClaims.filter((name) => typeof name === "string") : [],
    },
  };
}
