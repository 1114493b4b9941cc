import type { Translations } from "./translations.ts";
import type { FormOfAddress, MessageKey, Messages, Placeholders } from "./messages.ts";

/** A text with its placeholders filled, each with what a text there may hold. */
export interface Translate {
  readonly lang: string;
  readonly direction: Messages["direction"];
  /** The text as a string. */
  text<Key extends MessageKey>(key: Key, ...values: Values<Key, string>): string;
  /** The text as pieces in the language's own order, for texts of which a part is drawn in its own way. */
  pieces<Key extends MessageKey, Node>(key: Key, ...values: Values<Key, Node>): (string | Node)[];
}

type Values<Key extends MessageKey, Value> = [Placeholders<Key>] extends [never]
  ? []
  : [values: { readonly [Name in Placeholders<Key>]: Value }];

/** The texts of a language. A tag that is not spoken is English. */
export async function translator(catalogues: Translations, tag: string, form: FormOfAddress): Promise<Translate> {
  return translate(await catalogues.texts(tag, form), catalogues.speaks(tag) ? tag : "en");
}

function translate(messages: Messages, lang: string): Translate {
  return {
    lang,
    direction: messages.direction,
    text: (key, ...[values]) => fill(messages[key], values).join(""),
    pieces: (key, ...[values]) => fill(messages[key], values),
  };
}

/** A text as its pieces, each placeholder with its value. */
export function fill<Value>(text: string, values: { readonly [name: string]: Value } = {}): (string | Value)[] {
  return text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : (values[piece] ?? "")));
}
