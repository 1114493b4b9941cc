import { leftHash } from "../adapters/digest.ts";
import { accessTokenClaims, type AccessTokenContent } from "../tokens/access-token.ts";
import { idTokenClaims, type ClaimSource } from "../tokens/id-token.ts";
import { signJwt } from "../tokens/sign.ts";
import { publicIdentifier } from "../tenants/audience.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { CachedApi } from "../tenants/settings-cache.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { RequestedClaims } from "./requested-claims.ts";
import type { TokenOrganization } from "./organization.ts";
import type { GrantActionsResult } from "./actions/action-result.ts";
import { apiPermissionsOfUser } from "./user-scopes.ts";

/** The input for a user's tokens. */
export interface UserGrant {
  readonly client: RegisteredClient;
  readonly user: ClaimSource;
  readonly sessionId: string;
  readonly grantId: string;
  readonly scope: readonly string[];
  /**
   * The permissions, for an API whose tokens list permissions in addition to scopes. If omitted, they are looked up.
   */
  readonly permissions?: readonly string[];
  readonly api: CachedApi | undefined;
  /**
   * When the user authenticated, in milliseconds since 1970. Undefined if the identity provider did not return this
   * time.
   */
  readonly authTime: number | undefined;
  /** The authentication methods that the user used. */
  readonly methods: readonly string[];
  readonly nonce?: string;
  readonly organization?: TokenOrganization;
  /** Claims that the `claims` parameter requested (OpenID Connect Core section 5.5). */
  readonly claims?: RequestedClaims;
  /** `gty`, for the grants for which Auth0 sets it. */
  readonly grant?: AccessTokenContent["grant"];
  /** Present if a token exchange issues the token, which then cannot be exchanged again. */
  readonly exchanged?: true;
  /** Present if the access token is issued at `/authorize` and therefore passes through the browser. */
  readonly throughBrowser?: true;
  /** The latest time at which the access token may expire, in seconds since 1970. */
  readonly expiresAt?: number;
  /** The decisions of the host's actions. `scope` no longer contains the scopes that the actions withheld. */
  readonly actions?: GrantActionsResult;
}

/** The lifetime of an access token that is valid only at `/userinfo`, in seconds. */
const userinfoLifetimes = { token_lifetime: 86_400, token_lifetime_for_web: 86_400 };

/** Issues a signed access token for a user. */
export async function userAccessToken(
  tenant: RequestTenant,
  granted: UserGrant,
): Promise<{ readonly token: string; readonly expiresIn: number }> {
  const { api, client, scope, user } = granted;
  const { urls } = tenant;
  const userinfo = urls.urlFor("/userinfo");
  const issuedAt = Math.floor(tenant.now() / 1000);
  const apiSettings = api?.settings ?? { ...userinfoLifetimes, token_dialect: "access_token", enforce_policies: false };
  const lifetime = granted.throughBrowser ? apiSettings.token_lifetime_for_web : apiSettings.token_lifetime;
  const format = { ...apiSettings, token_lifetime: Math.min(lifetime, (granted.expiresAt ?? Infinity) - issuedAt) };
  const identifier = api === undefined ? userinfo : publicIdentifier(api.record.identifier, urls.issuer);
  const requested = granted.claims?.userinfo ?? [];
  const principal = { userId: user.user_id, organizationId: granted.organization?.id };
  const allowed = granted.permissions ?? (await apiPermissionsOfUser(tenant, client, principal, scope, api));
  const permissions = allowed?.filter((value) => granted.actions?.withheld.includes(value) !== true);
  const { typ, claims } = accessTokenClaims(
    {
      issuer: urls.issuer,
      tenantId: tenant.id,
      clientId: client.record.client_id,
      subject: user.user_id,
      audience: api !== undefined && scope.includes("openid") ? [identifier, userinfo] : identifier,
      scope,
      ...(permissions && { permissions }),
      ...(granted.grant !== undefined && { grant: granted.grant }),
      ...(granted.organization && { organization: granted.organization }),
      issuedAt,
      id: tenant.random.token(16),
      ...(granted.actions && { customClaims: granted.actions.access_token }),
      ...(granted.claims?.acr !== undefined && { authentication: { acr: granted.claims.acr, methods: granted.methods } }),
      ...(granted.authTime !== undefined && { authTime: Math.floor(granted.authTime / 1000) }),
      person: {
        sessionId: granted.sessionId,
        grantId: granted.grantId,
        ...(granted.exchanged && { exchanged: true as const }),
        ...(requested.length > 0 && { userinfoClaims: requested }),
      },
    },
    format,
  );
  return {
    token: await signJwt(
      await tenant.signing.signer(api?.settings.signing_alg ?? tenant.config.signingAlgorithm),
      tenant.keys,
      claims,
      typ,
    ),
    expiresIn: format.token_lifetime,
  };
}

/**
 * Issues a signed ID token.
 * @param issuedWith the code and the access token that are issued with it over the front channel. The ID token contains
 * their hashes.
 */
export async function userIdToken(
  tenant: RequestTenant,
  granted: UserGrant,
  issuedWith: { readonly accessToken?: string; readonly code?: string } = {},
): Promise<string> {
  const { client, user } = granted;
  const { alg, lifetime_in_seconds: lifetime } = client.settings.jwt_configuration;
  const claims = idTokenClaims({
    issuer: tenant.urls.issuer,
    clientId: client.record.client_id,
    user,
    scope: granted.scope,
    requestedClaims: granted.claims?.idToken ?? [],
    sessionId: granted.sessionId,
    ...(granted.authTime !== undefined && { authTime: Math.floor(granted.authTime / 1000) }),
    methods: granted.methods,
    ...(granted.claims?.acr !== undefined && { acr: granted.claims.acr }),
    issuedAt: Math.floor(tenant.now() / 1000),
    lifetime,
    ...(granted.actions && { customClaims: granted.actions.id_token }),
    ...(granted.nonce !== undefined && { nonce: granted.nonce }),
    ...(granted.organization && { organization: granted.organization }),
    ...(issuedWith.accessToken !== undefined && { accessTokenHash: await leftHash(issuedWith.accessToken) }),
    ...(issuedWith.code !== undefined && { codeHash: await leftHash(issuedWith.code) }),
  });
  return signJwt(await tenant.signing.signer(alg), tenant.keys, { ...claims, tenant_id: tenant.id });
}
