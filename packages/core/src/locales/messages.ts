import type { en } from "./en.ts";

/** The texts of the pages in one language. A language with a missing or unknown text does not compile. */
export type Messages = { readonly [Key in keyof typeof en]: Key extends "direction" ? "ltr" | "rtl" : string };

/** How texts address the user, in languages that distinguish it: "Sie" or "du" in German, "vous" or "tu" in French. */
export type FormOfAddress = "formal" | "familiar";

/** The name of a text. */
export type MessageKey = Exclude<keyof Messages, "direction">;

/** The placeholders of a text, as the English text has them. */
export type Placeholders<Key extends MessageKey> = NamesIn<(typeof en)[Key]>;

/** The names of the placeholders in a text. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
