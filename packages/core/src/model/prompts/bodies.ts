import * as z from "zod";
import { storedOnly } from "../settings.ts";

/** Maximum length of a text in characters. */
const longestText = 2000;

/**
 * Maximum size in bytes of a JSON document: the texts of a prompt in one language, the partials of a prompt, or the
 * rendering of a screen.
 */
export const maximumDocumentBytes = 65_536;

const name = z.string().min(1).max(128);

/**
 * Texts by screen and key (Auth0: `PUT /api/v2/prompts/{prompt}/custom-text/{language}`). docs/reference/texts.md lists
 * the texts that pages use.
 */
export const customTextsSchema = z
  .record(name, z.record(name, z.string().max(longestText)))
  .meta({ id: "CustomTexts", description: "Texts by screen and key. Texts that no page uses are stored and returned, but have no effect" });

/** HTML snippets by screen and position. The positions are those in Auth0's template. */
export const partialsSchema = storedOnly(z.record(name, z.record(name, z.string().max(maximumDocumentBytes)))).meta({
  id: "Partials",
  description: "HTML snippets by screen and position",
});
