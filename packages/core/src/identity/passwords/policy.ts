import type { JsonObject } from "../../store/value.ts";
import { utf8 } from "./bytes.ts";
import { isCommon } from "./common.ts";
import { maximumPasswordBytes } from "./limits.ts";
import { describeRules, judgeStrength, type PasswordComplexity, type PasswordLevel, type PasswordRule } from "./strength.ts";

/** The password options of a database connection, in the older and the newer format. Both apply. */
export interface PasswordPolicyOptions {
  /** Default: `none`. */
  readonly passwordPolicy?: PasswordLevel | null;
  /** `min_length` replaces the minimum length of the level. */
  readonly password_complexity_options?: { readonly min_length?: number } | null;
  /** `size`: the number of former passwords that cannot be reused, 0 to 24. Default: 5. */
  readonly password_history?: { readonly enable: boolean; readonly size?: number } | null;
  /**
   * Common passwords are rejected unless `enable` is false. If `enable` is true, the entries in `dictionary` are
   * rejected as well, ignoring case.
   */
  readonly password_dictionary?: { readonly enable: boolean; readonly dictionary?: readonly string[] } | null;
  /** Rejects passwords that contain personal data of the user. */
  readonly password_no_personal_info?: { readonly enable: boolean } | null;
  /** The newer format of the options above. */
  readonly password_options?: {
    readonly complexity?: PasswordComplexity;
    /**
     * `active`: default true. `default`: the common passwords that are rejected. `en_10k`: the ten thousand most common
     * ones; otherwise the whole list.
     */
    readonly dictionary?: { readonly active?: boolean; readonly custom?: readonly string[]; readonly default?: "en_10k" | "en_100k" };
    readonly history?: { readonly active?: boolean; readonly size?: number };
    /**
     * `blocked_fields`: fields of the user whose values a password must not contain, for example `nickname` or
     * `user_metadata.city`. Default: the fields that Auth0 checks.
     */
    readonly profile_data?: { readonly active?: boolean; readonly blocked_fields?: readonly string[] };
  };
}

/** The data of the user that a password is compared with. */
export interface PasswordOwner {
  readonly email?: string | null;
  readonly username?: string | null;
  readonly name?: string | null;
  readonly nickname?: string | null;
  readonly given_name?: string | null;
  readonly family_name?: string | null;
  readonly phone_number?: string | null;
  readonly user_metadata?: JsonObject | null;
}

/** Why a password is rejected, in the format that Auth0's clients expect from the signup endpoint. */
export interface PasswordFault {
  readonly name:
    | "PasswordStrengthError"
    | "PasswordDictionaryError"
    | "PasswordNoUserInfoError"
    | "PasswordHistoryError"
    | "PasswordLeakedError";
  readonly message: string;
  /** `password_leaked` for breached passwords, otherwise `invalid_password`. Clients distinguish faults by `name`. */
  readonly code: "invalid_password" | "password_leaked";
  readonly description: string | { readonly rules: readonly PasswordRule[]; readonly verified: false };
  /** The rules as text, for a `PasswordStrengthError`. */
  readonly policy?: string;
}

/**
 * Checks a password against the options and the data of the user. Returns a fault; undefined if the password is
 * allowed.
 */
export async function checkPolicy(
  password: string,
  options: PasswordPolicyOptions,
  owner: PasswordOwner,
): Promise<PasswordFault | undefined> {
  const normal = password.normalize("NFKC");
  return (
    strengthFault(normal, options, utf8(password).length > maximumPasswordBytes) ??
    personalFault(normal, options, owner) ??
    (await dictionaryFault(normal, options))
  );
}

/** Returns the strength rules of a connection, and for each whether a password satisfies it. */
export function passwordRules(password: string, options: PasswordPolicyOptions): readonly PasswordRule[] {
  const { passwordPolicy: level, password_complexity_options: older, password_options: newer } = options;
  return judgeStrength(password, level ?? "none", older?.min_length, newer?.complexity);
}

/** The maximum number of passwords in the history of a connection. */
export const maximumHistory = 24;

const defaultHistory = 5;

/** Returns the number of former passwords that cannot be reused. 0: every password can be reused. */
export function historySize({ password_history: older, password_options: { history: newer } = {} }: PasswordPolicyOptions): number {
  const size = Math.max(older?.enable ? (older.size ?? defaultHistory) : 0, newer?.active ? (newer.size ?? defaultHistory) : 0);
  return Math.min(size, maximumHistory);
}

function strengthFault(password: string, options: PasswordPolicyOptions, tooLong: boolean): PasswordFault | undefined {
  const strength = passwordRules(password, options);
  const tooLongRule = { message: "Maximum password length exceeded", format: [maximumPasswordBytes], code: "maxLength", verified: false };
  const rules = tooLong ? [...strength, tooLongRule] : strength;
  if (rules.every((rule) => rule.verified)) return undefined;
  return {
    name: "PasswordStrengthError",
    message: "Password is too weak",
    code: "invalid_password",
    description: { rules, verified: false },
    policy: describeRules(rules),
  };
}

async function dictionaryFault(password: string, options: PasswordPolicyOptions): Promise<PasswordFault | undefined> {
  const { password_dictionary: older, password_options: { dictionary: newer } = {} } = options;
  const own = [...(older?.enable ? (older.dictionary ?? []) : []), ...(newer?.active === false ? [] : (newer?.custom ?? []))];
  const folded = password.toLowerCase();
  const refused =
    own.some((entry) => entry.normalize("NFKC").toLowerCase() === folded) ||
    (refusesCommon(options) && (await isCommon(folded, newer?.default === "en_10k" ? 10_000 : undefined)));
  if (!refused) return undefined;
  return {
    name: "PasswordDictionaryError",
    message: "Password is too common",
    code: "invalid_password",
    description: "Password is not allowed, it might be too common.",
  };
}

/**
 * Returns whether common passwords are rejected. They are allowed only if one format of the options allows them and the
 * other format does not reject them.
 */
function refusesCommon({ password_dictionary: older, password_options: { dictionary: newer } = {} }: PasswordPolicyOptions): boolean {
  const settings = [older?.enable, newer?.active];
  return settings.includes(true) || !settings.includes(false);
}

/** The fields that Auth0 checks. The whole value of a field is searched in the password. */
const defaultFields = ["email", "username", "name", "nickname", "user_metadata.name", "user_metadata.first", "user_metadata.last"];

function personalFault(
  password: string,
  { password_no_personal_info: older, password_options: { profile_data: newer } = {} }: PasswordPolicyOptions,
  owner: PasswordOwner,
): PasswordFault | undefined {
  const fields = [...(older?.enable ? defaultFields : []), ...(newer?.active ? (newer.blocked_fields ?? defaultFields) : [])];
  const folded = password.toLowerCase();
  const known = fields.map((field) => (field === "email" ? owner.email?.split("@", 1)[0] : memberOf(owner, field)));
  // Values of one or two letters are ignored, because they occur in half of all passwords.
  const held = known.some((part) => typeof part === "string" && part.length > 2 && folded.includes(part.normalize("NFKC").toLowerCase()));
  if (!held) return undefined;
  return {
    name: "PasswordNoUserInfoError",
    message: "Password contains user information",
    code: "invalid_password",
    description: "Password contains user information.",
  };
}

/** Returns a member of an object or of a nested object, by its path: `user_metadata.city`. */
function memberOf(owner: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) => (typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined),
      owner,
    );
}
