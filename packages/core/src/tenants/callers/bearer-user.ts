import type { RequestInfo } from "../../context.ts";
import type { Subject } from "../../tokens/subject.ts";
import { checkReach, invalidToken, verifyAccessToken } from "./access-token.ts";
import type { Installation } from "../installation.ts";
import { findActiveToken } from "./active-token.ts";
import type { TenantHint } from "../resolve.ts";
import type { Tenant } from "../tenant.ts";

/** The person behind an access token. */
export interface BearerUser {
  readonly user: Subject;
  /** The client that the token was issued to. */
  readonly clientId: string;
  readonly scope: readonly string[];
  /** Claims that the `claims` parameter asked for at `/userinfo`. */
  readonly userinfoClaims: readonly string[];
}

/**
 * Checks a person's token for `/userinfo`, and that what stands behind it is still good.
 * @throws {PosternError} `invalid_token` or `forbidden`.
 */
export async function authenticateBearerUser(
  installation: Installation,
  token: string,
  address: TenantHint,
  requestInfo: RequestInfo,
): Promise<{ readonly tenant: Tenant; readonly person: BearerUser }> {
  const { tenant, accessToken } = await verifyAccessToken(installation, token, "userinfo", address, requestInfo);
  checkReach(tenant, address);
  const { clientId, scope, person, claims } = accessToken;
  if (person === undefined) throw invalidToken("the token is not a person's");
  const live = await findActiveToken(tenant, accessToken);
  if (live === undefined) throw invalidToken("the token was revoked");
  const { userinfo_claims: userinfoClaims } = claims;
  return {
    tenant,
    person: {
      user: live.user,
      clientId,
      scope,
      userinfoClaims: Array.isArray(userinfoClaims) ? userinfoClaims.filter((name) => typeof name === "string") : [],
    },
  };
}
