import * as z from "zod";
import type { Row } from "../data/schema.ts";
import type { JsonObject } from "../data/value.ts";
import { builtIn } from "../locales/catalogues.ts";
import { TokenQuota } from "./client-settings.ts";
import { Email, Metadata } from "./fields.ts";
import { HttpsUrlOrEmpty, LogoutUrl, WebUrlOrEmpty } from "./registered-urls.ts";
import { mergeSettings, nullableFields } from "./settings.ts";

const flag = z.boolean();
const page = z.strictObject({ enabled: flag, html: z.string() }).exactPartial();

/** Switches of the tenant. The vendor's list grows, and what its tools read they write back: any name is kept. */
const Flags = z
  .object({
    require_pushed_authorization_requests: z
      .literal(false, { error: "must be false: the pushed authorization request is not supported" })
      .exactOptional(),
  })
  .catchall(flag);

const plainSettings = {
  default_audience: z.string().max(600),
  default_directory: z.string().max(128),
  flags: Flags,
  picture_url: WebUrlOrEmpty,
  support_email: z.union([z.literal(""), Email]),
  support_url: WebUrlOrEmpty,
  allowed_logout_urls: z.array(LogoutUrl),
  sandbox_version: z.string().max(8),
  legacy_sandbox_version: z.string().max(8),
  default_redirection_uri: HttpsUrlOrEmpty,
  enabled_locales: z.array(z.string().regex(/^[a-z]{2,3}(-([A-Z]{2}|\d{3}))?$/, "must be a language tag such as en or pt-BR")).min(1),
  oidc_logout: z.strictObject({ rp_logout_end_session_endpoint_discovery: flag }).exactPartial(),
  resource_parameter_profile: z.enum(["audience", "compatibility"]),
  client_id_metadata_document_supported: flag,
  phone_consolidated_experience: flag,
  enable_ai_guide: flag,
  include_session_metadata_in_tenant_logs: flag,
  dynamic_client_registration_security_mode: z.enum(["strict", "permissive"]),
  universal_login: Metadata,
};

/** Settings that a body may take away with `null`. */
const clearableSettings = {
  change_password: page,
  guardian_mfa_page: page,
  error_page: z.strictObject({ html: z.string(), show_log_link: flag, url: WebUrlOrEmpty }).exactPartial(),
  device_flow: z.strictObject({ charset: z.enum(["base20", "digits"]), mask: z.string().max(20) }).exactPartial(),
  default_token_quota: z
    .strictObject({ clients: TokenQuota, organizations: TokenQuota })
    .exactPartial()
    .refine((quota) => Object.keys(quota).length > 0, "must not be empty"),
  security_headers: z
    .strictObject({
      content_security_policy: z
        .strictObject({
          enabled: flag,
          policies: z.array(
            z
              .strictObject({
                mode: z.string(),
                directives: Metadata,
                flags: z.union([Metadata, z.array(z.string())]),
                reporting: Metadata,
              })
              .exactPartial(),
          ),
          reporting_infrastructure: z.strictObject({ report_to: z.json(), reporting_endpoints: z.json() }).exactPartial().nullable(),
        })
        .exactPartial()
        .nullable(),
      x_xss_protection: z
        .strictObject({ enabled: flag, mode: z.enum(["block"]), report_uri: z.string() })
        .exactPartial()
        .nullable(),
    })
    .exactPartial(),
  session_cookie: z.strictObject({ mode: z.enum(["persistent", "non-persistent"]) }),
  sessions: z.strictObject({ oidc_logout_prompt_enabled: flag }).exactPartial(),
  allow_organization_name_in_authentication_api: flag,
  customize_mfa_in_postlogin_action: flag,
  acr_values_supported: z.array(z.string().min(1).max(255)),
  mtls: z.strictObject({ enable_endpoint_aliases: flag }).exactPartial(),
  pushed_authorization_requests_supported: flag,
  authorization_response_iss_parameter_supported: flag,
  skip_non_verifiable_callback_uri_confirmation_prompt: flag,
  country_codes: z.strictObject({ list: z.array(z.string().regex(/^[A-Z]{2}$/)), mode: z.enum(["allow", "deny"]) }).exactPartial(),
};

const maximumHours = 87_600;

/** The vendor's tools turn hours into minutes by multiplying, so that a whole number may come with a rounding error. */
const minutes = z
  .number()
  .min(1)
  .max(maximumHours * 60)
  .refine((value) => Math.abs(value - Math.round(value)) < 1e-6, "must be a whole number of minutes")
  .meta({ type: "integer" });

/** Hours need not be whole: ninety minutes are shown as 1.5, and what is shown must be taken back. */
const hours = z
  .number()
  .min(1 / 60)
  .max(maximumHours);

const lifetimeHours = {
  session_lifetime: hours,
  idle_session_lifetime: hours,
  ephemeral_session_lifetime: hours,
  idle_ephemeral_session_lifetime: hours,
};

const lifetimeMinutes = {
  session_lifetime_in_minutes: minutes,
  idle_session_lifetime_in_minutes: minutes,
  ephemeral_session_lifetime_in_minutes: minutes,
  idle_ephemeral_session_lifetime_in_minutes: minutes,
};

const friendlyName = z.string().max(255);

/** A tenant's settings, as the Management API shows them. Lifetimes are hours. */
export const TenantSettingsReply = z
  .strictObject({
    friendly_name: friendlyName,
    ...lifetimeHours,
    ...z.object({ ...plainSettings, ...clearableSettings }).exactPartial().shape,
  })
  .meta({ id: "TenantSettings" });

/**
 * The body of `PATCH /api/v2/tenants/settings`. `null` takes a setting back to its default; `flags` are merged, everything else is replaced.
 * A lifetime is given in hours or in minutes; where both are, the minutes hold.
 */
export const UpdateTenantSettings = z
  .strictObject({
    friendly_name: friendlyName,
    ...plainSettings,
    ...nullableFields(clearableSettings),
    ...lifetimeHours,
    ...lifetimeMinutes,
  })
  .exactPartial()
  .meta({ id: "UpdateTenantSettings" });

/** What is stored besides the fields that have a column. */
const StoredSettings = z.object({ ...plainSettings, ...clearableSettings, ...lifetimeMinutes }).exactPartial();

export type TenantSettingsReply = z.infer<typeof TenantSettingsReply>;
export type UpdateTenantSettings = z.infer<typeof UpdateTenantSettings>;
type StoredSettings = z.infer<typeof StoredSettings>;

/** What holds where nobody said anything. Written into the record on creation, so that an upgrade with other defaults changes no existing tenant. */
const defaults = {
  default_audience: "",
  default_directory: "",
  picture_url: "",
  support_email: "",
  support_url: "",
  allowed_logout_urls: [] as string[],
  default_redirection_uri: "",
  enabled_locales: Object.keys(builtIn),
  session_lifetime_in_minutes: 168 * 60,
  idle_session_lifetime_in_minutes: 72 * 60,
  ephemeral_session_lifetime_in_minutes: 72 * 60,
  idle_ephemeral_session_lifetime_in_minutes: 24 * 60,
  session_cookie: { mode: "persistent" },
  sessions: { oidc_logout_prompt_enabled: true },
  oidc_logout: { rp_logout_end_session_endpoint_discovery: true },
  allow_organization_name_in_authentication_api: false,
  customize_mfa_in_postlogin_action: false,
  pushed_authorization_requests_supported: false,
  authorization_response_iss_parameter_supported: false,
  resource_parameter_profile: "audience",
  client_id_metadata_document_supported: false,
  include_session_metadata_in_tenant_logs: false,
  mtls: { enable_endpoint_aliases: false },
  flags: {
    change_pwd_flow_v1: false,
    enable_apis_section: false,
    disable_impersonation: false,
    enable_client_connections: true,
    enable_pipeline2: true,
    enable_dynamic_client_registration: false,
    disable_management_api_sms_obfuscation: true,
    trust_azure_adfs_email_verified_connection_property: false,
    custom_domains_provisioning: false,
  },
} as const satisfies StoredSettings;

/** The settings of a tenant, defaults filled in. Lifetimes are minutes. */
export type TenantSettings = Omit<StoredSettings, keyof typeof defaults> & Required<Pick<StoredSettings, keyof typeof defaults>>;

/** Reads the settings of a record. */
export function tenantSettings(row: Row<"tenants">): TenantSettings {
  const stored = StoredSettings.parse(row.settings);
  return { ...defaults, ...stored, flags: { ...defaults.flags, ...stored.flags } };
}

/** A record's settings as the Management API shows them. */
export function toTenantSettings(row: Row<"tenants">): TenantSettingsReply {
  const {
    session_lifetime_in_minutes: session,
    idle_session_lifetime_in_minutes: idle,
    ephemeral_session_lifetime_in_minutes: ephemeral,
    idle_ephemeral_session_lifetime_in_minutes: idleEphemeral,
    ...settings
  } = tenantSettings(row);
  return {
    ...settings,
    friendly_name: row.friendly_name,
    session_lifetime: session / 60,
    idle_session_lifetime: idle / 60,
    ephemeral_session_lifetime: ephemeral / 60,
    idle_ephemeral_session_lifetime: idleEphemeral / 60,
  };
}

/** The columns of a tenant that a change of its settings touches. */
export interface TenantSettingsChange {
  readonly friendly_name: string;
  readonly settings: JsonObject;
}

/** The settings of a new tenant: the defaults, and what its creator says. */
export function newTenantSettings(body: UpdateTenantSettings = {}): JsonObject {
  return applyBody(defaults, body);
}

/** The fields of a record that a change touches; what was not sent stays as it is. */
export function fromUpdateTenantSettings(row: Row<"tenants">, body: UpdateTenantSettings): TenantSettingsChange {
  return { friendly_name: body.friendly_name ?? row.friendly_name, settings: applyBody(row.settings, body) };
}

function applyBody(stored: JsonObject, body: UpdateTenantSettings): JsonObject {
  const { friendly_name: _column, session_lifetime, idle_session_lifetime, ephemeral_session_lifetime, ...more } = body;
  const { idle_ephemeral_session_lifetime, flags, ...rest } = more;
  return mergeSettings(stored, {
    ...(flags && { flags: { ...StoredSettings.parse(stored).flags, ...flags } }),
    ...rest,
    ...wholeMinutes("session_lifetime_in_minutes", session_lifetime, body.session_lifetime_in_minutes),
    ...wholeMinutes("idle_session_lifetime_in_minutes", idle_session_lifetime, body.idle_session_lifetime_in_minutes),
    ...wholeMinutes("ephemeral_session_lifetime_in_minutes", ephemeral_session_lifetime, body.ephemeral_session_lifetime_in_minutes),
    ...wholeMinutes(
      "idle_ephemeral_session_lifetime_in_minutes",
      idle_ephemeral_session_lifetime,
      body.idle_ephemeral_session_lifetime_in_minutes,
    ),
  });
}

function wholeMinutes(name: keyof typeof lifetimeMinutes, inHours: number | undefined, inMinutes: number | undefined): JsonObject {
  const given = inMinutes ?? (inHours === undefined ? undefined : inHours * 60);
  return given === undefined ? {} : { [name]: Math.max(1, Math.round(given)) };
}
