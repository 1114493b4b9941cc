/** The strength level of a connection's `passwordPolicy`. */
export type PasswordLevel = "none" | "low" | "fair" | "good" | "excellent";

/**
 * A rule and whether a password satisfies it, in the format that Auth0's clients expect. `message` contains `%d` and
 * `%s`, which the values in `format` replace.
 */
export interface PasswordRule {
  readonly message: string;
  readonly format?: readonly (string | number)[];
  readonly code: string;
  /** The character types that the rule requires. */
  readonly items?: readonly PasswordRule[];
  readonly verified: boolean;
}

/** Checks a password against one rule. */
type Rule = (password: string) => PasswordRule;

/** A character type of `password_options.complexity.character_types`. */
type CharacterType = "lowercase" | "uppercase" | "number" | "special";

/**
 * The pattern for each character type, by the code of its rule: the source of a regular expression with the flag `u`.
 */
export const characterPatterns = {
  lowerCase: "\\p{Ll}",
  upperCase: "\\p{Lu}",
  numbers: "\\p{Nd}",
  specialCharacters: "[^\\p{Ll}\\p{Lu}\\p{Nd}]",
} as const;

const kind = (code: keyof typeof characterPatterns, message: string): Rule => {
  const pattern = new RegExp(characterPatterns[code], "u");
  return (password) => ({ message, code, verified: pattern.test(password) });
};

const kinds: { readonly [Type in CharacterType]: Rule } = {
  lowercase: kind("lowerCase", "lower case letters (a-z)"),
  uppercase: kind("upperCase", "upper case letters (A-Z)"),
  number: kind("numbers", "numbers (i.e. 0-9)"),
  special: kind("specialCharacters", "special characters (e.g. !@#$%^&*)"),
};

/** Characters are counted as Unicode code points (NIST SP 800-63B section 3.1.1.2). */
const lengthAtLeast =
  (minimum: number): Rule =>
  (password) => {
    const verified = Array.from(password).length >= minimum;
    if (minimum <= 1) return { message: "Non-empty password required", code: "nonEmpty", verified };
    return { message: "At least %d characters in length", format: [minimum], code: "lengthAtLeast", verified };
  };

const shouldContain =
  (types: readonly CharacterType[]): Rule =>
  (password) => {
    const items = types.map((type) => kinds[type](password));
    return { message: "Should contain:", code: "shouldContain", items, verified: items.every((item) => item.verified) };
  };

const containsAtLeast =
  (minimum: number): Rule =>
  (password) => {
    const items = Object.values(kinds).map((kind) => kind(password));
    const verified = items.filter((item) => item.verified).length >= minimum;
    const message = "Contain at least %d of the following %d types of characters:";
    return { message, format: [minimum, items.length], code: "containsAtLeast", items, verified };
  };

const identicalCharacters =
  (maximum: number): Rule =>
  (password) => {
    const message = 'No more than %d identical characters in a row (e.g., "%s" not allowed)';
    let [before, run, longestRun] = ["", 0, 0];
    for (const character of password) {
      run = character === before ? run + 1 : 1;
      longestRun = Math.max(longestRun, run);
      before = character;
    }
    return { message, format: [maximum, "a".repeat(maximum + 1)], code: "identicalChars", verified: longestRun <= maximum };
  };

/** Limits the number of consecutive letters or digits, ascending or descending, ignoring case. */
const sequentialCharacters =
  (maximum: number): Rule =>
  (password) => {
    const message = 'No more than %d sequential characters in a row (e.g., "%s" not allowed)';
    let [before, direction, run, longestRun] = [NaN, 0, 1, 1];
    for (const character of password.toLowerCase()) {
      const point = /[\p{L}\p{Nd}]/u.test(character) ? (character.codePointAt(0) ?? NaN) : NaN;
      const difference = point - before;
      const neighbours = Math.abs(difference) === 1;
      run = neighbours ? (difference === direction ? run + 1 : 2) : 1;
      direction = neighbours ? difference : 0;
      longestRun = Math.max(longestRun, run);
      before = point;
    }
    return { message, format: [maximum, "abcdefghi".slice(0, maximum + 1)], code: "sequentialChars", verified: longestRun <= maximum };
  };

const levels: { readonly [Level in PasswordLevel]: { readonly length: number; readonly rules: readonly Rule[] } } = {
  none: { length: 1, rules: [] },
  low: { length: 6, rules: [] },
  fair: { length: 8, rules: [shouldContain(["lowercase", "uppercase", "number"])] },
  good: { length: 8, rules: [containsAtLeast(3)] },
  excellent: { length: 10, rules: [containsAtLeast(3), identicalCharacters(2)] },
};

/** The strength options of a connection in addition to its level (`password_options.complexity`). */
export interface PasswordComplexity {
  readonly min_length?: number;
  /**
   * The required character types. `character_type_rule` decides whether all of them are required, or three of the four.
   */
  readonly character_types?: readonly CharacterType[];
  /** Default: `all`. */
  readonly character_type_rule?: "all" | "three_of_four";
  /** `block`: rejects the same character three times in a row. */
  readonly identical_characters?: "allow" | "block";
  /** `block`: rejects three consecutive characters, such as `abc` or `321`. */
  readonly sequential_characters?: "allow" | "block";
}

function rulesOf({ character_types: types = [], ...complexity }: PasswordComplexity): readonly Rule[] {
  return [
    ...(complexity.character_type_rule === "three_of_four" ? [containsAtLeast(3)] : types.length > 0 ? [shouldContain(types)] : []),
    ...(complexity.identical_characters === "block" ? [identicalCharacters(2)] : []),
    ...(complexity.sequential_characters === "block" ? [sequentialCharacters(2)] : []),
  ];
}

/**
 * Checks a password against every rule of a level and of a connection. Returns all rules, including those that the
 * password satisfies.
 * @param minimumLength replaces the minimum length of the level. The greater of this length and `complexity.min_length`
 * applies.
 */
export function judgeStrength(
  password: string,
  level: PasswordLevel,
  minimumLength?: number,
  complexity: PasswordComplexity = {},
): readonly PasswordRule[] {
  const { length, rules } = levels[level];
  const minimum = Math.max(minimumLength ?? length, complexity.min_length ?? 0);
  const judged = [lengthAtLeast(minimum), ...rules, ...rulesOf(complexity)].map((rule) => rule(password));
  return judged.filter(
    ({ code, items }, index) => judged.findIndex((rule) => rule.code === code && sameItems(rule.items, items)) === index,
  );
}

/**
 * Returns whether two rules require the same character types, because a level and a connection may have the same rule.
 */
function sameItems(some: readonly PasswordRule[] = [], others: readonly PasswordRule[] = []): boolean {
  return some.map(({ code }) => code).join() === others.map(({ code }) => code).join();
}

/** Formats rules as text for users, one rule per line. */
export function describeRules(rules: readonly PasswordRule[], indent = ""): string {
  return rules
    .flatMap(({ message, format = [], items = [] }) => {
      const values = format.values();
      const line = message.replaceAll(/%[ds]/g, () => String(values.next().value ?? ""));
      return [`${indent}* ${line}`, ...(items.length > 0 ? [describeRules(items, `${indent} `)] : [])];
    })
    .join("\n");
}
