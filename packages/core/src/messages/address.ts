import { Email, PhoneNumber } from "../model/fields.ts";

/** Whether a mail can go there: one address and nothing else, so that nobody adds recipients or header lines (RFC 5322 section 2.2). */
export function isMailAddress(to: string): boolean {
  return Email.safeParse(to).success;
}

/** Whether a text message can go there: one number in E.164 form. */
export function isPhoneNumber(to: string): boolean {
  return PhoneNumber.safeParse(to).success;
}

/** Text as a header line may hold it: without line breaks and other controls. */
export function headerText(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
}
