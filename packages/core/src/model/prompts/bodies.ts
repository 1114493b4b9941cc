import * as z from "zod";
import { storedOnly } from "../settings.ts";

/** The longest text that somebody may give, in characters. */
export const longestText = 2000;

/** Bytes of the JSON of what one prompt has in one language, or of its partials, or of the rendering of one screen. */
export const largestDocument = 65_536;

const name = z.string().min(1).max(128);

/** Texts by screen and by key (vendor: `PUT /api/v2/prompts/{prompt}/custom-text/{language}`). Which of them pages use: docs/reference/texts.md. */
export const CustomTexts = z
  .record(name, z.record(name, z.string().max(longestText)))
  .meta({ id: "CustomTexts", description: "Texts by screen and by key. Texts that no page uses are stored and returned" });

/** Snippets of HTML by screen and by the place where the vendor's template puts them. */
export const Partials = storedOnly(z.record(name, z.record(name, z.string().max(largestDocument)))).meta({
  id: "Partials",
  description: "Snippets by screen and by place",
});

export type CustomTexts = z.infer<typeof CustomTexts>;
export type Partials = z.infer<typeof Partials>;
