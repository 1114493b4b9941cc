import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { CredentialReference, StoredCredential } from "./credentials.ts";
import { Metadata } from "../fields.ts";
import { refreshTokenOf, RefreshTokenSettings } from "./refresh-token-settings.ts";
import { HttpsUrlOrEmpty, WebUrlOrEmpty } from "./registered-urls.ts";
import { readStored, storedOnly } from "../settings.ts";
import { TokenQuota } from "../token-quota.ts";

const flag = z.boolean();

/** The complete settings for a client's ID tokens. */
export const JwtConfiguration = z.strictObject({
  lifetime_in_seconds: z.int().min(1).max(2_592_000),
  secret_encoded: storedOnly(flag),
  alg: z.enum(["RS256", "ES256"], {
    error: "must be RS256 or ES256: other algorithms are not supported, and HS256 would share the key with the client",
  }),
  scopes: storedOnly(Metadata).exactOptional(),
});

/** The authentication methods of a client other than a secret, as stored and as returned. */
const AuthenticationMethods = z.strictObject({ private_key_jwt: z.strictObject({ credentials: z.array(CredentialReference) }) });

const organizationId = z.string().regex(/^org_[A-Za-z0-9]{1,60}$/, "must be the id of an organization");

/** Supported settings, with the same schema in request bodies, rows and responses. */
export const supportedClientSettings = {
  logo_uri: WebUrlOrEmpty,
  // The names come from OpenID Connect Dynamic Client Registration 1.0 section 2. The footer of the login pages links
  // to these URLs.
  tos_uri: HttpsUrlOrEmpty,
  policy_uri: HttpsUrlOrEmpty,
  initiate_login_uri: HttpsUrlOrEmpty,
  cross_origin_authentication: flag,
  is_token_endpoint_ip_header_trusted: flag,
};

/** Supported settings for which a body may contain `null`, which removes them from the row and from responses. */
export const supportedClearableOfClient = {
  default_organization: z.strictObject({ organization_id: organizationId, flows: z.array(z.enum(["client_credentials"])) }),
  organization_require_behavior: z.enum(["no_prompt", "pre_login_prompt", "post_login_prompt"]),
  token_quota: TokenQuota,
};

const SupportedSettings = z
  .object({
    ...supportedClientSettings,
    ...supportedClearableOfClient,
    jwt_configuration: JwtConfiguration,
    refresh_token: RefreshTokenSettings,
    client_authentication_methods: AuthenticationMethods,
    credentials: z.array(StoredCredential),
  })
  .exactPartial();

/**
 * The schemas of the supported settings in a row. `credentials` contains all keys of the client; other settings refer
 * to keys by ID.
 */
export const supportedClientShape = SupportedSettings.shape;

type SupportedSettings = z.infer<typeof SupportedSettings>;
export type JwtConfiguration = z.infer<typeof JwtConfiguration>;

/** The default settings for ID tokens. */
export const defaultJwtConfiguration = {
  alg: "RS256",
  lifetime_in_seconds: 36_000,
  secret_encoded: false,
} as const satisfies JwtConfiguration;

type Certain = "jwt_configuration" | "refresh_token" | "credentials";

/**
 * The supported settings of a client, including defaults. `credentials` contains every key of the client.
 * `client_authentication_methods` contains complete keys instead of references.
 */
export type SupportedClientSettings = Omit<SupportedSettings, Certain | "client_authentication_methods"> &
  Required<Pick<SupportedSettings, Certain>> & {
    client_authentication_methods?: { private_key_jwt: { credentials: StoredCredential[] } };
  };

/** Reads the supported settings from a row. */
export function clientSettings(row: Row<"clients">): SupportedClientSettings {
  const {
    client_authentication_methods: methods,
    credentials = [],
    refresh_token: refreshToken,
    ...stored
  } = readStored(SupportedSettings, row.settings);
  const ids = methods?.private_key_jwt.credentials.map(({ id }) => id);
  return {
    jwt_configuration: defaultJwtConfiguration,
    refresh_token: refreshTokenOf(row, refreshToken),
    ...stored,
    credentials,
    ...(ids && { client_authentication_methods: { private_key_jwt: { credentials: credentials.filter(({ id }) => ids.includes(id)) } } }),
  };
}
