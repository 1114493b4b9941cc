/**
 * Returns typed digits as they are compared, for a phone number, a code of digits or a recovery code. Decimal digits of
 * every script become 0 to 9 (general category Nd of the Unicode standard), because keyboards for Arabic, Persian and
 * Devanagari type them, and full-width letters become ASCII letters. Spaces, dashes and invisible characters such as
 * direction marks are removed: users paste codes from messages, and numbers from their contacts.
 */
export function foldDigits(typed: string): string {
  return typed
    .normalize("NFKC")
    .replaceAll(/[\s\p{Z}\p{Pd}\p{Cf}\u2212]/gu, "")
    .replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)));
}

/**
 * Returns the value of a decimal digit. The digits of a script are ten consecutive characters, which begin with zero.
 * Several sets of digits may follow each other.
 */
function valueOf(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
  return value % 10;
}
