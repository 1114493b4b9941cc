import * as z from "zod";
import { foldDigits } from "./typed-digits.ts";

/** The result of {@link readPhoneNumber}: a number in E.164 form, or the fault in English, for API clients. */
type PhoneNumberReading =
  | { readonly number: string; /** Whether the number has a possible length in its country. */ readonly isPossible: boolean }
  | MisspelledPhone
  | { readonly fault: string; readonly correction?: undefined };

/** A phone number that must be written in another way: `must be written as +61412345678`. */
export interface MisspelledPhone {
  readonly fault: string;
  /** The number that the text probably means, in E.164 form. */
  readonly correction: string;
}

/** The fault of a text that is no phone number. */
export const unreadablePhone = { fault: "must be a phone number in international form, with + and the country code" };

/** Whether a text is exactly one phone number in E.164 form, in which phone numbers are stored. */
export function isE164(text: string): boolean {
  return /^\+[0-9]{1,15}$/.test(text);
}

/** Removes separators from a phone number, such as spaces, parentheses, dots and dashes, and reads digits of any script. */
export function foldPhoneNumber(typed: string): string {
  return foldDigits(typed).replaceAll(/[().]/g, "");
}

/**
 * Reads a phone number in international form: `+` and the country code first. This function reads every phone number that
 * comes from a user or a caller, so that an account that one page or endpoint creates can be used at all others.
 *
 * Rejects a prefix that is dialed only inside the country, such as the 0 in `+61 0412 345 678`, because the number without
 * it is a guess. The leading 0 of Italian numbers is part of the number. Accepts other numbers whose length is not possible
 * in the country, because numbering plans change. Only sign-ups and the passwordless API reject them.
 */
export async function readPhoneNumber(typed: string): Promise<PhoneNumberReading> {
  const folded = foldPhoneNumber(typed);
  if (folded.startsWith("00")) {
    const read = await readPhoneNumber(`+${folded.slice(2)}`);
    if (!("number" in read)) return read;
    return read.isPossible ? misspelled(read.number) : unreadablePhone;
  }
  // The library also accepts extensions and longer text. It contains a large table, so it is loaded on first use.
  if (!/^\+[0-9]{1,20}$/.test(folded)) return unreadablePhone;
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/min");
  const number = parsePhoneNumberFromString(folded, { extract: false });
  if (number?.isPossible() !== true) return isE164(folded) ? { number: folded, isPossible: false } : unreadablePhone;
  return number.number === folded ? { number: folded, isPossible: true } : misspelled(number.number);
}

function misspelled(correction: string): MisspelledPhone {
  return { fault: `must be written as ${correction}`, correction };
}

/** Returns why a text is not a phone number in E.164 form; undefined if it is. */
export async function e164Fault(text: string): Promise<string | undefined> {
  const read = await readPhoneNumber(text);
  if ("fault" in read) return read.fault;
  return read.number === text ? undefined : misspelled(read.number).fault;
}

const documented = { pattern: "^\\+[0-9]{1,15}$" };

/** A text that is documented as a phone number in E.164 form, and that the caller validates with {@link e164Fault}. */
export const phoneNumberTextSchema = z.string().meta(documented);

/** A phone number in E.164 form. A schema that contains it can only be parsed asynchronously. */
export const phoneNumberSchema = z
  .string()
  .superRefine(async (text, context) => {
    const fault = await e164Fault(text);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  })
  .meta(documented);
