import { leftHash } from "../adapters/digest.ts";
import { accessTokenClaims, type AccessTokenContent } from "../tokens/access-token.ts";
import { idTokenClaims, type ClaimSource } from "../tokens/id-token.ts";
import { signJwt } from "../tokens/sign.ts";
import { publicIdentifier } from "../tenants/audience.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Api } from "../tenants/settings-cache.ts";
import type { Client } from "../model/clients/client.ts";
import type { RequestedClaims } from "./requested-claims.ts";
import type { TokenOrganization } from "./organization.ts";
import type { GrantActionsResult } from "./actions/action-result.ts";
import { apiPermissionsOfUser } from "./user-scopes.ts";

/** What a person's tokens are made from. */
export interface UserGrant {
  readonly client: Client;
  readonly user: ClaimSource;
  readonly sessionId: string;
  readonly grantId: string;
  readonly scope: readonly string[];
  /** Where the tokens of the API name permissions besides scopes. Left out, they are looked up. */
  readonly permissions?: readonly string[];
  readonly api: Api | undefined;
  /** When the user authenticated, in milliseconds since 1970; undefined when an identity provider does not say it. */
  readonly authTime: number | undefined;
  /** How the person proved who they are. */
  readonly methods: readonly string[];
  readonly nonce?: string;
  readonly organization?: TokenOrganization;
  /** Claims that the `claims` parameter asked for (OpenID Connect Core section 5.5). */
  readonly claims?: RequestedClaims;
  /** `gty`, for the grants where the vendor says so. */
  readonly grant?: AccessTokenContent["grant"];
  /** It comes from a token exchange, and is not exchanged again. */
  readonly exchanged?: true;
  /** It answers `/authorize`: its access token goes through the browser. */
  readonly throughBrowser?: true;
  /** Seconds since 1970: no access token outlives this. */
  readonly expiresAt?: number;
  /** What the host's actions decided. What they withhold is not in `scope` any more. */
  readonly actions?: GrantActionsResult;
}

/** Seconds that a token for `/userinfo` alone lives. */
const userinfoLifetimes = { token_lifetime: 86_400, token_lifetime_for_web: 86_400 };

/** A signed access token of a person. */
export async function userAccessToken(tenant: Tenant, granted: UserGrant): Promise<{ readonly token: string; readonly expiresIn: number }> {
  const { api, client, scope, user } = granted;
  const { urls } = tenant;
  const userinfo = urls.urlFor("/userinfo");
  const issuedAt = Math.floor(tenant.now() / 1000);
  const wanted = api?.settings ?? { ...userinfoLifetimes, token_dialect: "access_token", enforce_policies: false };
  const lifetime = granted.throughBrowser ? wanted.token_lifetime_for_web : wanted.token_lifetime;
  const format = { ...wanted, token_lifetime: Math.min(lifetime, (granted.expiresAt ?? Infinity) - issuedAt) };
  const identifier = api === undefined ? userinfo : publicIdentifier(api.record.identifier, urls.issuer);
  const requested = granted.claims?.userinfo ?? [];
  const who = { userId: user.user_id, organizationId: granted.organization?.id };
  const allowed = granted.permissions ?? (await apiPermissionsOfUser(tenant, client, who, scope, api));
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

/** A signed ID token. `beside` is what is issued with it over the front channel, and bound to it by hashes. */
export async function userIdToken(
  tenant: Tenant,
  granted: UserGrant,
  beside: { readonly accessToken?: string; readonly code?: string } = {},
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
    issuedAt: Math.floor(tenant.now() / 1000),
    lifetime,
    ...(granted.actions && { customClaims: granted.actions.id_token }),
    ...(granted.nonce !== undefined && { nonce: granted.nonce }),
    ...(granted.organization && { organization: granted.organization }),
    ...(beside.accessToken !== undefined && { accessTokenHash: await leftHash(beside.accessToken) }),
    ...(beside.code !== undefined && { codeHash: await leftHash(beside.code) }),
  });
  return signJwt(await tenant.signing.signer(alg), tenant.keys, { ...claims, tenant_id: tenant.id });
}
