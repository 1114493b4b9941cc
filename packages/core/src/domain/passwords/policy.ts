import type { JsonObject } from "../../data/value.ts";
import { utf8 } from "./bytes.ts";
import { commonPasswords } from "./common.ts";
import { longestPassword } from "./limits.ts";
import { describeRules, judgeStrength, type PasswordLevel, type PasswordRule } from "./strength.ts";

/** What a database connection's options say about passwords; everything else in them is ignored. */
export interface PasswordPolicyOptions {
  /** Default: `none`. */
  readonly passwordPolicy?: PasswordLevel | null;
  /** `min_length` replaces the level's own. */
  readonly password_complexity_options?: { readonly min_length?: number } | null;
  /** `size`: how many former passwords must not come again, 0 to 24. Default: 5. */
  readonly password_history?: { readonly enable: boolean; readonly size?: number } | null;
  /** Common passwords are refused, and these; letter case does not count. */
  readonly password_dictionary?: { readonly enable: boolean; readonly dictionary?: readonly string[] } | null;
  /** Passwords that hold the person's name or the like are refused. */
  readonly password_no_personal_info?: { readonly enable: boolean } | null;
}

/** What is known of the person whose password it is to be. */
export interface PasswordOwner {
  readonly email?: string | null;
  readonly username?: string | null;
  readonly name?: string | null;
  readonly nickname?: string | null;
  readonly user_metadata?: JsonObject | null;
}

/** Why a password is refused, in the shape in which the vendor's clients read it from the signup endpoint. */
export interface PasswordFault {
  readonly name: "PasswordStrengthError" | "PasswordDictionaryError" | "PasswordNoUserInfoError" | "PasswordHistoryError";
  readonly message: string;
  /** The same for all of them: clients tell them apart by `name`. */
  readonly code: "invalid_password";
  readonly description: string | { readonly rules: readonly PasswordRule[]; readonly verified: false };
  /** The rules as text, for a fault of strength. */
  readonly policy?: string;
}

/** Refuses a password by everything but its history, which needs the stored hashes. Undefined: it is good. */
export function checkPolicy(password: string, options: PasswordPolicyOptions, owner: PasswordOwner): PasswordFault | undefined {
  const normal = password.normalize("NFKC");
  return (
    strengthFault(normal, options, utf8(password).length > longestPassword) ??
    (options.password_dictionary?.enable ? dictionaryFault(normal, options.password_dictionary.dictionary) : undefined) ??
    (options.password_no_personal_info?.enable ? personalFault(normal, owner) : undefined)
  );
}

/** The rules of strength that a connection has, and whether a password keeps each of them. */
export function passwordRules(password: string, options: PasswordPolicyOptions): readonly PasswordRule[] {
  return judgeStrength(password, options.passwordPolicy ?? "none", options.password_complexity_options?.min_length);
}

/** As many former passwords may a connection keep from coming again. */
export const longestHistory = 24;

/** How many former passwords must not come again. 0: all may. */
export function historySize({ password_history: history }: PasswordPolicyOptions): number {
  return history?.enable ? Math.min(Math.max(history.size ?? 5, 0), longestHistory) : 0;
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

function dictionaryFault(password: string, dictionary: readonly string[] = []): PasswordFault | undefined {
  const folded = password.toLowerCase();
  if (!commonPasswords.has(folded) && !dictionary.some((entry) => entry.normalize("NFKC").toLowerCase() === folded)) return undefined;
  return {
    name: "PasswordDictionaryError",
    message: "Password is too common",
    code: "invalid_password",
    description: "Password is not allowed, it might be too common.",
  };
}

/** The vendor looks at these members and at the part of the address before the @, each as a whole. */
function personalFault(
  password: string,
  { email, username, name, nickname, user_metadata: metadata }: PasswordOwner,
): PasswordFault | undefined {
  const folded = password.toLowerCase();
  const known = [email?.split("@", 1)[0], username, name, nickname, metadata?.["name"], metadata?.["first"], metadata?.["last"]];
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
