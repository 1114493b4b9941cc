import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { credentialReferenceSchema, storedCredentialSchema, type StoredCredential } from "./credentials.ts";
import { metadataSchema } from "../fields.ts";
import { signingAlgorithms, unsupportedAlgorithm } from "../keys/algorithms.ts";
import {
  defaultRefreshToken,
  refreshTokenOf,
  refreshTokenSettingsSchema,
  type RefreshTokenSettings,
  type TokenHolder,
} from "./refresh-token-settings.ts";
import { logoutInitiators } from "./logout-initiators.ts";
import { httpsUrlOrEmptySchema, webUrlOrEmptySchema } from "./registered-urls.ts";
import { readStored, storedOnly } from "../settings.ts";
import { tokenQuotaSchema } from "../token-quota.ts";

const flag = z.boolean();

/** The complete settings for a client's ID tokens. */
export const jwtConfigurationSchema = z.strictObject({
  lifetime_in_seconds: z.int().min(1).max(2_592_000),
  secret_encoded: storedOnly(flag),
  alg: z.enum(signingAlgorithms, { error: unsupportedAlgorithm }),
  scopes: storedOnly(metadataSchema).exactOptional(),
});

/** The authentication methods of a client other than a secret, as stored and as returned. */
const authenticationMethodsSchema = z.strictObject({
  private_key_jwt: z.strictObject({ credentials: z.array(credentialReferenceSchema) }),
});

/** The algorithms of signed responses of `/userinfo`. */
export const userinfoAlgorithmSchema = z.enum(signingAlgorithms, { error: unsupportedAlgorithm });

/** Whether a client signs its authorization requests, and the keys for it, as stored and as returned. */
export const signedRequestObjectSchema = z
  .strictObject({
    required: flag.meta({
      description:
        "Whether the client must send its authorization requests in signed request objects (RFC 9101), at `/authorize` and `/oauth/par`",
    }),
    credentials: z.array(credentialReferenceSchema).meta({
      description: "The keys that verify request objects. Default: the keys of `private_key_jwt`, otherwise those at `jwks_uri`",
    }),
  })
  .exactPartial();

const organizationId = z.string().regex(/^org_[A-Za-z0-9]{1,60}$/, "must be the id of an organization");

/** The logout URLs of a client. They receive logout tokens (OpenID Connect Back-Channel Logout 1.0). */
export const oidcLogoutSchema = z
  .strictObject({
    backchannel_logout_urls: z.array(httpsUrlOrEmptySchema),
    backchannel_logout_initiators: z
      .strictObject({ mode: z.enum(["custom", "all"]), selected_initiators: z.array(z.enum(logoutInitiators)) })
      .exactPartial()
      .meta({ description: "The reasons for which the client receives logout tokens. `rp-logout` and `idp-logout` are always included" }),
    backchannel_logout_session_metadata: z
      .strictObject({ include: flag })
      .exactPartial()
      .nullable()
      .meta({ description: "Whether logout tokens contain the metadata of the session, in the claim `session_metadata`" }),
  })
  .exactPartial();

/** Supported settings, with the same schema in request bodies, rows and responses. */
export const supportedClientSettings = {
  logo_uri: webUrlOrEmptySchema,
  // The names come from OpenID Connect Dynamic Client Registration 1.0 section 2. The footer of the login pages links
  // to these URLs.
  tos_uri: httpsUrlOrEmptySchema,
  policy_uri: httpsUrlOrEmptySchema,
  initiate_login_uri: httpsUrlOrEmptySchema,
  oidc_logout: oidcLogoutSchema,
  cross_origin_authentication: flag,
  require_pushed_authorization_requests: flag.meta({
    description: "Whether `/authorize` accepts only requests that the client has pushed to `/oauth/par`",
  }),
  require_proof_of_possession: flag.meta({
    description: "Whether each token request of the client must contain a DPoP proof, so that its access tokens are bound to its key",
  }),
  is_token_endpoint_ip_header_trusted: flag,
  mobile: z
    .strictObject({
      android: z
        .strictObject({
          app_package_name: storedOnly(z.string()),
          sha256_cert_fingerprints: z.array(z.string().min(1)).min(1).meta({
            description: "SHA-256 fingerprints of the certificates that sign the app. The app can create and use passkeys",
          }),
        })
        .exactPartial(),
      ios: z.strictObject({ team_id: storedOnly(z.string()), app_bundle_identifier: storedOnly(z.string()) }).exactPartial(),
    })
    .exactPartial()
    .meta({ description: "The native apps of the client. If it is set, they can use the passkeys of the connection" }),
};

/** Supported settings for which a body may contain `null`, which removes them from the row and from responses. */
export const supportedClearableOfClient = {
  compliance_level: z.enum(["none", "fapi2_sp_pkj_mtls"], { error: "must be none or fapi2_sp_pkj_mtls" }).meta({
    description:
      "`fapi2_sp_pkj_mtls`: the FAPI 2.0 security profile with private_key_jwt. Tokens are bound by DPoP, in place of mutual TLS",
  }),
  par_request_expiry: z
    .int()
    .min(10)
    .max(600)
    .meta({ description: "Seconds within which a browser must open a pushed authorization request. Default: 30" }),
  userinfo_signed_response_alg: userinfoAlgorithmSchema.meta({
    description:
      "The algorithm with which `/userinfo` signs its responses to the client (OpenID Connect Dynamic Client Registration 1.0 section 2). Default: the response is JSON without a signature. Auth0 has no such setting",
  }),
  default_organization: z.strictObject({ organization_id: organizationId, flows: z.array(z.enum(["client_credentials"])) }),
  organization_require_behavior: z.enum(["no_prompt", "pre_login_prompt", "post_login_prompt"]),
  token_quota: tokenQuotaSchema,
  token_exchange: z
    .strictObject({
      allow_any_profile_of_type: storedOnly(z.array(z.enum(["custom_authentication", "on_behalf_of_token_exchange"]))),
      may_act: flag.meta({
        description:
          "Whether the client may exchange a user's access token that was issued to another client. The user must consent. Has no effect for a public client. Postern defines this setting; Auth0 has none like it",
      }),
    })
    .exactPartial(),
};

const supportedSettingsSchema = z
  .object({
    ...supportedClientSettings,
    ...supportedClearableOfClient,
    jwt_configuration: jwtConfigurationSchema,
    refresh_token: refreshTokenSettingsSchema,
    client_authentication_methods: authenticationMethodsSchema,
    signed_request_object: signedRequestObjectSchema,
    credentials: z.array(storedCredentialSchema),
  })
  .exactPartial();

/**
 * The schemas of the supported settings in a row. `credentials` contains all keys of the client; other settings refer
 * to keys by ID.
 */
export const supportedClientShape = supportedSettingsSchema.shape;

type SupportedSettings = z.infer<typeof supportedSettingsSchema>;
export type JwtConfiguration = z.infer<typeof jwtConfigurationSchema>;

/** The default settings for ID tokens. */
export const defaultJwtConfiguration = {
  alg: "RS256",
  lifetime_in_seconds: 36_000,
  secret_encoded: false,
} as const satisfies JwtConfiguration;

type Certain = "jwt_configuration" | "refresh_token" | "credentials";

/**
 * The supported settings of a client, including defaults. `credentials` contains every key of the client.
 * `client_authentication_methods` and `signed_request_object` contain complete keys instead of references.
 */
export type SupportedClientSettings = Omit<SupportedSettings, Certain | "client_authentication_methods" | "signed_request_object"> &
  Required<Pick<SupportedSettings, Certain>> & {
    client_authentication_methods?: { private_key_jwt: { credentials: StoredCredential[] } };
    signed_request_object?: { required?: boolean; credentials?: StoredCredential[] };
  };

const refreshTokenPart = supportedSettingsSchema.pick({ refresh_token: true });

/** Reads the refresh token settings of a client from a row. The settings of a public client may have no effect. */
export function storedRefreshToken(row: TokenHolder & Pick<Row<"clients">, "settings">): RefreshTokenSettings {
  return readStored(refreshTokenPart, row.settings).refresh_token ?? defaultRefreshToken(row);
}

/** Reads the supported settings from a row. Those that have no effect are replaced by the effective ones. */
export function clientSettings(row: Row<"clients">): SupportedClientSettings {
  const {
    client_authentication_methods: methods,
    signed_request_object: objects,
    credentials = [],
    refresh_token: _stored,
    ...stored
  } = readStored(supportedSettingsSchema, row.settings);
  const keysOf = (references: readonly { readonly id: string }[]) =>
    credentials.filter(({ id }) => references.some((reference) => reference.id === id));
  const { credentials: objectKeys, ...ofObjects } = objects ?? {};
  return {
    jwt_configuration: defaultJwtConfiguration,
    refresh_token: refreshTokenOf(row, storedRefreshToken(row)),
    ...stored,
    credentials,
    ...(methods && { client_authentication_methods: { private_key_jwt: { credentials: keysOf(methods.private_key_jwt.credentials) } } }),
    ...(objects && { signed_request_object: { ...ofObjects, ...(objectKeys && { credentials: keysOf(objectKeys) }) } }),
  };
}
