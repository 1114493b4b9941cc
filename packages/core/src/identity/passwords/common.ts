/** The keys next to each key of a keyboard, in the order of their directions. */
interface Keyboard {
  readonly [key: string]: readonly (string | null)[];
}

/** The used parts of the package with the list. */
interface CommonLanguage {
  readonly adjacencyGraphs: { readonly [name: string]: Keyboard };
  readonly dictionary: { readonly "passwords-common": readonly string[] };
}

/**
 * Whether a password is among the first guesses of an attacker: it is on a list of common passwords, repeats a short or
 * common text, or is a sequence of the alphabet or of a keyboard. The list does not contain passwords that its own
 * library detects by such rules.
 *
 * The list is loaded when the first password is checked: 430 kB of JavaScript, most of it the 49,000 passwords.
 * @param folded in NFKC and lower case.
 * @param maximumEntries how many entries of the list count, starting with the most common one. Default: all.
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
  // For a CommonJS file in a separate chunk, esbuild exports only `default`.
  return "default" in loaded ? loaded.default : loaded;
}

/**
 * The text whose repetition makes up the whole text: `abc` for `abcabc`. A text without repetition is returned
 * unchanged.
 */
function repeatedPart(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1));
}

/** Consecutive characters, ascending or descending: `abcdef`, `4321`. */
function isSequence(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? NaN);
  return points.length > 2 && [1, -1].some((step) => points.every((point, at) => at === 0 || point - (points[at - 1] ?? NaN) === step));
}

/** Adjacent keys of a keyboard, always in the same direction: `qwertz`, `1qaz`. */
function isRow(text: string, keyboard: Keyboard): boolean {
  const keys = Array.from(text);
  const directions = keyboard[keys[0] ?? ""]?.keys() ?? [];
  return (
    keys.length > 2 &&
    [...directions].some((direction) => keys.every((key, at) => at === 0 || keyboard[keys[at - 1] ?? ""]?.[direction]?.includes(key)))
  );
}
