import * as z from "zod";
import type { Document } from "../http/document.ts";
import { oidcScopes, personClaims } from "../tokens/id-token.ts";
import { proofAlgorithms } from "../model/keys/proof-algorithms.ts";
import type { GrantType } from "../model/clients/grant-types.ts";
import { assertionAlgorithms } from "../model/clients/credentials.ts";
import { offeredLocales } from "../locales/locale.ts";
import { route, type Context } from "../tenants/callers/route-context.ts";
import { listedAcrs } from "./listed-acrs.ts";
import { listedAlgorithms } from "./listed-algorithms.ts";
import { pushedRequestSupport } from "./pushed-requests-supported.ts";
import { tokenGrants } from "./token/grants.ts";

/** Metadata of the issuer (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2). */
const metadataSchema = z
  .looseObject({
    issuer: z.string(),
    token_endpoint: z.string(),
    jwks_uri: z.string(),
  })
  .meta({ id: "IssuerMetadata" });

const authenticationMethods = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"];

const definition = {
  method: "GET",
  scopes: "public",
  cors: "any",
  cache: "public, max-age=60",
  isServedStale: true,
  responses: { 200: metadataSchema },
} as const;

/** RFC 8414. The same document as {@link openidConfiguration}. */
export const authorizationServerMetadata = route({
  ...definition,
  path: "/.well-known/oauth-authorization-server",
  summary: "Authorization server metadata",
})(async (_, context) => metadata(context));

/** OpenID Connect Discovery 1.0. */
export const openidConfiguration = route({
  ...definition,
  path: "/.well-known/openid-configuration",
  summary: "OpenID provider metadata",
})(async (_, context) => metadata(context));

async function metadata({ tenant }: Context): Promise<Document> {
  const { urls } = tenant;
  const [algorithms, acrs, registrationMode] = await Promise.all([listedAlgorithms(tenant), listedAcrs(tenant), tenant.registrationMode()]);
  const listsLogout = tenant.settings.oidc_logout?.rp_logout_end_session_endpoint_discovery !== false;
  const takesDocuments = tenant.settings.client_id_metadata_document_supported;
  const locales = offeredLocales(tenant.settings.enabled_locales, tenant.translations);
  const registers = registrationMode !== "off";
  const pushing = pushedRequestSupport(tenant);
  const cacheKey = ["discovery", urls.issuer, algorithms, listsLogout, locales, acrs, takesDocuments, registers, pushing];
  return tenant.documents.get(JSON.stringify(cacheKey), () => ({
    issuer: urls.issuer,
    authorization_endpoint: urls.urlFor("/authorize"),
    token_endpoint: urls.urlFor("/oauth/token"),
    device_authorization_endpoint: urls.urlFor("/oauth/device/code"),
    userinfo_endpoint: urls.urlFor("/userinfo"),
    revocation_endpoint: urls.urlFor("/oauth/revoke"),
    introspection_endpoint: urls.urlFor("/oauth/introspect"),
    mfa_challenge_endpoint: urls.urlFor("/mfa/challenge"),
    ...(pushing.isSupported && { pushed_authorization_request_endpoint: urls.urlFor("/oauth/par") }),
    ...(pushing.isRequired && { require_pushed_authorization_requests: true }),
    ...(registers && { registration_endpoint: urls.urlFor("/oidc/register") }),
    ...(listsLogout && { end_session_endpoint: urls.urlFor("/oidc/logout") }),
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    jwks_uri: urls.urlFor("/.well-known/jwks.json"),
    scopes_supported: oidcScopes,
    response_types_supported: ["code", "token", "id_token", "code token", "code id_token", "token id_token", "code token id_token"],
    response_modes_supported: ["query", "fragment", "form_post"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ...(takesDocuments && { client_id_metadata_document_supported: true }),
    claims_parameter_supported: true,
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: assertionAlgorithms,
    request_uri_parameter_supported: false,
    revocation_endpoint_auth_methods_supported: authenticationMethods,
    // Required for each endpoint that supports private_key_jwt (RFC 8414 section 2).
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    // Public clients are not allowed to introspect.
    introspection_endpoint_auth_methods_supported: authenticationMethods.filter((method) => method !== "none"),
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    ui_locales_supported: locales,
    // RFC 8414 section 2 counts the tokens of the authorization endpoint as a grant.
    grant_types_supported: [...Object.keys(tokenGrants), "implicit" satisfies GrantType],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: algorithms,
    userinfo_signing_alg_values_supported: algorithms,
    token_endpoint_auth_methods_supported: authenticationMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    dpop_signing_alg_values_supported: proofAlgorithms,
    ...(acrs.length > 0 && { acr_values_supported: acrs }),
    claims_supported: ["acr", "amr", "aud", "auth_time", "exp", "iat", "iss", "sid", "sub", ...personClaims],
  }));
}
