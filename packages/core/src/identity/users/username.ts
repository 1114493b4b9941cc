import type { DatabaseOptions } from "../../model/connections/strategies/database-options.ts";
import { emailSchema } from "../../model/email-address.ts";
import { foldPhoneNumber, isE164 } from "../../model/phone-number.ts";

/**
 * The characters that Auth0 allows in usernames: ASCII letters and digits, which cannot be confused with letters of
 * other scripts, and characters that require no escaping.
 */
const usernameCharacters = /^[a-zA-Z0-9_+.!#$'^`~@-]+$/;

/** The rules for usernames in a connection, from the older and the newer format of its options. */
interface UsernameRules {
  /** The minimum number of characters. Default: 1. */
  readonly shortest: number;
  /** The maximum number of characters. Default: 15, as in Auth0. */
  readonly longest: number;
  /**
   * Whether a username may look like an email address. Default: no, because a sign-in treats such text as an email
   * address.
   */
  readonly addresses: boolean;
  /** Whether a username may look like a phone number. Default: no. */
  readonly phoneNumbers: boolean;
}

/** Returns the rules for usernames in a connection. */
export function usernameRules({ attributes, validation }: DatabaseOptions): UsernameRules {
  const newer = attributes?.username?.validation;
  return {
    shortest: newer?.min_length ?? validation?.username?.min ?? 1,
    longest: newer?.max_length ?? validation?.username?.max ?? 15,
    addresses: newer?.allowed_types?.email === true,
    phoneNumbers: newer?.allowed_types?.phone_number === true,
  };
}

/** Returns why a username does not match the rules; undefined if it does. */
export function usernameFault(username: string, rules: UsernameRules): string | undefined {
  const { shortest, longest, addresses, phoneNumbers } = rules;
  if (username.length < shortest || username.length > longest) return `must have ${shortest} to ${longest} characters`;
  if (!usernameCharacters.test(username)) return "must be letters, digits and any of _ + - . ! # $ ' ^ ` ~ @";
  if (!addresses && emailSchema.safeParse(username).success) return "must not be an email address";
  if (!phoneNumbers && isE164(foldPhoneNumber(username))) return "must not be a phone number";
  return undefined;
}
