import type { DatabaseOptions } from "../../model/connections/strategies/database-options.ts";
import { Email, PhoneNumber } from "../../model/fields.ts";
import { foldPhoneNumber } from "./phone-number.ts";

/** The vendor's: letters and digits of ASCII, which look like no others, and signs that need no care anywhere. */
const usernameCharacters = /^[a-zA-Z0-9_+.!#$'^`~@-]+$/;

/** What usernames of a connection must be like, in the older and in the newer form of its options. */
export interface UsernameRules {
  /** Characters. Default: 1. */
  readonly shortest: number;
  /** Characters. Default: 15, as the vendor's. */
  readonly longest: number;
  /** Whether one may look like an e-mail address. Default: no, because a sign-in takes it for one. */
  readonly addresses: boolean;
  /** Whether one may look like a phone number. Default: no. */
  readonly phoneNumbers: boolean;
}

/** The rules of a connection. */
export function usernameRules({ attributes, validation }: DatabaseOptions): UsernameRules {
  const newer = attributes?.username?.validation;
  return {
    shortest: newer?.min_length ?? validation?.username?.min ?? 1,
    longest: newer?.max_length ?? validation?.username?.max ?? 15,
    addresses: newer?.allowed_types?.email === true,
    phoneNumbers: newer?.allowed_types?.phone_number === true,
  };
}

/** Why a username is none of a connection's; undefined: it is good. */
export function usernameFault(username: string, rules: UsernameRules): string | undefined {
  const { shortest, longest, addresses, phoneNumbers } = rules;
  if (username.length < shortest || username.length > longest) return `must have ${shortest} to ${longest} characters`;
  if (!usernameCharacters.test(username)) return "must be letters, digits and any of _ + - . ! # $ ' ^ ` ~ @";
  if (!addresses && Email.safeParse(username).success) return "must not be an e-mail address";
  if (!phoneNumbers && PhoneNumber.safeParse(foldPhoneNumber(username)).success) return "must not be a phone number";
  return undefined;
}
