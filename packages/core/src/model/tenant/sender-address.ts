/** Matches one email address, optionally after a name. Line breaks are rejected, so that no header can be injected. */
export const senderAddress = /^(?:[^\p{Cc}\u2028\u2029@<>,;]*<[^\s\p{Cc}@<>,;]+@[^\s\p{Cc}@<>,;]+>|[^\s\p{Cc}@<>,;]+@[^\s\p{Cc}@<>,;]+)$/u;

/** The maximum number of characters of a sender. */
export const maximumSenderLength = 320;

/** Returns `true` if a text is a valid sender of an email. */
export function isSenderAddress(text: string): boolean {
  return text.length <= maximumSenderLength && senderAddress.test(text);
}
