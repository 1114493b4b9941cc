import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { readStored, storedOnly } from "../settings.ts";
import { TenantFactor } from "./factor-types.ts";

/** When a tenant requires a factor. An empty list of policies requires one only if an Action does. */
export const MultifactorPolicy = z.enum(["all-applications", "confidence-score"]).meta({
  description:
    "`all-applications` requires a factor at each login. `confidence-score` does the same: Postern computes no risk score, " +
    "so the confidence in a login is always low",
});

/** How users receive codes by phone. */
export const MessageType = z.enum(["sms", "voice"]);

/** The service that sends messages to phones. */
export const PhoneProvider = z.enum(["auth0", "twilio", "phone-message-hook"]);

/** The service that sends push notifications. */
export const PushProvider = z.enum(["guardian", "sns", "direct"]);

/** The codes that users receive by email or phone. */
export const CodeSettings = z
  .strictObject({
    otp_length: z.int().min(4).max(10).meta({ description: "The number of digits of a code. Default 6" }),
    otp_expiration_time: z.int().min(30).max(3600).meta({ description: "The lifetime of a code in seconds. Default 300" }),
  })
  .meta({ id: "FactorCodeSettings" });

/** The texts of messages to phones, in Liquid. */
export const PhoneTemplates = z
  .strictObject({ enrollment_message: z.string().min(1).max(5120), verification_message: z.string().min(1).max(5120) })
  .meta({ id: "FactorPhoneTemplates" });

const hour = 3600;
const day = 24 * hour;

const remember = {
  display_remember_me_checkbox: z.boolean().meta({
    description: "Whether users may choose not to be asked for a factor again in the same browser. Default true",
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
export const GuardianSettings = z.strictObject(remember).meta({ id: "GuardianSettings" });

/** The body of `PUT /api/v2/guardian/settings`. */
export const SetGuardianSettings = z
  .strictObject(remember)
  .refine(({ mfa_session_inactivity_timeout: idle, mfa_session_overall_timeout: overall }) => idle <= overall, {
    path: ["mfa_session_inactivity_timeout"],
    message: "must be at most mfa_session_overall_timeout",
  })
  .meta({ id: "SetGuardianSettings" });

export type MultifactorPolicy = z.infer<typeof MultifactorPolicy>;
export type MessageType = z.infer<typeof MessageType>;
export type CodeSettings = z.infer<typeof CodeSettings>;
export type PhoneTemplates = z.infer<typeof PhoneTemplates>;
export type GuardianSettings = z.infer<typeof GuardianSettings>;

const phone = {
  message_types: z.array(MessageType),
  provider: storedOnly(PhoneProvider),
  templates: PhoneTemplates,
  codes: CodeSettings,
};

/** The stored settings: only those that a caller set. Members that a later version added are ignored. */
const Stored = z
  .object({
    policies: z.array(MultifactorPolicy),
    factors: z.partialRecord(TenantFactor, z.boolean()),
    phone: z.object(phone).exactPartial(),
    email: z.object({ codes: CodeSettings }).exactPartial(),
    push: z.object({ provider: PushProvider }).exactPartial(),
    remember: z.object(remember).exactPartial(),
    passkey_counts_as_factor: z.boolean(),
  })
  .exactPartial();

/** The settings of a tenant for second factors, including defaults. */
export interface MultifactorSettings {
  /** Empty: no policy requires a factor. */
  readonly policies: readonly MultifactorPolicy[];
  readonly factors: Readonly<Record<TenantFactor, boolean>>;
  readonly phone: {
    /** Empty: users receive no codes by phone. */
    readonly message_types: readonly MessageType[];
    readonly provider: z.infer<typeof PhoneProvider>;
    /** Undefined: Postern's own texts. */
    readonly templates: PhoneTemplates | undefined;
    readonly codes: CodeSettings;
  };
  readonly email: { readonly codes: CodeSettings };
  readonly push: { readonly provider: z.infer<typeof PushProvider> };
  /** Timeouts are in seconds. */
  readonly remember: GuardianSettings;
  /** A Postern extension: whether a login with a passkey that verified the user needs no further factor. */
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
  remember: {
    display_remember_me_checkbox: true,
    remember_me_default_value: false,
    mfa_session_inactivity_timeout: 7 * day,
    mfa_session_overall_timeout: 30 * day,
  },
  passkey_counts_as_factor: true,
} as const satisfies MultifactorSettings;

/** The settings for second factors before a caller changes any. */
export const defaultMultifactorSettings: MultifactorSettings = defaults;

/** Reads the settings for second factors from the row of a tenant. */
export function multifactorSettings({ multifactor }: Pick<Row<"tenants">, "multifactor">): MultifactorSettings {
  if (multifactor === null) return defaults;
  const stored = readStored(Stored, multifactor);
  return {
    policies: stored.policies ?? defaults.policies,
    factors: { ...defaults.factors, ...stored.factors },
    phone: { ...defaults.phone, ...stored.phone },
    email: { ...defaults.email, ...stored.email },
    push: { ...defaults.push, ...stored.push },
    remember: { ...defaults.remember, ...stored.remember },
    passkey_counts_as_factor: stored.passkey_counts_as_factor ?? defaults.passkey_counts_as_factor,
  };
}

/** The groups of {@link MultifactorSettings} with several members. */
type SettingsGroup = "factors" | "phone" | "email" | "push" | "remember";

/** Returns the `multifactor` column of a tenant with one more setting. Members of a later version stay unchanged. */
export function setMultifactor(
  { multifactor }: Pick<Row<"tenants">, "multifactor">,
  name: "policies" | "passkey_counts_as_factor",
  value: Json,
): JsonObject {
  return { ...multifactor, [name]: value };
}

/** Returns the `multifactor` column of a tenant after a change to members of a group. */
export function changeMultifactor(
  { multifactor }: Pick<Row<"tenants">, "multifactor">,
  group: SettingsGroup,
  change: JsonObject,
): JsonObject {
  const before = multifactor?.[group];
  return { ...multifactor, [group]: { ...(isJsonObject(before) ? before : {}), ...change } };
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
