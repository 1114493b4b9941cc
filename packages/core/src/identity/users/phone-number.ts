/** A phone number without what people put between its digits: spaces, brackets, dots and dashes. */
export function foldPhoneNumber(typed: string): string {
  return typed.trim().replaceAll(/[\s().-]/g, "");
}

/**
 * Reads a phone number that somebody typed in its international form: `+` and the country's code first. Whether its digits can be a number of that country is checked, whether
 * anybody has it is not: new ranges are given out faster than lists of them come, and a code that is sent there shows it.
 * @returns its E.164 form; undefined for anything else. A sign-in folds what was typed in the same way, so that it finds the same account.
 */
export async function readPhoneNumber(typed: string): Promise<string | undefined> {
  const folded = foldPhoneNumber(typed);
  // The numbers of all countries are a large table: loaded when somebody first gives one.
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/min");
  const number = parsePhoneNumberFromString(folded, { extract: false });
  return number?.isPossible() === true && number.number === folded ? folded : undefined;
}
