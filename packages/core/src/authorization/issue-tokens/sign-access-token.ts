import { publicClientId } from "../../model/clients/client-id.ts";
import { publicIdentifier } from "../../tenants/audience.ts";
import { clientSubject } from "../../tenants/callers/access-token.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { accessTokenClaims, bearerType, dpopType, type AccessTokenContent, type TokenType } from "../../tokens/access-token.ts";
import type { KeyBinding } from "../../tokens/proofs/dpop-proof.ts";
import { signJwt } from "../../tokens/sign.ts";
import { apiPermissionsOfUser } from "../user-scopes.ts";
import type { ClientAccess, UserAccess } from "./granted-access.ts";

/** An access token that was issued by this request. */
export interface IssuedAccessToken {
  readonly token: string;
  /** How a client presents the token to an API. */
  readonly type: TokenType;
  /** Seconds. */
  readonly expiresIn: number;
}

/** The lifetime of an access token that is valid only at `/userinfo`, in seconds. */
const userinfoLifetimes = { token_lifetime: 86_400, token_lifetime_for_web: 86_400 };

/** The use of an access token. */
interface AccessTokenForm {
  /** Whether the token passes through the browser. Such a token has its own lifetime. */
  readonly throughBrowser: boolean;
  /** The key that the token is bound to. */
  readonly key: KeyBinding | undefined;
}

/** Signs an access token. */
export async function signAccessToken(
  tenant: RequestTenant,
  granted: ClientAccess | UserAccess,
  { throughBrowser, key }: AccessTokenForm,
): Promise<IssuedAccessToken> {
  const { api, client, organization, scope } = granted;
  const { urls } = tenant;
  const issuedAt = Math.floor(tenant.now() / 1000);
  const settings = api?.settings ?? { ...userinfoLifetimes, token_dialect: "access_token", enforce_policies: false };
  const lifetime = throughBrowser ? settings.token_lifetime_for_web : settings.token_lifetime;
  const latest = (granted.user && granted.expiresAt) ?? Infinity;
  const format = { ...settings, token_lifetime: Math.min(lifetime, latest - issuedAt) };
  const userinfo = publicIdentifier(null, urls.issuer);
  const identifier = api === undefined ? userinfo : publicIdentifier(api.record.identifier, urls.issuer);
  const { typ, claims } = accessTokenClaims(
    {
      issuer: urls.issuer,
      tenantId: tenant.id,
      clientId: publicClientId(client.record),
      audience: granted.user && api !== undefined && scope.includes("openid") ? [identifier, userinfo] : identifier,
      scope,
      ...(organization && { organization }),
      issuedAt,
      id: tenant.random.token(16),
      ...(key && { key }),
      ...(granted.user === undefined ? contentForClient(granted) : await contentForUser(tenant, granted)),
    },
    format,
  );
  const signer = await tenant.signing.signer(api?.settings.signing_alg ?? tenant.config.signingAlgorithm);
  return {
    token: await signJwt(signer, tenant.keys, claims, typ),
    type: key === undefined ? bearerType : dpopType,
    expiresIn: format.token_lifetime,
  };
}

/** The content of an access token that depends on its subject. */
type SubjectContent = Pick<
  AccessTokenContent,
  "subject" | "permissions" | "grant" | "customClaims" | "authentication" | "authTime" | "person"
>;

function contentForClient({ client, customClaims }: ClientAccess): SubjectContent {
  return { subject: clientSubject(publicClientId(client.record)), grant: "client-credentials", ...(customClaims && { customClaims }) };
}

async function contentForUser(tenant: RequestTenant, granted: UserAccess): Promise<SubjectContent> {
  const { actions, api, authTime, claims, client, gty, scope, user } = granted;
  const principal = { userId: user.user_id, organizationId: granted.organization?.id };
  const allowed = granted.permissions ?? (await apiPermissionsOfUser(tenant, client, principal, scope, api));
  const permissions = allowed?.filter((value) => actions?.withheld.includes(value) !== true);
  const userinfoClaims = claims?.userinfo ?? [];
  return {
    subject: user.user_id,
    ...(permissions && { permissions }),
    ...(gty !== undefined && { grant: gty }),
    ...(actions && { customClaims: actions.access_token }),
    ...(claims?.acr !== undefined && { authentication: { acr: claims.acr, methods: granted.methods } }),
    ...(authTime !== undefined && { authTime: Math.floor(authTime / 1000) }),
    person: {
      sessionId: granted.sessionId,
      grantId: granted.grantId,
      ...(granted.exchanged && { exchanged: true as const }),
      ...(granted.actor && { actor: granted.actor }),
      ...(userinfoClaims.length > 0 && { userinfoClaims }),
    },
  };
}
