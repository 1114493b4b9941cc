import { boundedSearch, prefixTerm, quotedTerm } from "./read-parts.ts";

/**
 * Returns the search for what an operator typed: a full user id, a phone number, the start of an email address, of a
 * name or of a username. Each field has an index, and no term begins with a wildcard. A data store may still read the
 * list in its order if the search has several fields.
 * @returns undefined for an empty text.
 */
export function userSearch(typed: string): string | undefined {
  const text = typed.trim().slice(0, 200);
  if (text === "") return undefined;
  if (text.includes("|")) return `user_id:${quotedTerm(text)}`;
  if (text.includes("@")) return prefixTerm("email", text);
  if (/^\+[\d\s()./-]{3,}$/.test(text)) return prefixTerm("phone_number", text.replaceAll(/[^\d+]/g, ""));
  return boundedSearch(text, startsWith);
}

function startsWith(text: string): string {
  const capitalized = text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
  const names = [...new Set([text, capitalized])].map((name) => prefixTerm("name", name));
  return [prefixTerm("email", text), ...names, prefixTerm("username", text)].join(" OR ");
}
