import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { metadataSchema } from "../fields.ts";
import { webUrlOrEmptySchema } from "../clients/registered-urls.ts";
import { supportedFlagsSchema } from "./flags.ts";
import {
  supportedClearableOfTenant,
  supportedDefaults,
  supportedTenantSettings,
  supportedTenantShape,
  tenantSettingDefinitions,
  type SupportedTenantSettings,
} from "./settings.ts";
import { readStored, storedOnlyFields } from "../settings.ts";

const flag = z.boolean();
const page = z.strictObject({ enabled: flag, html: z.string() }).exactPartial();

/** Flags that every Auth0 tenant has. */
const otherFlags = {
  change_pwd_flow_v1: flag,
  custom_domains_provisioning: flag,
  disable_impersonation: flag,
  disable_management_api_sms_obfuscation: flag,
  enable_apis_section: flag,
  enable_pipeline2: flag,
  mfa_show_factor_list_on_enrollment: flag,
  trust_azure_adfs_email_verified_connection_property: flag,
};

/**
 * The feature flags of the tenant. Unknown names are stored, because Auth0 adds new flags and its tools write back
 * everything that they read.
 */
const flagsSchema = z
  .object({
    ...supportedFlagsSchema.shape,
    ...z.object(storedOnlyFields(otherFlags)).exactPartial().shape,
  })
  .catchall(flag);

/**
 * Settings with the same schema in request bodies, rows and responses. Of these, only some of the flags have an effect.
 */
const storedOnlySettings = {
  flags: flagsSchema,
  ...storedOnlyFields({
    picture_url: webUrlOrEmptySchema,
    sandbox_version: z.string().max(8),
    legacy_sandbox_version: z.string().max(8),
    resource_parameter_profile: z.enum(["audience", "compatibility"]),
    phone_consolidated_experience: flag,
    enable_ai_guide: flag,
    include_session_metadata_in_tenant_logs: flag,
    dynamic_client_registration_security_mode: z.enum(["strict", "permissive"]),
    universal_login: metadataSchema,
  }),
};

/** Stored-only settings for which a body may contain `null`, which removes them from the row and from responses. */
const storedOnlyClearable = storedOnlyFields({
  change_password: page,
  guardian_mfa_page: page,
  error_page: z.strictObject({ html: z.string(), show_log_link: flag, url: webUrlOrEmptySchema }).exactPartial(),
  security_headers: z
    .strictObject({
      content_security_policy: z
        .strictObject({
          enabled: flag,
          policies: z.array(
            z
              .strictObject({
                mode: z.string(),
                directives: metadataSchema,
                flags: z.union([metadataSchema, z.array(z.string())]),
                reporting: metadataSchema,
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
  sessions: z.strictObject({ oidc_logout_prompt_enabled: flag }).exactPartial(),
  customize_mfa_in_postlogin_action: flag,
  mtls: z.strictObject({ enable_endpoint_aliases: flag }).exactPartial(),
  authorization_response_iss_parameter_supported: flag,
  skip_non_verifiable_callback_uri_confirmation_prompt: flag,
  country_codes: z.strictObject({ list: z.array(z.string().regex(/^[A-Z]{2}$/)), mode: z.enum(["allow", "deny"]) }).exactPartial(),
});

/** All settings without a column that have the same schema in request bodies, rows and responses. */
export const plainTenantSettings = { ...supportedTenantSettings, ...storedOnlySettings };

/** All settings that a body can remove with `null`. */
export const clearableTenantSettings = { ...supportedClearableOfTenant, ...storedOnlyClearable };

const storedOnlySettingsSchema = z.object({ ...storedOnlySettings, ...storedOnlyClearable }).exactPartial();

/** The stored settings: the fields that have no column. */
export const storedTenantSettingsSchema = z.object({ ...storedOnlySettingsSchema.shape, ...supportedTenantShape });

type StoredSettings = z.infer<typeof storedTenantSettingsSchema>;

const storedOnlyDefaults = {
  picture_url: "",
  sandbox_version: "22",
  phone_consolidated_experience: false,
  sessions: { oidc_logout_prompt_enabled: true },
  customize_mfa_in_postlogin_action: false,
  authorization_response_iss_parameter_supported: false,
  resource_parameter_profile: "audience",
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

/**
 * The default settings. They are stored when the tenant is created, so that an upgrade with other defaults does not
 * change existing tenants.
 */
export const defaultSettings = { ...supportedDefaults, ...storedOnlyDefaults } as const satisfies StoredSettings;

type Certain = keyof typeof storedOnlyDefaults;

/** All settings of a tenant. Settings that are not set have their default values. Lifetimes are in minutes. */
type AllTenantSettings = SupportedTenantSettings &
  Omit<z.infer<typeof storedOnlySettingsSchema>, keyof SupportedTenantSettings | Certain> &
  Required<Pick<z.infer<typeof storedOnlySettingsSchema>, Certain>>;

/** Reads all settings from a row. */
export function allTenantSettings(row: Pick<Row<"tenants">, "settings">): AllTenantSettings {
  const stored = readStored(storedOnlySettingsSchema, row.settings);
  return { ...storedOnlyDefaults, ...stored, flags: { ...storedOnlyDefaults.flags, ...stored.flags }, ...tenantSettingDefinitions(row) };
}
