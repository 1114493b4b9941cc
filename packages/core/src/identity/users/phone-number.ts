/** Removes separators from a phone number: spaces, parentheses, dots and dashes. */
export function foldPhoneNumber(typed: string): string {
  return typed.trim().replaceAll(/[\s().-]/g, "");
}

/**
 * Parses a phone number in international form: `+` and the country code first. Checks whether the number of digits is
 * possible in that country. Does not check whether the number is assigned, because lists of assigned ranges are soon
 * out of date.
 * @returns the number in E.164 form; undefined for other text. A sign-in normalizes its input in the same way, so it
 * finds the account.
 */
export async function readPhoneNumber(typed: string): Promise<string | undefined> {
  const folded = foldPhoneNumber(typed);
  // The table of all countries is large, so it is loaded on first use.
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/min");
  const number = parsePhoneNumberFromString(folded, { extract: false });
  return number?.isPossible() === true && number.number === folded ? folded : undefined;
}
