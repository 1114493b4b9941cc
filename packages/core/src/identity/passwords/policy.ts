import type { JsonObject } from "../../store/value.ts";
import { utf8 } from "./bytes.ts";
import { isCommon } from "./common.ts";
import { longestPassword } from "./limits.ts";
import { describeRules, judgeStrength, type PasswordComplexity, type PasswordLevel, type PasswordRule } from "./strength.ts";

/** What a database connection's options say about passwords, in the older and in the newer form; whatever either says holds. */
export interface PasswordPolicyOptions {
  /** Default: `none`. */
  readonly passwordPolicy?: PasswordLevel | null;
  /** `min_length` replaces the level's own. */
  readonly password_complexity_options?: { readonly min_length?: number } | null;
  /** `size`: how many former passwords must not come again, 0 to 24. Default: 5. */
  readonly password_history?: { readonly enable: boolean; readonly size?: number } | null;
  /** Common passwords are refused unless `enable` is false; where it is true, these as well. Letter case does not count. */
  readonly password_dictionary?: { readonly enable: boolean; readonly dictionary?: readonly string[] } | null;
  /** Passwords that hold the person's name or the like are refused. */
  readonly password_no_personal_info?: { readonly enable: boolean } | null;
  /** The newer form of the same. */
  readonly password_options?: {
    readonly complexity?: PasswordComplexity;
    /** `active`: default true. `default`: how many common passwords are refused: `en_10k` the ten thousand most common ones, else all that are known. */
    readonly dictionary?: { readonly active?: boolean; readonly custom?: readonly string[]; readonly default?: "en_10k" | "en_100k" };
    readonly history?: { readonly active?: boolean; readonly size?: number };
    /** `blocked_fields`: members of the user that a password must not hold, for example `nickname` or `user_metadata.city`; without, the usual ones. */
    readonly profile_data?: { readonly active?: boolean; readonly blocked_fields?: readonly string[] };
  };
}

/** What is known of the person whose password it is to be. */
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

/** Why a password is refused, in the shape in which the vendor's clients read it from the signup endpoint. */
export interface PasswordFault {
  readonly name:
    | "PasswordStrengthError"
    | "PasswordDictionaryError"
    | "PasswordNoUserInfoError"
    | "PasswordHistoryError"
    | "PasswordLeakedError";
  readonly message: string;
  /** The same for all but breached ones: clients tell them apart by `name`. */
  readonly code: "invalid_password" | "password_leaked";
  readonly description: string | { readonly rules: readonly PasswordRule[]; readonly verified: false };
  /** The rules as text, for a fault of strength. */
  readonly policy?: string;
}

/** Refuses a password by what the options say of it alone, and of the person. Undefined: it is good. */
export async function checkPolicy(
  password: string,
  options: PasswordPolicyOptions,
  owner: PasswordOwner,
): Promise<PasswordFault | undefined> {
  const normal = password.normalize("NFKC");
  return (
    strengthFault(normal, options, utf8(password).length > longestPassword) ??
    personalFault(normal, options, owner) ??
    (await dictionaryFault(normal, options))
  );
}

/** The rules of strength that a connection has, and whether a password keeps each of them. */
export function passwordRules(password: string, options: PasswordPolicyOptions): readonly PasswordRule[] {
  const { passwordPolicy: level, password_complexity_options: older, password_options: newer } = options;
  return judgeStrength(password, level ?? "none", older?.min_length, newer?.complexity);
}

/** As many former passwords may a connection keep from coming again. */
export const longestHistory = 24;

const usualHistory = 5;

/** How many former passwords must not come again. 0: all may. */
export function historySize({ password_history: older, password_options: { history: newer } = {} }: PasswordPolicyOptions): number {
  const size = Math.max(older?.enable ? (older.size ?? usualHistory) : 0, newer?.active ? (newer.size ?? usualHistory) : 0);
  return Math.min(size, longestHistory);
}

function strengthFault(password: string, options: PasswordPolicyOptions, tooLong: boolean): PasswordFault | undefined {
  const strength = passwordRules(password, options);
  const tooLongRule = { message: "Maximum password length exceeded", format: [longestPassword], code: "maxLength", verified: false };
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

/** Common passwords may be set where one form of the options says so and the other does not object. */
function refusesCommon({ password_dictionary: older, password_options: { dictionary: newer } = {} }: PasswordPolicyOptions): boolean {
  const said = [older?.enable, newer?.active];
  return said.includes(true) || !said.includes(false);
}

/** The members that the vendor looks at, each as a whole. */
const usualFields = ["email", "username", "name", "nickname", "user_metadata.name", "user_metadata.first", "user_metadata.last"];

function personalFault(
  password: string,
  { password_no_personal_info: older, password_options: { profile_data: newer } = {} }: PasswordPolicyOptions,
  owner: PasswordOwner,
): PasswordFault | undefined {
  const fields = [...(older?.enable ? usualFields : []), ...(newer?.active ? (newer.blocked_fields ?? usualFields) : [])];
  const folded = password.toLowerCase();
  const known = fields.map((field) => (field === "email" ? owner.email?.split("@", 1)[0] : memberOf(owner, field)));
  // One or two letters would forbid half of all passwords and protect nobody.
  const held = known.some((part) => typeof part === "string" && part.length > 2 && folded.includes(part.normalize("NFKC").toLowerCase()));
  if (!held) return undefined;
  return {
    name: "PasswordNoUserInfoError",
    message: "Password contains user information",
    code: "invalid_password",
    description: "Password contains user information.",
  };
}

/** A member of an object, or of objects inside it: `user_metadata.city`. */
function memberOf(owner: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) => (typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined),
      owner,
    );
}
