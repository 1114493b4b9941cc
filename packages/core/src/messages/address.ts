import { emailSchema } from "../model/email-address.ts";

/**
 * Whether a text is exactly one email address. Anything else could add recipients or header lines to a mail (RFC 5322
 * section 2.2).
 */
export function isMailAddress(to: string): boolean {
  return emailSchema.safeParse(to).success;
}

/** Returns a text as it can be used in a header line, without line breaks and other control characters. */
export function headerText(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
}
