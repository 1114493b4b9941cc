/** How strong a password must be, as a connection's `passwordPolicy` says it. */
export type PasswordLevel = "none" | "low" | "fair" | "good" | "excellent";

/** One rule and whether a password keeps it, as the vendor's clients read it: `message` has `%d` and `%s` for the values of `format`. */
export interface PasswordRule {
  readonly message: string;
  readonly format?: readonly (string | number)[];
  readonly code: string;
  /** The kinds of characters that the rule is about. */
  readonly items?: readonly PasswordRule[];
  readonly verified: boolean;
}

/** Judges one rule. */
type Rule = (password: string) => PasswordRule;

const kinds: readonly Rule[] = [
  (password) => ({ message: "lower case letters (a-z)", code: "lowerCase", verified: /\p{Ll}/u.test(password) }),
  (password) => ({ message: "upper case letters (A-Z)", code: "upperCase", verified: /\p{Lu}/u.test(password) }),
  (password) => ({ message: "numbers (i.e. 0-9)", code: "numbers", verified: /\p{Nd}/u.test(password) }),
  (password) => ({
    message: "special characters (e.g. !@#$%^&*)",
    code: "specialCharacters",
    verified: /[^\p{Ll}\p{Lu}\p{Nd}]/u.test(password),
  }),
];

/** Characters are counted as Unicode code points (NIST SP 800-63B section 3.1.1.2). */
const lengthAtLeast =
  (least: number): Rule =>
  (password) => {
    const verified = Array.from(password).length >= least;
    if (least <= 1) return { message: "Non-empty password required", code: "nonEmpty", verified };
    return { message: "At least %d characters in length", format: [least], code: "lengthAtLeast", verified };
  };

/** Lower case, upper case and a number. */
const shouldContain: Rule = (password) => {
  const items = kinds.slice(0, 3).map((kind) => kind(password));
  return { message: "Should contain:", code: "shouldContain", items, verified: items.every((item) => item.verified) };
};

const containsAtLeast =
  (least: number): Rule =>
  (password) => {
    const items = kinds.map((kind) => kind(password));
    const verified = items.filter((item) => item.verified).length >= least;
    const message = "Contain at least %d of the following %d types of characters:";
    return { message, format: [least, items.length], code: "containsAtLeast", items, verified };
  };

const identicalCharacters =
  (most: number): Rule =>
  (password) => {
    const message = 'No more than %d identical characters in a row (e.g., "%s" not allowed)';
    let [before, run, longest] = ["", 0, 0];
    for (const character of password) {
      run = character === before ? run + 1 : 1;
      longest = Math.max(longest, run);
      before = character;
    }
    return { message, format: [most, "a".repeat(most + 1)], code: "identicalChars", verified: longest <= most };
  };

const levels: { readonly [Level in PasswordLevel]: { readonly length: number; readonly rules: readonly Rule[] } } = {
  none: { length: 1, rules: [] },
  low: { length: 6, rules: [] },
  fair: { length: 8, rules: [shouldContain] },
  good: { length: 8, rules: [containsAtLeast(3)] },
  excellent: { length: 10, rules: [containsAtLeast(3), identicalCharacters(2)] },
};

/** Judges a password by every rule of a level, kept or not. A minimum length of the connection's own replaces the level's. */
export function judgeStrength(password: string, level: PasswordLevel, leastLength?: number): readonly PasswordRule[] {
  const { length, rules } = levels[level];
  return [lengthAtLeast(leastLength ?? length), ...rules].map((rule) => rule(password));
}

/** The rules as text for a person, one a line. */
export function describeRules(rules: readonly PasswordRule[], indent = ""): string {
  return rules
    .flatMap(({ message, format = [], items = [] }) => {
      const values = format.values();
      const line = message.replaceAll(/%[ds]/g, () => String(values.next().value ?? ""));
      return [`${indent}* ${line}`, ...(items.length > 0 ? [describeRules(items, `${indent} `)] : [])];
    })
    .join("\n");
}
