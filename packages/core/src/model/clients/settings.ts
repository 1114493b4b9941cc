import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { CredentialReference, StoredCredential } from "./credentials.ts";
import { Metadata } from "../fields.ts";
import { refreshTokenOf, RefreshTokenSettings } from "./refresh-token-settings.ts";
import { HttpsUrlOrEmpty, WebUrlOrEmpty } from "./registered-urls.ts";
import { readStored, storedOnly } from "../settings.ts";
import { TokenQuota } from "../token-quota.ts";

const flag = z.boolean();

/** How a client's ID tokens are made, complete. */
export const JwtConfiguration = z.strictObject({
  lifetime_in_seconds: z.int().min(1).max(2_592_000),
  secret_encoded: storedOnly(flag),
  alg: z.enum(["RS256", "ES256"], {
    error: "must be RS256 or ES256: other algorithms are not supported, and HS256 would share the key with the client",
  }),
  scopes: storedOnly(Metadata).exactOptional(),
});

/** How a client authenticates other than by a secret, as replies show it and as the settings hold it. */
export const AuthenticationMethods = z.strictObject({ private_key_jwt: z.strictObject({ credentials: z.array(CredentialReference) }) });

const organizationId = z.string().regex(/^org_[A-Za-z0-9]{1,60}$/, "must be the id of an organization");

/** Settings that the protocol goes by, alike in bodies, in the record and in replies. */
export const supportedSettings = {
  logo_uri: WebUrlOrEmpty,
  // As OpenID Connect Dynamic Client Registration 1.0 section 2 names them: the footer of a client's pages leads there.
  tos_uri: HttpsUrlOrEmpty,
  policy_uri: HttpsUrlOrEmpty,
  initiate_login_uri: HttpsUrlOrEmpty,
  cross_origin_authentication: flag,
  is_token_endpoint_ip_header_trusted: flag,
};

/** The same, where a body may also hold `null` and the record and replies then hold nothing. */
export const supportedClearable = {
  default_organization: z.strictObject({ organization_id: organizationId, flows: z.array(z.enum(["client_credentials"])) }),
  organization_require_behavior: z.enum(["no_prompt", "pre_login_prompt", "post_login_prompt"]),
  token_quota: TokenQuota,
};

const SupportedSettings = z
  .object({
    ...supportedSettings,
    ...supportedClearable,
    jwt_configuration: JwtConfiguration,
    refresh_token: RefreshTokenSettings,
    client_authentication_methods: AuthenticationMethods,
    credentials: z.array(StoredCredential),
  })
  .exactPartial();

/** What the record holds of them, each by its schema. `credentials` are all keys of the client, other settings refer to them by id. */
export const supportedShape = SupportedSettings.shape;

type SupportedSettings = z.infer<typeof SupportedSettings>;
export type JwtConfiguration = z.infer<typeof JwtConfiguration>;

/** How ID tokens are made where a caller said nothing. */
export const defaultJwtConfiguration = {
  alg: "RS256",
  lifetime_in_seconds: 36_000,
  secret_encoded: false,
} as const satisfies JwtConfiguration;

type Certain = "jwt_configuration" | "refresh_token" | "credentials";

/** The settings of a client that the protocol goes by, defaults filled in. `client_authentication_methods` holds the keys themselves, `credentials` every key of the client. */
export type ClientSettings = Omit<SupportedSettings, Certain | "client_authentication_methods"> &
  Required<Pick<SupportedSettings, Certain>> & {
    client_authentication_methods?: { private_key_jwt: { credentials: StoredCredential[] } };
  };

/** Reads the settings of a record that the protocol goes by. */
export function clientSettings(row: Row<"clients">): ClientSettings {
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
