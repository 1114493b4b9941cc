import * as z from "zod";
import { storedOnly } from "../settings.ts";

/** Maximum length of a text in characters. */
export const longestText = 2000;

/**
 * Maximum size in bytes of the JSON of a prompt's texts in one language, of its partials, or of the rendering of one
 * screen.
 */
export const maximumDocumentBytes = 65_536;

const name = z.string().min(1).max(128);

/**
 * Texts by screen and by key (Auth0: `PUT /api/v2/prompts/{prompt}/custom-text/{language}`). docs/reference/texts.md
 * lists the texts that pages use.
 */
export const CustomTexts = z
  .record(name, z.record(name, z.string().max(longestText)))
  .meta({ id: "CustomTexts", description: "Texts by screen and by key. Texts that no page uses are stored and returned" });

/** HTML snippets by screen and by the position in Auth0's template. */
export const Partials = storedOnly(z.record(name, z.record(name, z.string().max(maximumDocumentBytes)))).meta({
  id: "Partials",
  description: "HTML snippets by screen and by position",
});

export type CustomTexts = z.infer<typeof CustomTexts>;
export type Partials = z.infer<typeof Partials>;
