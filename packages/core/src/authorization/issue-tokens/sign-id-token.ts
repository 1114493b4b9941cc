import { leftHash } from "../../adapters/digest.ts";
import { isEd25519 } from "../../model/keys/algorithms.ts";
import { isDocumentUrl, publicClientId } from "../../model/clients/client-id.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { idTokenClaims } from "../../tokens/id-token.ts";
import { signJwt } from "../../tokens/sign.ts";
import type { UserAccess } from "./granted-access.ts";

/** The tokens of the response that contains an ID token. */
interface IssuedWithIdToken {
  readonly accessToken: string | undefined;
  readonly code: string | undefined;
  readonly isOnlyToken: boolean;
}

/**
 * Signs an ID token.
 * @param issuedWith the code and the access token that are issued with it over the front channel. The ID token contains
 * their hashes (OpenID Connect Core section 3.3.2.11). `isOnlyToken`: the client gets no access token, so that the ID
 * token is the only place for claims (section 5.4).
 */
export async function signIdToken(
  tenant: RequestTenant,
  granted: UserAccess,
  { accessToken, code, isOnlyToken }: IssuedWithIdToken,
): Promise<string> {
  const { actions, authTime, claims, client, nonce, organization, user } = granted;
  const { alg, lifetime_in_seconds: lifetime } = client.settings.jwt_configuration;
  const bits = isEd25519(alg) ? 512 : 256;
  const isMinimal = tenant.settings.minimal_id_tokens;
  const clientId = publicClientId(client.record);
  const payload = idTokenClaims({
    issuer: tenant.urls.issuer,
    clientId,
    user,
    scope: isMinimal && !isOnlyToken ? [] : granted.scope,
    requestedClaims: claims?.idToken ?? [],
    sessionId: granted.sessionId,
    ...(authTime !== undefined && { authTime: Math.floor(authTime / 1000) }),
    methods: granted.methods,
    ...(claims?.acr !== undefined && { acr: claims.acr }),
    issuedAt: Math.floor(tenant.now() / 1000),
    lifetime,
    ...(actions && { customClaims: actions.id_token }),
    ...(nonce !== undefined && { nonce }),
    ...(organization && { organization }),
    ...(accessToken !== undefined && { accessTokenHash: await leftHash(accessToken, bits) }),
    ...(code !== undefined && { codeHash: await leftHash(code, bits) }),
  });
  // A hint without the tenant is recognized by its client. Only the id of a metadata document can exist in several
  // tenants.
  const namesTenant = !isMinimal || isDocumentUrl(clientId);
  return signJwt(await tenant.signing.signer(alg), tenant.keys, { ...payload, ...(namesTenant && { tenant_id: tenant.id }) });
}
