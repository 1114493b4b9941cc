import type { Translations } from "./translations.ts";
import type { FormOfAddress, MessageKey, Messages, Placeholders } from "./messages.ts";

/** Returns the texts of one language, with filled placeholders. */
export interface Translate {
  readonly lang: string;
  readonly direction: Messages["direction"];
  /** The text as a string. */
  text<Key extends MessageKey>(key: Key, ...values: Values<Key, string>): string;
  /** The text as pieces in the order of the language, for texts with markup around a placeholder. */
  pieces<Key extends MessageKey, Node>(key: Key, ...values: Values<Key, Node>): (string | Node)[];
}

type Values<Key extends MessageKey, Value> = [Placeholders<Key>] extends [never]
  ? []
  : [values: { readonly [Name in Placeholders<Key>]: Value }];

/** Returns the texts of a language; English if the language is not available. */
export async function translator(catalogues: Translations, tag: string, form: FormOfAddress): Promise<Translate> {
  return translate(await catalogues.texts(tag, form), catalogues.hasLanguage(tag) ? tag : "en");
}

function translate(messages: Messages, lang: string): Translate {
  return {
    lang,
    direction: messages.direction,
    text: (key, ...[values]) => fill(messages[key], values).join(""),
    pieces: (key, ...[values]) => fill(messages[key], values),
  };
}

/** Splits a text into pieces, with the value of each placeholder. */
export function fill<Value>(text: string, values: { readonly [name: string]: Value } = {}): (string | Value)[] {
  return text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : (values[piece] ?? "")));
}
