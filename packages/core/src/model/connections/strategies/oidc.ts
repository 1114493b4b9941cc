import * as z from "zod";
import { WebUrlOrEmpty } from "../../clients/registered-urls.ts";
import { Metadata } from "../../fields.ts";
import { flag } from "./kinds.ts";
import type { Lending } from "./lending.ts";
import { upstream, upstreamBody, upstreamLending } from "./upstream.ts";

const active = z.strictObject({ active: flag }).exactPartial();
const signatureAlgorithm = z.enum(["ES256", "ES384", "PS256", "PS384", "RS256", "RS384", "RS512"]);

const options = {
  ...upstream,
  scope: z.string().max(255),
  authorization_endpoint: WebUrlOrEmpty,
  token_endpoint: WebUrlOrEmpty,
  userinfo_endpoint: WebUrlOrEmpty,
  jwks_uri: WebUrlOrEmpty,
  discovery_url: WebUrlOrEmpty,
  issuer: z.string().max(2048),
  connection_settings: z.looseObject({ pkce: z.enum(["auto", "S256", "plain", "disabled"]).exactOptional() }),
  dpop_signing_alg: z.enum(["ES256", "ES384", "ES512", "Ed25519"]),
  federated_connections_access_tokens: active.nullable(),
  id_token_session_expiry_supported: flag,
  id_token_signed_response_algs: z.array(signatureAlgorithm).nullable(),
  oidc_metadata: Metadata,
  send_back_channel_nonce: flag,
  tenant_domain: z.string().max(255),
  token_endpoint_auth_method: z.enum(["client_secret_post", "private_key_jwt"]).nullable(),
  token_endpoint_auth_signing_alg: signatureAlgorithm.nullable(),
  token_endpoint_jwtca_aud_format: z.enum(["issuer", "token_endpoint"]),
  attribute_map: z.looseObject({
    attributes: Metadata.exactOptional(),
    mapping_mode: z.enum(["bind_all", "use_map"]).exactOptional(),
    userinfo_scope: z.string().max(255).exactOptional(),
  }),
  type: z.enum(["back_channel", "front_channel"]),
};

/** Any provider of OpenID Connect. */
export const oidc: z.ZodType = upstreamBody(options);

/** What of its options falls back. */
export const oidcLending: Lending = {
  ...upstreamLending,
  preferences: [...upstreamLending.preferences, "type", "attribute_map", "connection_settings"],
};
