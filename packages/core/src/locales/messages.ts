import type { en } from "./en.ts";

/** Everything the pages say, in one language. A language that lacks a text, or has one too many, does not compile. */
export type Messages = { readonly [Key in keyof typeof en]: Key extends "direction" ? "ltr" | "rtl" : string };

/** How pages address people, in languages that know more than one way: German says "Sie" or "du", French "vous" or "tu". */
export type FormOfAddress = "formal" | "familiar";

/** The name of a text. */
export type MessageKey = Exclude<keyof Messages, "direction">;

/** The placeholders of a text, read from the English one. */
export type Placeholders<Key extends MessageKey> = NamesIn<(typeof en)[Key]>;

/** The names in braces that a text holds. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
