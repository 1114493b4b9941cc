/** A keyboard layout: the adjacent keys of each key, by direction. */
interface Keyboard {
  readonly [key: string]: readonly (string | null)[];
}

/** The parts of the package with the list of common passwords that this module uses. */
interface CommonLanguage {
  readonly adjacencyGraphs: { readonly [name: string]: Keyboard };
  readonly dictionary: { readonly "passwords-common": readonly string[] };
}

/**
 * Returns whether an attacker would guess a password early: it is on a list of common passwords, repeats a short or
 * common text, or is a sequence of letters in the alphabet or of adjacent keys. The list omits passwords that such
 * rules detect, so the list alone is not enough.
 *
 * The list is loaded when the first password is checked. It consists of 430 kB of JavaScript, mostly the 49,000
 * passwords.
 * @param folded the password in NFKC and lower case.
 * @param maximumEntries the number of entries in the list to compare with, starting with the most common password.
 * Default: all.
 */
export async function isCommon(folded: string, maximumEntries = Infinity): Promise<boolean> {
  const { adjacencyGraphs, dictionary } = await loadLanguage();
  const keyboards = Object.values(adjacencyGraphs);
  const guessed = (text: string): boolean => {
    const rank = dictionary["passwords-common"].indexOf(text);
    return (rank !== -1 && rank < maximumEntries) || isSequence(text) || keyboards.some((keyboard) => isRow(text, keyboard));
  };
  const unit = repeatedPart(folded);
  return guessed(folded) || (unit !== folded && (unit.length <= 3 || guessed(unit)));
}

async function loadLanguage(): Promise<CommonLanguage> {
  const loaded: CommonLanguage | { readonly default: CommonLanguage } = await import("@zxcvbn-ts/language-common");
  // If esbuild puts a CommonJS file into a separate chunk, the chunk exports only `default`.
  return "default" in loaded ? loaded.default : loaded;
}

/** Returns the part that a text repeats: `abc` for `abcabc`. Text without repetition is returned unchanged. */
function repeatedPart(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1));
}

/** Returns whether the characters are consecutive, ascending or descending: `abcdef`, `4321`. */
function isSequence(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? NaN);
  return points.length > 2 && [1, -1].some((step) => points.every((point, at) => at === 0 || point - (points[at - 1] ?? NaN) === step));
}

/** Returns whether the characters are adjacent keys of a keyboard, always in the same direction: `qwertz`, `1qaz`. */
function isRow(text: string, keyboard: Keyboard): boolean {
  const keys = Array.from(text);
  const directions = keyboard[keys[0] ?? ""]?.keys() ?? [];
  return (
    keys.length > 2 &&
    [...directions].some((direction) => keys.every((key, at) => at === 0 || keyboard[keys[at - 1] ?? ""]?.[direction]?.includes(key)))
  );
}
