import type { Translations } from "./translations.ts";
import type { FormOfAddress, MessageKey, Messages, Placeholders } from "./messages.ts";

/** Returns the texts in one language, with the placeholders filled in. */
export interface Translate {
  readonly lang: string;
  readonly direction: Messages["direction"];
  /** Returns a text as a string. */
  text<Key extends MessageKey>(key: Key, ...values: Values<Key, string>): string;
  /** Returns a text as pieces in the word order of the language, so that the value of a placeholder can be markup. */
  pieces<Key extends MessageKey, Node>(key: Key, ...values: Values<Key, Node>): (string | Node)[];
}

type Values<Key extends MessageKey, Value> = [Placeholders<Key>] extends [never]
  ? []
  : [values: { readonly [Name in Placeholders<Key>]: Value }];

/** Creates the translator for a language, or the English one if the language is not available. */
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

/** Splits a text at its placeholders. Returns the pieces, with each placeholder replaced by its value. */
export function fill<Value>(text: string, values: { readonly [name: string]: Value } = {}): (string | Value)[] {
  return text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : (values[piece] ?? "")));
}
