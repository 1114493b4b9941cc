import { characterPatterns } from "../../identity/passwords/strength.ts";
import type { Translate } from "../../locales/translate.ts";
import type { NewPasswordRule } from "../new-password.ts";

/** A requirement for a new password: its text, and the data with which the page script checks it. */
export interface Demand {
  readonly text: string;
  /** Whether the rejected password meets the requirement. Omitted if no password was rejected. */
  readonly kept?: boolean | undefined;
  /**
   * The requirement is met if the password matches at least `least` of these regular expressions (flags `s` and `u`).
   */
  readonly patterns: readonly string[];
  readonly least: number;
  /** The maximum length of a run of consecutive letters or digits. */
  readonly mostInSequence?: number;
}

/** Returns the requirements for a new password in the visitor's language. */
export function demandsOf(t: Translate, rules: readonly NewPasswordRule[]): readonly Demand[] {
  return rules.flatMap((rule) => demandsOfRule(t, rule));
}

function demandsOfRule(t: Translate, { code, format = [], items = [], verified: kept }: NewPasswordRule): readonly Demand[] {
  const [number = 0] = format.map(Number);
  switch (code) {
    case "lengthAtLeast":
      return [{ text: t.text("demandLength", { count: String(number) }), kept, patterns: [`^.{${number}}`], least: 1 }];
    case "shouldContain":
      return demandsOf(t, items);
    case "lowerCase":
      return [{ text: t.text("demandLowerCase"), kept, patterns: [characterPatterns.lowerCase], least: 1 }];
    case "upperCase":
      return [{ text: t.text("demandUpperCase"), kept, patterns: [characterPatterns.upperCase], least: 1 }];
    case "numbers":
      return [{ text: t.text("demandNumbers"), kept, patterns: [characterPatterns.numbers], least: 1 }];
    case "specialCharacters":
      return [{ text: t.text("demandSpecial"), kept, patterns: [characterPatterns.specialCharacters], least: 1 }];
    case "containsAtLeast":
      return [{ text: t.text("demandKinds"), kept, patterns: Object.values(characterPatterns), least: number }];
    case "identicalChars":
      return [{ text: t.text("demandIdentical"), kept, patterns: [`^(?!.*(.)\\1{${number}})`], least: 1 }];
    case "sequentialChars":
      return [{ text: t.text("demandSequential"), kept, patterns: [], least: 0, mostInSequence: number }];
    default:
      return [];
  }
}

/**
 * Returns the rules as the value of the `passwordrules` attribute. Safari and some password managers generate passwords
 * by these rules.
 */
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
      // The attribute cannot require some of several kinds of characters, so it requires all of them.
      return items.flatMap((item) => (classes[item.code] === undefined ? [] : [`required: ${classes[item.code]}`]));
    case "identicalChars":
      return [`max-consecutive: ${number}`];
    default:
      return [];
  }
}
