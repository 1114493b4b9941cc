import type { en } from "./en.ts";

/** The texts for pages in one language. With a missing or unknown text, the file of a language does not compile. */
export type Messages = { readonly [Key in keyof typeof en]: Key extends "direction" ? "ltr" | "rtl" : string };

/**
 * How texts address the user, in languages with two forms of address: "Sie" or "du" in German, "vous" or "tu" in
 * French.
 */
export type FormOfAddress = "formal" | "familiar";

/** The name of a text. */
export type MessageKey = Exclude<keyof Messages, "direction">;

/** The names of the placeholders in the English version of a text. */
export type Placeholders<Key extends MessageKey> = NamesIn<(typeof en)[Key]>;

/** The names of the placeholders in a text. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
