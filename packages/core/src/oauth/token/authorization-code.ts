import { invalidAuthorizationCode, wrongCodeVerifier } from "../../model/sdk-texts.ts";
import * as z from "zod";
import { toComparableUrl } from "../../model/clients/url-spelling.ts";
import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { revokeGrantWithTokens } from "../../tokens/refresh-tokens/refresh-token.ts";
import { fromStoredAuthTime, methodsOf } from "../../identity/sessions/methods.ts";
import { PosternError } from "../../errors.ts";
import { requestedAudience } from "../../authorization/requested-audience.ts";
import { publicIdentifier, storedAudience } from "../../tenants/audience.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { readCodeRequest } from "../../authorization/code-request.ts";
import { grant } from "./grant.ts";
import { tokenResponse } from "./token-response.ts";
import { requireActiveUser } from "../../authorization/active-user.ts";
import { grantedOrganization, type TokenOrganization } from "../../authorization/organization.ts";
import { decideUserScopes } from "../../authorization/user-scopes.ts";
import type { UserAccess } from "../../authorization/issue-tokens/granted-access.ts";
import { issueTokens } from "../../authorization/issue-tokens/issue-tokens.ts";
import { resourceParameter } from "./target-parameters.ts";

/** Exchanges a code from `/authorize` for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.6). */
export const authorizationCode = grant({
  failureEvent: "feacft",
  parameters: z.object({
    code: z.string().min(1).max(512),
    redirect_uri: z.string().exactOptional(),
    resource: resourceParameter,
    // The format is not validated: every wrong verifier uses up the code.
    code_verifier: z.string().exactOptional(),
  }),
})(async (parameters, context) => {
  const { tenant, client, provenKey } = context;
  const code = await find(context, parameters.code);
  const consumeAndThrow = async (thrown: unknown): Promise<never> => {
    await consume(context, code);
    throw thrown;
  };
  await checkBinding(code, client.record.client_id, parameters, tenant.now()).catch(consumeAndThrow);
  const { user, session } = await requireActiveUser(tenant, client, { userId: code.user_id, sessionId: code.session_id }).catch(
    consumeAndThrow,
  );
  await checkTarget(tenant, code, parameters).catch(consumeAndThrow);
  const request = readCodeRequest(code.request);
  if (request.dpop_jkt !== undefined && request.dpop_jkt !== provenKey?.jkt)
    await consumeAndThrow(
      new PosternError("invalid_grant", invalidAuthorizationCode, { detail: "the request proves another key than dpop_jkt" }),
    );
  const organization = await organizationOf(context, code, session?.connection_id, request.organization_by_name).catch(consumeAndThrow);
  const api = code.audience === null ? undefined : await tenant.api(publicIdentifier(code.audience, tenant.urls.issuer));
  const principal = { userId: user.user_id, organizationId: organization?.id };
  // Roles and permissions are read now: the token omits permissions that the user lost since the code was issued.
  const userScopes = await decideUserScopes(tenant, client, principal, code.scope, api).catch(consumeAndThrow);
  const { scope } = userScopes;
  const granted: UserAccess = {
    client,
    provenKey,
    user,
    sessionId: code.session_id,
    grantId: code.grant_id,
    ...userScopes,
    api,
    authTime: fromStoredAuthTime(code.auth_time),
    methods: methodsOf(session, request.claims.acr),
    ...(code.nonce !== null && { nonce: code.nonce }),
    claims: request.claims,
    ...(organization && { organization }),
    ...(request.actions && { actions: request.actions }),
  };
  // The refresh token is stored before the code is marked as used, so that a replay of the code finds and revokes every
  // token that was issued for it.
  const issued = await issueTokens(tenant, granted, {
    access: true,
    idToken: scope.includes("openid"),
    refreshToken: code.scope.includes("offline_access") ? { scope: code.scope, audience: code.audience } : undefined,
    redeem: () => consume(context, code),
    event: { type: "seacft" },
  });
  return tokenResponse(issued);
});

/**
 * Returns the stored code.
 * @throws {PosternError} `invalid_grant` if the code is unknown or was used before. The tokens of a used code are
 * revoked.
 */
async function find({ tenant }: ClientContext, text: string): Promise<Row<"authorization_codes">> {
  const code = await findOne(tenant.data.authorization_codes, { code_hash: await sha256(text) });
  if (code === undefined) throw new PosternError("invalid_grant", invalidAuthorizationCode);
  if (code.consumed_at !== null) await refuseReplay(tenant, code);
  return code;
}

/**
 * Marks the code as used. The conditional update succeeds for only one of several parallel requests. An invalid request
 * uses up the code too.
 * @throws {PosternError} `invalid_grant` if another request used the code. The tokens of the code are revoked.
 */
async function consume({ tenant }: ClientContext, code: Row<"authorization_codes">): Promise<void> {
  const guard = { code_hash: code.code_hash, consumed_at: null };
  const consumed = await tenant.data.authorization_codes.update(guard, { set: { consumed_at: tenant.now() } });
  if (consumed !== 1) await refuseReplay(tenant, code);
}

async function refuseReplay(tenant: RequestTenant, { grant_id: grantId }: Row<"authorization_codes">): Promise<never> {
  await revokeGrantWithTokens(tenant, grantId, "code_replay");
  throw new PosternError("invalid_grant", invalidAuthorizationCode, { detail: "the code was used before; its tokens are revoked" });
}

/** Checks that the request belongs to the code (RFC 6749 section 4.1.3, RFC 7636 section 4.6). */
async function checkBinding(
  code: Row<"authorization_codes">,
  clientId: string,
  { redirect_uri: redirectUri, code_verifier: verifier }: { readonly redirect_uri?: string; readonly code_verifier?: string },
  now: number,
): Promise<void> {
  const refuse = (detail: string): PosternError => new PosternError("invalid_grant", invalidAuthorizationCode, { detail });
  if (code.expires_at <= now) throw refuse("the code has expired");
  if (code.client_id !== clientId) throw refuse("the code belongs to another client");
  // The code is bound to the redirect URI in the spelling in which it was sent to the browser.
  const uri = redirectUri === undefined ? undefined : toComparableUrl(redirectUri);
  if (code.redirect_uri !== null && code.redirect_uri !== uri) throw refuse("redirect_uri differs from the one at /authorize");
  if (code.code_challenge === null) {
    // RFC 9700 section 2.1.1: a verifier for a code without a challenge is a downgrade.
    if (verifier !== undefined) throw refuse("the request to /authorize contained no code_challenge");
  } else if (verifier === undefined || !equalInConstantTime(await sha256(verifier), code.code_challenge)) {
    throw new PosternError("invalid_grant", wrongCodeVerifier);
  }
}

/** Rejects a request for another API than the one that the code was issued for (RFC 8707 section 2.2). */
async function checkTarget(tenant: RequestTenant, code: Row<"authorization_codes">, sent: { readonly resource?: string }): Promise<void> {
  const identifier = await requestedAudience(tenant, sent);
  if (identifier !== undefined && (await storedAudience(tenant, identifier)) !== code.audience) {
    throw new PosternError("invalid_target", "'resource' must be the API that the code was issued for");
  }
}

async function organizationOf(
  { tenant, client }: ClientContext,
  { user_id: userId, organization_id: stored }: Row<"authorization_codes">,
  connectionId: string | undefined,
  storedByName: boolean | undefined,
): Promise<TokenOrganization | undefined> {
  return grantedOrganization(tenant, client, { userId, connectionId, stored, storedByName, lostDescription: invalidAuthorizationCode });
}
