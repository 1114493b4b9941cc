import * as z from "zod";
import { CredentialList, CredentialReference, StoredCredential } from "./client-credentials.ts";
import { Metadata } from "./fields.ts";
import { HttpsUrlOrEmpty, WebUrlOrEmpty } from "./registered-urls.ts";
import { maximumMetadataKeys } from "./settings.ts";

const text = z.string().min(1);
const flag = z.boolean();
const seconds = z.int().min(1).max(157_788_000);

/** A switch that would promise a protection nobody gives: only `false` is taken. */
function unsupported(what: string) {
  return z.literal(false, { error: `must be false: ${what} is not supported` });
}

const initiators = [
  "rp-logout",
  "idp-logout",
  "password-changed",
  "session-expired",
  "session-revoked",
  "account-deleted",
  "email-identifier-changed",
  "mfa-phone-unenrolled",
  "account-deactivated",
] as const;

/** Which logout URLs of a client hear of a session's end (OpenID Connect Back-Channel Logout). */
export const OidcLogout = z
  .strictObject({
    backchannel_logout_urls: z.array(HttpsUrlOrEmpty),
    backchannel_logout_initiators: z
      .strictObject({ mode: z.enum(["custom", "all"]), selected_initiators: z.array(z.enum(initiators)) })
      .exactPartial(),
    backchannel_logout_session_metadata: z.strictObject({ include: flag }).exactPartial().nullable(),
  })
  .exactPartial();

const refreshToken = {
  rotation_type: z.enum(["rotating", "non-rotating"]),
  expiration_type: z.enum(["expiring", "non-expiring"]),
  leeway: z.int().min(0).meta({ description: "Seconds in which the previous token still works" }),
  token_lifetime: seconds,
  infinite_token_lifetime: flag,
  idle_token_lifetime: seconds,
  infinite_idle_token_lifetime: flag,
  recovery_window: z
    .int()
    .min(0)
    .max(157_788_000)
    .meta({ description: "Seconds in which a rotated token yields a new successor, while its first one was never used; 0: never" }),
};

const policies = z
  .array(z.strictObject({ audience: z.string().min(1).max(600), scope: z.array(z.string().min(1).max(280)) }))
  .min(1)
  .nullable()
  .exactOptional();

/** How a client's refresh tokens live, complete. */
export const RefreshTokenSettings = z.strictObject({ ...refreshToken, policies });

const { rotation_type, expiration_type, ...optionalOfRefreshToken } = refreshToken;

/** The same in a body: both types, and whatever else the caller wants to say. */
export const RefreshTokenBody = z
  .strictObject({ rotation_type, expiration_type, ...z.object(optionalOfRefreshToken).exactPartial().shape, policies })
  .superRefine((value, context) => {
    if (value.rotation_type === "rotating" && value.expiration_type !== "expiring") {
      context.addIssue({ code: "custom", path: ["expiration_type"], message: "must be expiring where rotation_type is rotating" });
    }
  });

/** How a client's ID tokens are made, complete. */
export const JwtConfiguration = z.strictObject({
  lifetime_in_seconds: z.int().min(1).max(2_592_000),
  secret_encoded: flag,
  alg: z.enum(["RS256", "ES256"], {
    error: "must be RS256 or ES256: other algorithms are not supported, and HS256 would share the key with the client",
  }),
  scopes: Metadata.exactOptional(),
});

/** The same in a body. */
export const JwtConfigurationBody = JwtConfiguration.exactPartial();

const certificatesUnsupported = z.never({ error: "is not supported: there is no mutual TLS here; use private_key_jwt" }).exactOptional();

/** How a client authenticates other than by a secret, in a body. */
export const AuthenticationMethodsBody = z
  .strictObject({
    private_key_jwt: z.strictObject({ credentials: CredentialList }).exactOptional(),
    tls_client_auth: certificatesUnsupported,
    self_signed_tls_client_auth: certificatesUnsupported,
  })
  .refine((methods) => methods.private_key_jwt !== undefined, "must name a method: private_key_jwt");

/** The same as replies show it and as the settings hold it. */
export const AuthenticationMethods = z.strictObject({ private_key_jwt: z.strictObject({ credentials: z.array(CredentialReference) }) });

const vault = { ip_allowlist: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).exactOptional() };

/** Keys for the vendor's token vault, in a body. */
export const TokenVaultBody = z.strictObject({ credentials: CredentialList, ...vault });

const TokenVault = z.strictObject({ credentials: z.array(CredentialReference), ...vault });

const quota = z
  .strictObject({ enforce: flag, per_day: z.int().min(1).max(2_147_483_647), per_hour: z.int().min(1).max(2_147_483_647) })
  .exactPartial()
  .refine((value) => Object.keys(value).length > 0, "must not be empty");

/** How many tokens somebody may ask for. */
export const TokenQuota = z.strictObject({ client_credentials: quota });

const addonNames = new Set(
  (
    "aws azure_blob azure_sb rms mscrm slack sentry box cloudbees concur dropbox echosign egnyte firebase newrelic office365 salesforce " +
    "salesforce_api salesforce_sandbox_api samlp layer sap_api sharepoint springcm wams wsfed zendesk zoom sso_integration oag"
  ).split(" "),
);
const addonName = z.string().refine((value) => addonNames.has(value), "is not the name of an add-on");

const enabled = z.strictObject({ enabled: flag }).exactPartial();
const organizationId = z.string().regex(/^org_[A-Za-z0-9]{1,60}$/, "must be the id of an organization");

/** Settings that have no column, alike in bodies, in the record and in replies. */
export const plainSettings = {
  logo_uri: WebUrlOrEmpty,
  oidc_conformant: flag,
  client_aliases: z.array(text),
  allowed_clients: z.array(text),
  oidc_logout: OidcLogout,
  sso: flag,
  sso_disabled: flag,
  cross_origin_authentication: flag,
  custom_login_page_on: flag,
  custom_login_page: z.string(),
  custom_login_page_preview: z.string(),
  form_template: z.string(),
  addons: z.record(addonName, Metadata),
  is_token_endpoint_ip_header_trusted: flag,
  mobile: z
    .strictObject({
      android: z.strictObject({ app_package_name: z.string(), sha256_cert_fingerprints: z.array(text).min(1) }).exactPartial(),
      ios: z.strictObject({ team_id: z.string(), app_bundle_identifier: z.string() }).exactPartial(),
    })
    .exactPartial(),
  initiate_login_uri: HttpsUrlOrEmpty,
  require_pushed_authorization_requests: unsupported("the pushed authorization request"),
  require_proof_of_possession: unsupported("proof of possession"),
  signed_request_object: z
    .strictObject({
      required: unsupported("a signed request object"),
      credentials: z.array(z.never({ error: "is not supported" })),
    })
    .exactPartial(),
  third_party_security_mode: z.enum(["strict", "permissive"]),
  redirection_policy: z.enum(["allow_always", "open_redirect_protection"]),
};

/** The same, where a body may also hold `null` and the record and replies then hold nothing. */
export const clearableSettings = {
  session_transfer: z
    .strictObject({
      can_create_session_transfer_token: flag,
      enforce_cascade_revocation: flag,
      allowed_authentication_methods: z.array(z.enum(["cookie", "query"])).nullable(),
      enforce_device_binding: z.enum(["ip", "asn", "none"]),
      allow_refresh_token: flag,
      enforce_online_refresh_tokens: flag,
      delegation: z
        .strictObject({ allow_delegated_access: flag, enforce_device_binding: z.enum(["ip", "asn"]) })
        .exactPartial()
        .nullable(),
    })
    .exactPartial(),
  encryption_key: z.strictObject({ pub: z.string(), cert: z.string(), subject: z.string() }).exactPartial(),
  cross_origin_loc: WebUrlOrEmpty,
  native_social_login: z.strictObject({ apple: enabled, facebook: enabled, google: enabled }).exactPartial(),
  fedcm_login: z.strictObject({ google: z.strictObject({ is_enabled: flag }).exactPartial() }).exactPartial(),
  default_organization: z.strictObject({ organization_id: organizationId, flows: z.array(z.enum(["client_credentials"])) }),
  organization_require_behavior: z.enum(["no_prompt", "pre_login_prompt", "post_login_prompt"]),
  organization_discovery_methods: z.array(z.enum(["email", "organization_name"])).min(1),
  compliance_level: z.literal("none", { error: "must be none: the FAPI profiles are not supported" }),
  skip_non_verifiable_callback_uri_confirmation_prompt: flag,
  token_exchange: z
    .strictObject({ allow_any_profile_of_type: z.array(z.enum(["custom_authentication", "on_behalf_of_token_exchange"])) })
    .exactPartial(),
  par_request_expiry: z.int().min(10).max(600),
  token_quota: TokenQuota,
  express_configuration: z.strictObject({
    initiate_login_uri_template: z.string().min(1).max(2048),
    user_attribute_profile_id: text,
    connection_profile_id: text,
    enable_client: flag,
    enable_organization: flag,
    linked_clients: z.array(z.strictObject({ client_id: text })).exactOptional(),
    okta_oin_client_id: text,
    admin_login_domain: text,
    oin_submission_id: z.string().min(1).max(200).exactOptional(),
  }),
  my_organization_configuration: z.strictObject({
    connection_profile_id: text.exactOptional(),
    user_attribute_profile_id: text.exactOptional(),
    allowed_strategies: z.array(z.enum(["pingfederate", "adfs", "waad", "google-apps", "okta", "oidc", "samlp"])),
    connection_deletion_behavior: z.enum(["allow", "allow_if_empty"]),
    invitation_landing_client_id: text.exactOptional(),
  }),
  async_approval_notification_channels: z.array(z.enum(["guardian-push", "email"])).min(1),
};

const metadataValue = z.string().max(255);
const metadataKey = z.string().min(1).max(255);

/** A client's metadata, as it is stored and shown. */
export const ClientMetadata = z.record(metadataKey, metadataValue);

/** Metadata of a new client. */
export const ClientMetadataBody = ClientMetadata.refine(
  (metadata) => Object.keys(metadata).length <= maximumMetadataKeys,
  `must have at most ${maximumMetadataKeys} keys`,
);

/** A change of metadata: merged at the first level, `null` removes a key. */
export const ClientMetadataChange = z.record(metadataKey, metadataValue.nullable());

/** Settings that replies and the record hold, beyond {@link plainSettings} and {@link clearableSettings}. */
export const composedSettings = {
  jwt_configuration: JwtConfiguration,
  refresh_token: RefreshTokenSettings,
  client_metadata: ClientMetadata,
  client_authentication_methods: AuthenticationMethods,
  token_vault_privileged_access: TokenVault,
  resource_server_identifier: z.string().min(1).max(600),
};

/** Everything about a client that has no column: what the record holds. `credentials` are all its keys, the other settings refer to them by id. */
export const StoredSettings = z
  .object({ ...plainSettings, ...clearableSettings, ...composedSettings, credentials: z.array(StoredCredential) })
  .exactPartial();

/** The types that the schemas parse to. */
export type StoredSettings = z.infer<typeof StoredSettings>;
export type RefreshTokenSettings = z.infer<typeof RefreshTokenSettings>;
export type RefreshTokenBody = z.infer<typeof RefreshTokenBody>;
export type JwtConfiguration = z.infer<typeof JwtConfiguration>;

const lifetimes = { token_lifetime: 2_592_000, idle_token_lifetime: 1_296_000, recovery_window: 86_400 };

/** How refresh tokens of these types live where nobody says more. */
function refreshTokenDefaults(types: Pick<RefreshTokenBody, "rotation_type" | "expiration_type">): RefreshTokenSettings {
  const infinite = types.expiration_type === "non-expiring";
  return {
    ...types,
    ...lifetimes,
    // A lost answer must not log anybody out: for so long the previous token yields the same successor.
    leeway: types.rotation_type === "rotating" ? 30 : 0,
    infinite_token_lifetime: infinite,
    infinite_idle_token_lifetime: infinite,
  };
}

/** How refresh tokens of a new client live. Public clients rotate: nothing else binds the token to them (RFC 9700 section 4.14.2). */
export function defaultRefreshToken(appType: string): RefreshTokenSettings {
  return isPublic(appType)
    ? refreshTokenDefaults({ rotation_type: "rotating", expiration_type: "expiring" })
    : refreshTokenDefaults({ rotation_type: "non-rotating", expiration_type: "non-expiring" });
}

/** True for the types of application that cannot keep a secret. */
export function isPublic(appType: string): boolean {
  return appType === "spa" || appType === "native";
}

/**
 * Refresh token settings after a change: what was not sent stays.
 * With other types, whatever follows from the types and was not sent follows the new ones: tokens that were infinite would otherwise never expire.
 */
export function changeRefreshToken(stored: RefreshTokenSettings, body: RefreshTokenBody): RefreshTokenSettings {
  const sameTypes = stored.rotation_type === body.rotation_type && stored.expiration_type === body.expiration_type;
  const { leeway: _leeway, infinite_token_lifetime: _infinite, infinite_idle_token_lifetime: _infiniteIdle, ...kept } = stored;
  return { ...(sameTypes ? stored : { ...refreshTokenDefaults(body), ...kept }), ...body };
}
