import * as z from "zod";
import { requireActiveUser } from "../../authorization/active-user.ts";
import { deviceOf, grantOf, requireDeviceGrant } from "../../authorization/device-codes/device-code.ts";
import { pollDeviceCode, redeemDeviceCode } from "../../authorization/device-codes/poll.ts";
import type { UserAccess } from "../../authorization/issue-tokens/granted-access.ts";
import { issueTokens } from "../../authorization/issue-tokens/issue-tokens.ts";
import { grantedOrganization } from "../../authorization/organization.ts";
import { noClaims } from "../../authorization/requested-claims.ts";
import { decideUserScopes } from "../../authorization/user-scopes.ts";
import { isPosternError } from "../../errors.ts";
import { acrOf, authTimeOf, methodsOf } from "../../identity/sessions/methods.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import { publicIdentifier } from "../../tenants/audience.ts";
import { grant } from "./grant.ts";
import { tokenResponse } from "./token-response.ts";

const lostDescription = "the user may no longer connect the device";

/** Exchanges a device code for tokens, after the user approved it in their browser (RFC 8628 section 3.4). */
export const deviceCode = grant({
  failureEvent: "fede",
  parameters: z.object({
    device_code: z.string().min(1).max(512).meta({ description: "The `device_code` that `/oauth/device/code` returned" }),
  }),
})(async ({ device_code: text }, { tenant, client, provenKey }) => {
  requireDeviceGrant(client);
  const code = await pollDeviceCode(tenant, client, text);
  const approved = grantOf(code);
  const userId = code.user_id ?? "";
  // A refused request uses up the code, as for an authorization code. The client must start again.
  const refuse = async (thrown: unknown): Promise<never> => {
    if (isPosternError(thrown) && thrown.status < 500) await redeemDeviceCode(tenant, code);
    throw thrown;
  };
  const { user, session } = await requireActiveUser(tenant, client, { userId, sessionId: approved.session_id }, lostDescription).catch(
    refuse,
  );
  const organization = await grantedOrganization(tenant, client, {
    userId,
    connectionId: session?.connection_id,
    stored: approved.organization?.id ?? null,
    storedByName: approved.organization?.by_name,
    lostDescription,
  }).catch(refuse);
  const api = approved.audience === null ? undefined : await tenant.api(publicIdentifier(approved.audience, tenant.urls.issuer));
  // Roles and permissions are read now: the token omits permissions that the user lost since the approval.
  const userScopes = await decideUserScopes(tenant, client, { userId, organizationId: organization?.id }, approved.scope, api).catch(
    refuse,
  );
  const acr = session && acrOf(session, multifactorSettings(tenant.record));
  const granted: UserAccess = {
    client,
    provenKey,
    user,
    sessionId: approved.session_id,
    grantId: approved.grant_id,
    ...userScopes,
    api,
    authTime: session && authTimeOf(session),
    methods: methodsOf(session, acr),
    claims: { ...noClaims, ...(acr !== undefined && { acr }) },
    ...(organization && { organization }),
    ...(approved.actions && { actions: approved.actions }),
  };
  const issued = await issueTokens(tenant, granted, {
    access: true,
    idToken: userScopes.scope.includes("openid"),
    // Parallel polls store one refresh token together, so that the requests that lose leave none behind.
    refreshToken: userScopes.scope.includes("offline_access")
      ? { scope: approved.scope, audience: approved.audience, repeatable: { refreshTokenId: approved.refresh_token_id, secret: text } }
      : undefined,
    redeem: () => redeemDeviceCode(tenant, code),
    event: { type: "sede", details: { requested_from: { ...deviceOf(code) }, approved_from: approved.approved_from } },
  });
  return tokenResponse(issued);
});
