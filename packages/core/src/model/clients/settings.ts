import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { CredentialReference, StoredCredential } from "./credentials.ts";
import { Metadata } from "../fields.ts";
import { refreshTokenOf, RefreshTokenSettings } from "./refresh-token-settings.ts";
import { HttpsUrlOrEmpty, WebUrlOrEmpty } from "./registered-urls.ts";
import { readStored, storedOnly } from "../settings.ts";
import { TokenQuota } from "../token-quota.ts";

const flag = z.boolean();

/** The settings of ID tokens of a client, complete. */
export const JwtConfiguration = z.strictObject({
  lifetime_in_seconds: z.int().min(1).max(2_592_000),
  secret_encoded: storedOnly(flag),
  alg: z.enum(["RS256", "ES256"], {
    error: "must be RS256 or ES256: other algorithms are not supported, and HS256 would share the key with the client",
  }),
  scopes: storedOnly(Metadata).exactOptional(),
});

/** The authentication methods of a client other than a secret, as stored and as shown in replies. */
export const AuthenticationMethods = z.strictObject({ private_key_jwt: z.strictObject({ credentials: z.array(CredentialReference) }) });

const organizationId = z.string().regex(/^org_[A-Za-z0-9]{1,60}$/, "must be the id of an organization");

/** Supported settings, with the same schema in bodies, in the record and in replies. */
export const supportedClientSettings = {
  logo_uri: WebUrlOrEmpty,
  // Named as in OpenID Connect Dynamic Client Registration 1.0 section 2. The footer of a client's pages links to them.
  tos_uri: HttpsUrlOrEmpty,
  policy_uri: HttpsUrlOrEmpty,
  initiate_login_uri: HttpsUrlOrEmpty,
  cross_origin_authentication: flag,
  is_token_endpoint_ip_header_trusted: flag,
};

/** Supported settings for which a body may contain `null`, which removes them from the record and from replies. */
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
 * The schemas of the supported settings in the record. `credentials` contains all keys of the client; other settings
 * refer to them by id.
 */
export const supportedClientShape = SupportedSettings.shape;

type SupportedSettings = z.infer<typeof SupportedSettings>;
export type JwtConfiguration = z.infer<typeof JwtConfiguration>;

/** The default settings of ID tokens. */
export const defaultJwtConfiguration = {
  alg: "RS256",
  lifetime_in_seconds: 36_000,
  secret_encoded: false,
} as const satisfies JwtConfiguration;

type Certain = "jwt_configuration" | "refresh_token" | "credentials";

/**
 * The supported settings of a client, with defaults. `client_authentication_methods` contains the keys themselves,
 * `credentials` every key of the client.
 */
export type SupportedClientSettings = Omit<SupportedSettings, Certain | "client_authentication_methods"> &
  Required<Pick<SupportedSettings, Certain>> & {
    client_authentication_methods?: { private_key_jwt: { credentials: StoredCredential[] } };
  };

/** Reads the supported settings of a record. */
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
