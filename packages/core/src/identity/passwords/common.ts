/** The keys beside each key of a keyboard, in the order of their directions. */
interface Keyboard {
  readonly [key: string]: readonly (string | null)[];
}

/** What is read of the list's package. */
interface CommonLanguage {
  readonly adjacencyGraphs: { readonly [name: string]: Keyboard };
  readonly dictionary: { readonly "passwords-common": readonly string[] };
}

/**
 * Whether everybody's first guesses hold a password: it is on a list of common ones, is something short or common over and over, or is a row of neighbours, in the alphabet or on a keyboard.
 * The list leaves out what its own library finds by such rules.
 *
 * The list is loaded by the first password that a process is asked about: 430 kB of JavaScript, most of them its 49,000 passwords.
 * @param folded in NFKC and lower case.
 * @param most how many of the list count, from the most common on. Default: all.
 */
export async function isCommon(folded: string, most = Infinity): Promise<boolean> {
  const { adjacencyGraphs, dictionary } = await loadLanguage();
  const keyboards = Object.values(adjacencyGraphs);
  const guessed = (text: string): boolean => {
    const rank = dictionary["passwords-common"].indexOf(text);
    return (rank !== -1 && rank < most) || isSequence(text) || keyboards.some((keyboard) => isRow(text, keyboard));
  };
  const unit = repeatedPart(folded);
  return guessed(folded) || (unit !== folded && (unit.length <= 3 || guessed(unit)));
}

async function loadLanguage(): Promise<CommonLanguage> {
  const loaded: CommonLanguage | { readonly default: CommonLanguage } = await import("@zxcvbn-ts/language-common");
  // Of a CommonJS file that stands in a chunk of its own, esbuild exports the default alone.
  return "default" in loaded ? loaded.default : loaded;
}

/** What a text is made of over and over: `abc` of `abcabc`. A text that repeats nothing is its own. */
function repeatedPart(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1));
}

/** Neighbours among the characters, upwards or downwards: `abcdef`, `4321`. */
function isSequence(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? NaN);
  return points.length > 2 && [1, -1].some((step) => points.every((point, at) => at === 0 || point - (points[at - 1] ?? NaN) === step));
}

/** Neighbours on a keyboard, always in the same direction: `qwertz`, `1qaz`. */
function isRow(text: string, keyboard: Keyboard): boolean {
  const keys = Array.from(text);
  const directions = keyboard[keys[0] ?? ""]?.keys() ?? [];
  return (
    keys.length > 2 &&
    [...directions].some((direction) => keys.every((key, at) => at === 0 || keyboard[keys[at - 1] ?? ""]?.[direction]?.includes(key)))
  );
}
