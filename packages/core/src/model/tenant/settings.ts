import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { languages } from "../../locales/languages.ts";
import { httpsUrlOrEmptySchema, logoutUrlSchema, webUrlOrEmptySchema } from "../clients/registered-urls.ts";
import { emailSchema } from "../email-address.ts";
import { notEmpty } from "../member-count.ts";
import { readStored, storedReader } from "../settings.ts";
import { accountPageSchema } from "./account-page.ts";
import { deviceFlowSchema } from "./device-flow.ts";
import { tokenQuotaSchema } from "../token-quota.ts";

const flag = z.boolean();

/** Supported settings, with the same schema in request bodies, rows and responses. */
export const supportedTenantSettings = {
  default_audience: z.string().max(600),
  default_directory: z.string().max(128),
  allowed_logout_urls: z.array(logoutUrlSchema),
  default_redirection_uri: httpsUrlOrEmptySchema,
  /**
   * The URL of the support page. The footer of the login pages links to it, or to the email address if there is no
   * support page.
   */
  support_url: webUrlOrEmptySchema,
  support_email: z.union([z.literal(""), emailSchema]),
  enabled_locales: z.array(z.string().regex(/^[a-z]{2,3}(-([A-Z]{2}|\d{3}))?$/, "must be a language tag such as en or pt-BR")).min(1),
  /**
   * A Postern extension: whether pages and messages address users formally or familiarly, in languages that distinguish
   * the two.
   */
  form_of_address: z.enum(["formal", "familiar"]),
  /** A Postern extension: whether users receive an email after a sign-in to their account from a new browser. */
  new_device_notification: flag,
  /**
   * A Postern extension: whether a login with a passkey that verified the user needs no further factor. In Auth0, the
   * policy `all-applications` requires one.
   */
  passkey_counts_as_factor: flag,
  /**
   * A Postern extension: whether claims about the user are returned by `/userinfo` and not in ID tokens (OpenID Connect Core
   * section 5.4), unless `claims` requests them there, and ID tokens omit `tenant_id`. Auth0's SDKs read the profile from ID
   * tokens, so `false` is the default.
   */
  minimal_id_tokens: flag,
  /** Whether clients may identify themselves by the URL of a metadata document (Client ID Metadata Documents). */
  client_id_metadata_document_supported: flag,
  /**
   * A Postern extension: the host names whose metadata documents are accepted. An empty list accepts every public host.
   */
  client_id_metadata_document_domains: z
    .array(
      z
        .string()
        .max(253)
        .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, "must be a host name in lower case"),
    )
    .max(100),
  oidc_logout: z.strictObject({ rp_logout_end_session_endpoint_discovery: flag }).exactPartial(),
};

/** Supported settings for which a body may contain `null`, which removes them from the row and from responses. */
export const supportedClearableOfTenant = {
  /** A Postern extension: the page on which users see and change their account. `null` shows only the section `security`. */
  account_page: accountPageSchema,
  session_cookie: z.strictObject({ mode: z.enum(["persistent", "non-persistent"]) }),
  allow_organization_name_in_authentication_api: flag,
  /** Whether clients can push authorization requests to `/oauth/par` (RFC 9126). */
  pushed_authorization_requests_supported: flag,
  /**
   * The authentication context class references that discovery documents may list (OpenID Connect Discovery 1.0 section
   * 3) and `acr_values` may require. Default: all that the tenant's factors and passkeys can satisfy.
   */
  acr_values_supported: z.array(z.string().min(1).max(255)).max(100),
  /** How the user codes of devices look (RFC 8628). */
  device_flow: deviceFlowSchema,
  default_token_quota: notEmpty(z.strictObject({ clients: tokenQuotaSchema, organizations: tokenQuotaSchema }).exactPartial()),
};

/** Maximum lifetime in hours: ten years. */
export const maximumHours = 87_600;

/**
 * A number of minutes. Auth0's tools convert hours to minutes by multiplication, so an integer may arrive with a
 * rounding error.
 */
const minutes = z
  .number()
  .min(1)
  .max(maximumHours * 60)
  .refine((value) => Math.abs(value - Math.round(value)) < 1e-6, "must be a whole number of minutes")
  .meta({ type: "integer" });

/** The lifetimes of sessions, in minutes. */
export const lifetimeMinutes = {
  session_lifetime_in_minutes: minutes,
  idle_session_lifetime_in_minutes: minutes,
  ephemeral_session_lifetime_in_minutes: minutes,
  idle_ephemeral_session_lifetime_in_minutes: minutes,
};

const supportedSettingsSchema = z.object({ ...supportedTenantSettings, ...supportedClearableOfTenant, ...lifetimeMinutes }).exactPartial();

/** The schemas of the supported settings in a row. */
export const supportedTenantShape = supportedSettingsSchema.shape;

type SupportedSettings = z.infer<typeof supportedSettingsSchema>;

/** The defaults of the supported settings. */
export const supportedDefaults = {
  default_audience: "",
  default_directory: "",
  allowed_logout_urls: [] as string[],
  default_redirection_uri: "",
  support_url: "",
  support_email: "",
  enabled_locales: [...languages.keys()],
  form_of_address: "formal",
  new_device_notification: false,
  passkey_counts_as_factor: true,
  minimal_id_tokens: false,
  client_id_metadata_document_supported: false,
  client_id_metadata_document_domains: [] as string[],
  session_lifetime_in_minutes: 168 * 60,
  idle_session_lifetime_in_minutes: 72 * 60,
  ephemeral_session_lifetime_in_minutes: 72 * 60,
  idle_ephemeral_session_lifetime_in_minutes: 24 * 60,
  session_cookie: { mode: "persistent" },
  oidc_logout: { rp_logout_end_session_endpoint_discovery: true },
  allow_organization_name_in_authentication_api: false,
  pushed_authorization_requests_supported: false,
} as const satisfies SupportedSettings;

type Certain = keyof typeof supportedDefaults;

/** The supported settings of a tenant, including defaults. Lifetimes are in minutes. */
export type SupportedTenantSettings = Omit<SupportedSettings, Certain> & Required<Pick<SupportedSettings, Certain>>;

const readSupported = storedReader((stored): SupportedTenantSettings => ({
  ...supportedDefaults,
  ...readStored(supportedSettingsSchema, stored),
}));

/** Reads the supported settings from a row. */
export function tenantSettingDefinitions(row: Pick<Row<"tenants">, "settings">): SupportedTenantSettings {
  return readSupported(row.settings);
}
