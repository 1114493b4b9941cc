import { Email, PhoneNumber } from "../model/fields.ts";

/**
 * Whether a mail can be sent to this text: exactly one address, so that it cannot add recipients or header lines (RFC
 * 5322 section 2.2).
 */
export function isMailAddress(to: string): boolean {
  return Email.safeParse(to).success;
}

/** Whether a text message can be sent to this text: exactly one number in E.164 format. */
export function isPhoneNumber(to: string): boolean {
  return PhoneNumber.safeParse(to).success;
}

/** Returns text for a header line: without line breaks and other control characters. */
export function headerText(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
}
