import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { languages } from "../../locales/languages.ts";
import { HttpsUrlOrEmpty, LogoutUrl, WebUrlOrEmpty } from "../clients/registered-urls.ts";
import { Email } from "../fields.ts";
import { readStored } from "../settings.ts";
import { TokenQuota } from "../token-quota.ts";

const flag = z.boolean();

/** Settings that logins go by, alike in bodies, in the record and in replies. */
export const supportedSettings = {
  default_audience: z.string().max(600),
  default_directory: z.string().max(128),
  allowed_logout_urls: z.array(LogoutUrl),
  default_redirection_uri: HttpsUrlOrEmpty,
  /** Where people get help: the footer of the pages leads there, or to the address for mail where there is no page. */
  support_url: WebUrlOrEmpty,
  support_email: z.union([z.literal(""), Email]),
  enabled_locales: z.array(z.string().regex(/^[a-z]{2,3}(-([A-Z]{2}|\d{3}))?$/, "must be a language tag such as en or pt-BR")).min(1),
  /** Ours, not the vendor's: how pages and messages address people in languages that know a formal and a familiar way. */
  form_of_address: z.enum(["formal", "familiar"]),
  /** Ours, not the vendor's: people are told by mail that somebody signed in to their account in a browser where nobody did before. */
  new_device_notification: flag,
  oidc_logout: z.strictObject({ rp_logout_end_session_endpoint_discovery: flag }).exactPartial(),
};

/** The same, where a body may also hold `null` and the record and replies then hold nothing. */
export const supportedClearable = {
  session_cookie: z.strictObject({ mode: z.enum(["persistent", "non-persistent"]) }),
  allow_organization_name_in_authentication_api: flag,
  default_token_quota: z
    .strictObject({ clients: TokenQuota, organizations: TokenQuota })
    .exactPartial()
    .refine((quota) => Object.keys(quota).length > 0, "must not be empty"),
};

/** Ten years. */
export const maximumHours = 87_600;

/** The vendor's tools turn hours into minutes by multiplying, so that a whole number may come with a rounding error. */
const minutes = z
  .number()
  .min(1)
  .max(maximumHours * 60)
  .refine((value) => Math.abs(value - Math.round(value)) < 1e-6, "must be a whole number of minutes")
  .meta({ type: "integer" });

/** How long sessions live. */
export const lifetimeMinutes = {
  session_lifetime_in_minutes: minutes,
  idle_session_lifetime_in_minutes: minutes,
  ephemeral_session_lifetime_in_minutes: minutes,
  idle_ephemeral_session_lifetime_in_minutes: minutes,
};

const SupportedSettings = z.object({ ...supportedSettings, ...supportedClearable, ...lifetimeMinutes }).exactPartial();

/** What the record holds of them, each by its schema. */
export const supportedShape = SupportedSettings.shape;

type SupportedSettings = z.infer<typeof SupportedSettings>;

/** What holds where nobody said anything. */
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
  session_lifetime_in_minutes: 168 * 60,
  idle_session_lifetime_in_minutes: 72 * 60,
  ephemeral_session_lifetime_in_minutes: 72 * 60,
  idle_ephemeral_session_lifetime_in_minutes: 24 * 60,
  session_cookie: { mode: "persistent" },
  oidc_logout: { rp_logout_end_session_endpoint_discovery: true },
  allow_organization_name_in_authentication_api: false,
} as const satisfies SupportedSettings;

type Certain = keyof typeof supportedDefaults;

/** The settings of a tenant that logins go by, defaults filled in. Lifetimes are minutes. */
export type TenantSettings = Omit<SupportedSettings, Certain> & Required<Pick<SupportedSettings, Certain>>;

/** Reads the settings of a record that logins go by. */
export function tenantSettings(row: Row<"tenants">): TenantSettings {
  return { ...supportedDefaults, ...readStored(SupportedSettings, row.settings) };
}
