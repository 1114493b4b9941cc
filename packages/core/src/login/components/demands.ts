import { characterPatterns } from "../../identity/passwords/strength.ts";
import type { Translate } from "../../locales/translate.ts";
import type { NewPasswordRule } from "../new-password.ts";

/** Something that a new password needs, as the page says it and as its script finds out. */
export interface Demand {
  readonly text: string;
  /** Whether the password that was tried keeps to it. Left out: none was tried. */
  readonly kept?: boolean | undefined;
  /** Kept by a password that matches so many of the patterns (regular expressions for the flags `s` and `u`). */
  readonly patterns: readonly string[];
  readonly least: number;
  /** Besides, how many neighbours of the alphabet or of the digits may stand in a row. */
  readonly mostInSequence?: number;
}

/** What a new password needs, in the person's language. Nothing of what every password keeps. */
export function demandsOf(say: Translate, rules: readonly NewPasswordRule[]): readonly Demand[] {
  return rules.flatMap((rule) => demandsOfRule(say, rule));
}

function demandsOfRule(say: Translate, { code, format = [], items = [], verified: kept }: NewPasswordRule): readonly Demand[] {
  const [number = 0] = format.map(Number);
  switch (code) {
    case "lengthAtLeast":
      return [{ text: say.text("demandLength", { count: String(number) }), kept, patterns: [`^.{${number}}`], least: 1 }];
    case "shouldContain":
      return demandsOf(say, items);
    case "lowerCase":
      return [{ text: say.text("demandLowerCase"), kept, patterns: [characterPatterns.lowerCase], least: 1 }];
    case "upperCase":
      return [{ text: say.text("demandUpperCase"), kept, patterns: [characterPatterns.upperCase], least: 1 }];
    case "numbers":
      return [{ text: say.text("demandNumbers"), kept, patterns: [characterPatterns.numbers], least: 1 }];
    case "specialCharacters":
      return [{ text: say.text("demandSpecial"), kept, patterns: [characterPatterns.specialCharacters], least: 1 }];
    case "containsAtLeast":
      return [{ text: say.text("demandKinds"), kept, patterns: Object.values(characterPatterns), least: number }];
    case "identicalChars":
      return [{ text: say.text("demandIdentical"), kept, patterns: [`^(?!.*(.)\\1{${number}})`], least: 1 }];
    case "sequentialChars":
      return [{ text: say.text("demandSequential"), kept, patterns: [], least: 0, mostInSequence: number }];
    default:
      return [];
  }
}

/** The same for password managers that make passwords: the attribute `passwordrules`, which Safari and others read. */
export function passwordRulesText(rules: readonly NewPasswordRule[]): string {
  return rules.flatMap(({ code, format = [], items = [] }) => textsOf(code, Number(format[0]), items)).join("; ");
}

const classes: { readonly [code: string]: string } = {
  lowerCase: "lower",
  upperCase: "upper",
  numbers: "digit",
  specialCharacters: "special",
};

function textsOf(code: string, number: number, items: readonly NewPasswordRule[]): readonly string[] {
  switch (code) {
    case "lengthAtLeast":
      return [`minlength: ${number}`];
    case "shouldContain":
    case "containsAtLeast":
      // All kinds where some are enough: there is no way to say how many.
      return items.flatMap((item) => (classes[item.code] === undefined ? [] : [`required: ${classes[item.code]}`]));
    case "identicalChars":
      return [`max-consecutive: ${number}`];
    default:
      return [];
  }
}
