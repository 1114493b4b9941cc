import * as z from "zod";
import { webUrlOrEmptySchema } from "../../clients/registered-urls.ts";
import { metadataSchema } from "../../fields.ts";
import { flagKind } from "./kinds.ts";
import { isObject, type Json, type JsonObject } from "../../../store/value.ts";
import { profileClaims } from "../../users/standard-claims.ts";
import { storedOnly, storedOnlyFields } from "../../settings.ts";
import { mustNotNameUser, withoutUser } from "../../secret-destinations.ts";
import { assignedDomains, isAuthoritativeFor } from "./email-authority.ts";
import { objectIn, readClaims, scopeOf, textIn, type ProviderDescription, type ProviderPlace } from "./provider.ts";
import { queryCallback } from "./query-callback.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstream, upstreamBody, upstreamInheritance } from "./upstream.ts";

/** The algorithms that Auth0 accepts, and the algorithms for Edwards curves. */
const idTokenAlgorithm = z.enum(["ES256", "ES384", "PS256", "PS384", "RS256", "RS384", "RS512", "EdDSA", "Ed25519"]);

const signatureAlgorithm = z.enum(["ES256", "ES384", "PS256", "PS384", "RS256", "RS384", "RS512"]);

/** The host name of a provider. */
const providerHost = z.string().max(255).regex(withoutUser, mustNotNameUser);

const options = {
  ...upstream,
  scope: z.string().max(255),
  authorization_endpoint: webUrlOrEmptySchema,
  token_endpoint: webUrlOrEmptySchema,
  userinfo_endpoint: webUrlOrEmptySchema,
  jwks_uri: webUrlOrEmptySchema,
  discovery_url: webUrlOrEmptySchema,
  issuer: z.string().max(2048).regex(withoutUser, mustNotNameUser),
  connection_settings: z.looseObject({ pkce: z.enum(["auto", "S256", "plain", "disabled"]).exactOptional() }),
  domain: providerHost,
  tenant_domain: providerHost,
  token_endpoint_auth_method: z.enum(["client_secret_post", "client_secret_basic", "private_key_jwt", "none"]),
  verified_by: z.enum(["claim", "connection", "never"]),
  attribute_map: z.looseObject({
    attributes: z.record(z.string().max(100), z.union([z.string().max(255), metadataSchema])).exactOptional(),
    mapping_mode: storedOnly(z.enum(["basic_profile", "bind_all", "use_map"])).exactOptional(),
    userinfo_scope: storedOnly(z.string().max(255)).exactOptional(),
  }),
  id_token_signed_response_algs: z
    .array(idTokenAlgorithm)
    .min(1)
    .meta({ description: "The algorithms that ID tokens may be signed with. Default: those in the provider's metadata" }),
  ...storedOnlyFields({
    dpop_signing_alg: z.enum(["ES256", "ES384", "ES512", "Ed25519"]),
    id_token_session_expiry_supported: flagKind,
    oidc_metadata: metadataSchema,
    send_back_channel_nonce: flagKind,
    token_endpoint_auth_signing_alg: signatureAlgorithm,
    token_endpoint_jwtca_aud_format: z.enum(["issuer", "token_endpoint"]),
    type: z.enum(["back_channel", "front_channel"]),
  }),
};

/**
 * Any OpenID Connect provider. Always uses the code flow, regardless of `type`, so that no token passes through the
 * browser.
 */
export const oidc: IdentityProviderStrategy = {
  kind: "enterprise",
  title: "an OpenID Connect provider",
  label: "OpenID Connect",
  options: upstreamBody(options),
  // The code flow, which is the only flow that keeps tokens out of the browser.
  defaults: { type: "back_channel", attribute_map: { mapping_mode: "bind_all" }, connection_settings: { pkce: "auto" } },
  inheritance: {
    ...upstreamInheritance,
    preferences: [...upstreamInheritance.preferences, "type", "attribute_map", "connection_settings"],
    // Each tenant decides which email addresses it trusts.
    neverInherited: [...upstreamInheritance.neverInherited, "verified_by"],
  },
  // The options that determine where secrets are sent and which issuer's tokens are accepted. `domain` and
  // `tenant_domain` identify an Okta provider.
  destination: [
    "issuer",
    "discovery_url",
    "authorization_endpoint",
    "token_endpoint",
    "userinfo_endpoint",
    "jwks_uri",
    "domain",
    "tenant_domain",
  ],
  callback: queryCallback,
  describe: (given) => describeOidc(given, endpointPlaceOf(given)),
};

/** Describes an OpenID Connect provider that is identified by its issuer or by its endpoints. */
export function describeOidc(given: JsonObject, place: ProviderPlace | undefined): ProviderDescription {
  const { connection_settings: settings, verified_by: verifiedBy } = given;
  const { data: authentication } = z
    .enum(["client_secret_post", "client_secret_basic", "private_key_jwt", "none"])
    .safeParse(given["token_endpoint_auth_method"]);
  const domains = assignedDomains(given);
  const { data: algorithms = [] } = z.array(idTokenAlgorithm).safeParse(given["id_token_signed_response_algs"]);
  return {
    place,
    ...(algorithms.length > 0 && { idTokenAlgorithms: algorithms }),
    scope: scopeOf(given, ["openid"], ["profile", "email"]),
    ...(authentication && { authentication }),
    pkce: !(typeof settings === "object" && settings !== null && "pkce" in settings && settings.pkce === "disabled"),
    fetchesUserinfo: true,
    read: (claims) => {
      const mapped = mappedClaims(given["attribute_map"], claims);
      const profile = readClaims({ ...claims, ...mapped }, (email) => isAuthoritativeFor(email, domains));
      if (profile === undefined) return undefined;
      // The provider's `email_verified` does not apply if `attribute_map` maps a different claim to `email`.
      const claimed = profile.emailVerified && !("email" in mapped);
      const emailVerified = verifiedBy === "connection" ? profile.email !== undefined : verifiedBy !== "never" && claimed;
      return { ...profile, emailVerified };
    },
  };
}

/** The claims that other claims can be mapped to: those whose value is text. The subject and `email_verified` cannot be mapped. */
const mappable: readonly string[] = ["email", "name", "nickname", "given_name", "family_name", "picture", ...profileClaims];

/**
 * Returns the claims that `attribute_map` creates from other claims. The format is Auth0's: `{ "attributes": { "name":
 * "${context.userinfo.full_name}" } }`. Claims that the provider does not send are omitted.
 */
function mappedClaims(map: Json | undefined, claims: JsonObject): JsonObject {
  const attributes = isObject(map) ? objectIn(map, "attributes") : {};
  const mapped = Object.entries(attributes).flatMap(([ours, template]): [string, string][] => {
    const [, theirs] = /^\$\{context\.(?:tokenset|userinfo)\.([^.}]{1,100})\}$/.exec(typeof template === "string" ? template : "") ?? [];
    const value = theirs === undefined || !mappable.includes(ours) ? undefined : textIn(claims, theirs);
    return value === undefined ? [] : [[ours, value]];
  });
  return Object.fromEntries(mapped);
}

/** Returns the attributes of an `attribute_map` for which the provider sent no claim. */
export function missingAttributes(attributes: JsonObject, claims: JsonObject): readonly string[] {
  const mapped = mappedClaims({ attributes }, claims);
  return Object.keys(attributes).filter((name) => !Object.hasOwn(mapped, name));
}

/**
 * Returns the endpoints of the provider if the options contain all required endpoints, and otherwise the issuer of the
 * provider.
 */
export function endpointPlaceOf(given: JsonObject): ProviderPlace | undefined {
  const discovery = textIn(given, "discovery_url")?.replace(/\/\.well-known\/openid-configuration\/?$/, "");
  const issuer = textIn(given, "issuer") ?? discovery;
  const [authorizationEndpoint, tokenEndpoint, jwksUri, userinfoEndpoint] = [
    textIn(given, "authorization_endpoint"),
    textIn(given, "token_endpoint"),
    textIn(given, "jwks_uri"),
    textIn(given, "userinfo_endpoint"),
  ];
  if (issuer === undefined) return undefined;
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined || jwksUri === undefined) return { discover: discovery ?? issuer };
  return { issuer, authorizationEndpoint, tokenEndpoint, jwksUri, ...(userinfoEndpoint !== undefined && { userinfoEndpoint }) };
}
