import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { readStored, storedOnly, storedReader } from "../settings.ts";
import { tenantFactorSchema, type TenantFactor } from "./factor-types.ts";
import { webauthnPlatformSettingsSchema, webauthnRoamingSettingsSchema } from "./webauthn-settings.ts";

/** When a tenant requires a factor. An empty list of policies requires one only if an Action does. */
export const multifactorPolicySchema = z.enum(["all-applications", "confidence-score"]).meta({
  description:
    "`all-applications` requires a factor at each login. `confidence-score` does the same: Postern computes no risk score, " +
    "so the confidence in a login is always low",
});

/** How users receive codes by phone. */
export const messageTypeSchema = z.enum(["sms", "voice"]);

const phoneProviderSchema = z.enum(["auth0", "twilio", "phone-message-hook"]);
const pushProviderSchema = z.enum(["guardian", "sns", "direct"]);

/** The kinds of messages that send codes to phones, in requests and responses. */
export const messageTypesSchema = z
  .strictObject({ message_types: z.array(messageTypeSchema).max(messageTypeSchema.options.length) })
  .meta({ id: "FactorMessageTypes" });

/** The service that sends messages to phones, in requests and responses. */
export const selectedPhoneProviderSchema = z
  .strictObject({
    provider: storedOnly(phoneProviderSchema, "The phone sender of the host application sends messages, whatever this setting says"),
  })
  .meta({ id: "SelectedPhoneProvider" });

/** The service that sends push notifications, in requests and responses. */
export const selectedPushProviderSchema = z
  .strictObject({ provider: storedOnly(pushProviderSchema, "Postern sends no push notifications") })
  .meta({ id: "SelectedPushProvider" });

/** The codes that users receive by email or phone. NIST SP 800-63B section 5.1.3 requires at least six digits. */
export const codeSettingsSchema = z
  .strictObject({
    otp_length: z.int().min(6).max(10).meta({ description: "The number of digits of a code. Default 6. Auth0 also accepts 4 and 5" }),
    otp_expiration_time: z.int().min(30).max(3600).meta({ description: "The lifetime of a code in seconds. Default 300" }),
  })
  .meta({ id: "FactorCodeSettings" });

/** The texts of messages to phones, in Liquid. Users receive Postern's own texts until these are set. */
export const phoneTemplatesSchema = z
  .strictObject({ enrollment_message: z.string().min(1).max(5120), verification_message: z.string().min(1).max(5120) })
  .meta({ id: "FactorPhoneTemplates" });

/** The texts that the Management API returns until others are set. Setting them again keeps Postern's own texts. */
export const defaultPhoneTemplates = {
  enrollment_message: "{{ code }} is your verification code for {{ tenant.friendly_name }}. Enter it to add this phone.",
  verification_message: "{{ code }} is your verification code for {{ tenant.friendly_name }}.",
} as const;

const hour = 3600;
const day = 24 * hour;

const remember = {
  display_remember_me_checkbox: z.boolean().meta({
    description:
      "Whether users may choose to skip the factor at later logins in the same browser. `false` also ends all earlier choices. Default true",
  }),
  remember_me_default_value: z.boolean().meta({ description: "Whether the checkbox is checked at first. Default false" }),
  mfa_session_inactivity_timeout: z
    .int()
    .min(hour)
    .max(30 * day)
    .meta({ description: "A browser that was not used for this number of seconds is no longer remembered. Default: 7 days" }),
  mfa_session_overall_timeout: z
    .int()
    .min(hour)
    .max(90 * day)
    .meta({ description: "The number of seconds after which a browser is no longer remembered. Default: 30 days" }),
};

/** How long a browser is remembered in which a user passed a factor, as the Management API returns it. */
export const guardianSettingsSchema = z.strictObject(remember).meta({ id: "GuardianSettings" });

/** The body of `PUT /api/v2/guardian/settings`. */
export const setGuardianSettingsSchema = z
  .strictObject(remember)
  .refine(({ mfa_session_inactivity_timeout: idle, mfa_session_overall_timeout: overall }) => idle <= overall, {
    path: ["mfa_session_inactivity_timeout"],
    message: "must be at most mfa_session_overall_timeout",
  })
  .meta({ id: "SetGuardianSettings" });

export type MultifactorPolicy = z.infer<typeof multifactorPolicySchema>;
export type MessageType = z.infer<typeof messageTypeSchema>;
export type CodeSettings = z.infer<typeof codeSettingsSchema>;
export type PhoneTemplates = z.infer<typeof phoneTemplatesSchema>;

const webauthn = { roaming: webauthnRoamingSettingsSchema, platform: webauthnPlatformSettingsSchema };

const phone = {
  message_types: z.array(messageTypeSchema),
  provider: phoneProviderSchema,
  templates: phoneTemplatesSchema,
  codes: codeSettingsSchema,
};

/** The stored settings: only those that a caller set. Members that a later version added are ignored. */
const storedSchema = z
  .object({
    policies: z.array(multifactorPolicySchema),
    factors: z.partialRecord(tenantFactorSchema, z.boolean()),
    phone: z.object(phone).exactPartial(),
    email: z.object({ codes: codeSettingsSchema }),
    push: z.object({ provider: pushProviderSchema }),
    webauthn: z.object(webauthn).exactPartial(),
    remember: z.object(remember),
    trust_ended_at: z.int(),
  })
  .exactPartial();

type StoredMultifactor = z.infer<typeof storedSchema>;

const tenantExtensionsSchema = z.object({ passkey_counts_as_factor: z.boolean() }).exactPartial();

/** The settings of a tenant for second factors, including defaults. */
export interface MultifactorSettings {
  /** Empty: no policy requires a factor. */
  readonly policies: readonly MultifactorPolicy[];
  readonly factors: Readonly<Record<TenantFactor, boolean>>;
  readonly phone: {
    /** Empty: users receive no codes by phone. */
    readonly message_types: readonly MessageType[];
    readonly provider: z.infer<typeof phoneProviderSchema>;
    /** Undefined: Postern's own texts. */
    readonly templates: PhoneTemplates | undefined;
    readonly codes: CodeSettings;
  };
  readonly email: { readonly codes: CodeSettings };
  readonly push: { readonly provider: z.infer<typeof pushProviderSchema> };
  /** Security keys, and authenticators that are built into a device. */
  readonly webauthn: {
    readonly roaming: z.infer<typeof webauthnRoamingSettingsSchema>;
    readonly platform: z.infer<typeof webauthnPlatformSettingsSchema>;
  };
  /** Timeouts are in seconds. */
  readonly remember: z.infer<typeof guardianSettingsSchema>;
  /** When `display_remember_me_checkbox` was last set to `false`, in milliseconds since 1970. 0: never. */
  readonly trustEndedAt: number;
  /**
   * A Postern extension: whether a login with a passkey that verified the user needs no further factor. Tenant setting
   * `passkey_counts_as_factor`.
   */
  readonly passkey_counts_as_factor: boolean;
}

const codes: CodeSettings = { otp_length: 6, otp_expiration_time: 300 };

/** No default requires or offers a factor. The timeouts of remembered browsers are Auth0's. */
const defaults = {
  policies: [],
  factors: {
    sms: false,
    "push-notification": false,
    otp: false,
    email: false,
    duo: false,
    "webauthn-roaming": false,
    "webauthn-platform": false,
    "recovery-code": false,
  },
  phone: { message_types: ["sms"], provider: "auth0", templates: undefined, codes },
  email: { codes },
  push: { provider: "guardian" },
  webauthn: { roaming: { userVerification: "discouraged", overrideRelyingParty: false }, platform: { overrideRelyingParty: false } },
  remember: {
    display_remember_me_checkbox: true,
    remember_me_default_value: false,
    mfa_session_inactivity_timeout: 7 * day,
    mfa_session_overall_timeout: 30 * day,
  },
  trustEndedAt: 0,
  passkey_counts_as_factor: true,
} as const satisfies MultifactorSettings;

const readMultifactor = storedReader((stored) => readStored(storedSchema, stored));
const readExtensions = storedReader((stored) => readStored(tenantExtensionsSchema, stored));

/** Reads the settings for second factors from the row of a tenant. */
export function multifactorSettings({ multifactor, settings }: Pick<Row<"tenants">, "multifactor" | "settings">): MultifactorSettings {
  const stored = readMultifactor(multifactor);
  return {
    policies: stored.policies ?? defaults.policies,
    factors: { ...defaults.factors, ...stored.factors },
    phone: { ...defaults.phone, ...stored.phone },
    email: stored.email ?? defaults.email,
    push: stored.push ?? defaults.push,
    webauthn: { ...defaults.webauthn, ...stored.webauthn },
    remember: stored.remember ?? defaults.remember,
    trustEndedAt: stored.trust_ended_at ?? defaults.trustEndedAt,
    passkey_counts_as_factor: readExtensions(settings).passkey_counts_as_factor ?? defaults.passkey_counts_as_factor,
  };
}

/**
 * Returns the `multifactor` column of a tenant after a change. Omitted settings stay unchanged; lists, texts and the
 * format of codes are replaced.
 */
export function changeMultifactor({ multifactor }: Pick<Row<"tenants">, "multifactor">, change: StoredMultifactor): JsonObject {
  const before = readMultifactor(multifactor);
  return {
    ...multifactor,
    ...change,
    ...(change.factors && { factors: { ...before.factors, ...change.factors } }),
    ...(change.phone && { phone: { ...before.phone, ...change.phone } }),
    ...(change.webauthn && { webauthn: { ...before.webauthn, ...change.webauthn } }),
  };
}
