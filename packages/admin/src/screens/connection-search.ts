import { prefixTerm, quotedTerm } from "./read-parts.ts";

/**
 * Returns the search for what an operator typed: a full id, or the start of a name or of a display name.
 * @returns undefined for an empty text.
 */
export function connectionSearch(typed: string): string | undefined {
  const text = typed.trim().slice(0, 200);
  if (text === "") return undefined;
  if (/^con_\w+$/.test(text)) return `id:${quotedTerm(text)}`;
  const capitalized = text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
  return [...new Set([text, capitalized])].flatMap((name) => [prefixTerm("name", name), prefixTerm("display_name", name)]).join(" OR ");
}
