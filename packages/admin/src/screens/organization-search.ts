import { prefixTerm, quotedTerm } from "./read-parts.ts";

/**
 * Returns the search for what an operator typed: a full id, or the start of a name or of a display name.
 * @returns undefined for an empty text.
 */
export function organizationSearch(typed: string): string | undefined {
  const text = typed.trim().slice(0, 200);
  if (text === "") return undefined;
  if (/^org_\w+$/.test(text)) return `id:${quotedTerm(text)}`;
  const capitalized = text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
  const names = [...new Set([text, capitalized])].map((name) => prefixTerm("display_name", name));
  return [prefixTerm("name", text), ...names].join(" OR ");
}
