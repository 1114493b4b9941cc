import { cataloguedFor, type Catalogues } from "./catalogues.ts";
import { en } from "./en.ts";
import type { MessageKey, Messages, Placeholders } from "./messages.ts";

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

/** The texts of a language. A tag that the catalogues do not hold is English. */
export function translator(catalogues: Catalogues, tag: string): Translate {
  const found = cataloguedFor(catalogues, tag);
  const messages = found ?? catalogues["en"] ?? en;
  const fill = <Value>(key: MessageKey, values: { readonly [name: string]: Value } = {}): (string | Value)[] =>
    messages[key].split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : (values[piece] ?? "")));
  return {
    lang: found === undefined ? "en" : tag,
    direction: messages.direction,
    text: (key, ...[values]) => fill(key, values).join(""),
    pieces: (key, ...[values]) => fill(key, values),
  };
}
