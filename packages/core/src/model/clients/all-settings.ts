import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { credentialReferenceSchema } from "./credentials.ts";
import {
  clientSettings,
  storedRefreshToken,
  defaultJwtConfiguration,
  supportedClearableOfClient,
  supportedClientSettings,
  supportedClientShape,
  type SupportedClientSettings,
  type JwtConfiguration,
} from "./settings.ts";
import { metadataSchema } from "../fields.ts";
import { defaultRefreshToken, type TokenHolder } from "./refresh-token-settings.ts";
import { webUrlOrEmptySchema } from "./registered-urls.ts";
import { readStored, storedOnly, storedOnlyFields } from "../settings.ts";

const text = z.string().min(1);
const flag = z.boolean();

/** The settings of Auth0's token vault, except for its keys. */
export const vaultFields = { ip_allowlist: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).exactOptional() };

const tokenVaultSchema = storedOnly(z.strictObject({ credentials: z.array(credentialReferenceSchema), ...vaultFields }));

const addonNames = (
  "aws azure_blob azure_sb rms mscrm slack sentry box cloudbees concur dropbox echosign egnyte firebase newrelic office365 salesforce " +
  "salesforce_api salesforce_sandbox_api samlp layer sap_api sharepoint springcm wams wsfed zendesk zoom sso_integration oag"
).split(" ");
// Not an enum, because a record whose keys are an enum requires every key.
const addonName = z.string().regex(new RegExp(`^(?:${addonNames.join("|")})$`), "must be the name of an add-on");

const enabled = z.strictObject({ enabled: flag }).exactPartial();

/** Settings that are stored only, with the same schema in request bodies, rows and responses. */
const storedOnlySettings = storedOnlyFields({
  oidc_conformant: flag,
  client_aliases: z.array(text),
  allowed_clients: z.array(text),
  sso: flag,
  sso_disabled: flag,
  custom_login_page_on: flag,
  custom_login_page: z.string(),
  custom_login_page_preview: z.string(),
  form_template: z.string(),
  addons: z.record(addonName, metadataSchema),
  third_party_security_mode: z.enum(["strict", "permissive"]),
  redirection_policy: z.enum(["allow_always", "open_redirect_protection"]),
});

/** Stored-only settings for which a body may contain `null`, which removes them from the row and from responses. */
const storedOnlyClearable = storedOnlyFields({
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
  cross_origin_loc: webUrlOrEmptySchema,
  native_social_login: z.strictObject({ apple: enabled, facebook: enabled, google: enabled }).exactPartial(),
  fedcm_login: z.strictObject({ google: z.strictObject({ is_enabled: flag }).exactPartial() }).exactPartial(),
  organization_discovery_methods: z.array(z.enum(["email", "organization_name"])).min(1),
  skip_non_verifiable_callback_uri_confirmation_prompt: flag,
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
});

/** All settings without a column that have the same schema in request bodies, rows and responses. */
export const plainClientSettings = { ...supportedClientSettings, ...storedOnlySettings };

/** All settings that a body can remove with `null`. */
export const clearableClientSettings = { ...supportedClearableOfClient, ...storedOnlyClearable };

/** A value in a client's metadata. */
export const metadataValue = z.string().max(255);
/** A key in a client's metadata. */
export const clientMetadataKey = z.string().min(1).max(255);

/** A client's metadata, as stored and as returned. */
export const clientMetadataSchema = storedOnly(z.record(clientMetadataKey, metadataValue));

/** The API that a client of type `resource_server` represents. */
export const resourceServerIdentifierSchema = storedOnly(z.string().min(1).max(600));

const storedOnlySettingsSchema = z
  .object({
    ...storedOnlySettings,
    ...storedOnlyClearable,
    client_metadata: clientMetadataSchema,
    token_vault_privileged_access: tokenVaultSchema,
    resource_server_identifier: resourceServerIdentifierSchema,
  })
  .exactPartial();

/** The stored settings of a client: all settings that have no column. */
export const storedClientSettingsSchema = z.object({ ...storedOnlySettingsSchema.shape, ...supportedClientShape });

type StoredSettings = z.infer<typeof storedClientSettingsSchema>;

/**
 * Defaults for fields that the caller omits. They are stored when the client is created, so that an upgrade with other
 * defaults does not change existing clients.
 */
const defaults = {
  // Every client uses OpenID Connect. Postern does not implement the legacy behavior that `false` selects in Auth0.
  oidc_conformant: true,
  sso_disabled: false,
  cross_origin_authentication: false,
  custom_login_page_on: true,
  is_token_endpoint_ip_header_trusted: false,
} as const satisfies StoredSettings;

/** Returns the initial settings of a new client. */
export function newClientSettings(holder: TokenHolder, alg: JwtConfiguration["alg"]) {
  return { ...defaults, jwt_configuration: { ...defaultJwtConfiguration, alg }, refresh_token: defaultRefreshToken(holder) };
}

/** All settings of a client, including defaults. */
type AllClientSettings = SupportedClientSettings &
  Omit<z.infer<typeof storedOnlySettingsSchema>, keyof SupportedClientSettings | keyof typeof defaults> &
  Required<Pick<StoredSettings, keyof typeof defaults>>;

/** Reads all settings from a row, as the Management API returns them: refresh token settings without effect included. */
export function allClientSettings(row: Row<"clients">): AllClientSettings {
  const supported = { ...clientSettings(row), refresh_token: storedRefreshToken(row) };
  return { ...defaults, ...readStored(storedOnlySettingsSchema, row.settings), ...supported };
}
