import { boundedText, prefixTerm, quotedTerm } from "./read-parts.ts";

/** A search for users: the parameters `q` and `sort` of `GET /api/v2/users`. */
export interface UserSearch {
  readonly q: string;
  readonly sort?: string;
}

/**
 * Returns the searches for what an operator typed, in the order in which their results are shown. A full user id, a
 * phone number and the start of an email address need one. Any other text can be the start of a name, of an email
 * address or of a username: each search leaves out the users that an earlier one finds. Each has one condition with an
 * index, and no term begins with a wildcard. The index of a name or an email address also has the order of its search,
 * so a page takes as long in a tenant of a million users as in a small one.
 * @returns no search for an empty text.
 */
export function userSearches(typed: string): readonly UserSearch[] {
  const text = typed.trim().slice(0, 200);
  if (text === "") return [];
  if (text.includes("|")) return [{ q: `user_id:${quotedTerm(text)}` }];
  if (text.includes("@")) return [{ q: prefixTerm("email", text), sort: "email:asc" }];
  if (/^\+[\d\s()./-]{3,}$/.test(text)) return [{ q: prefixTerm("phone_number", text.replaceAll(/[^\d+]/g, "")) }];
  // The last search contains all terms, so it is the longest one.
  return startsWith(boundedText(text, (shortened) => startsWith(shortened).at(-1)?.q ?? ""));
}

function startsWith(text: string): readonly UserSearch[] {
  const capitalized = text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
  const names = [...new Set([text, capitalized])].map((name) => ({ term: prefixTerm("name", name), sort: "name:asc" }));
  const searches = [...names, { term: prefixTerm("email", text), sort: "email:asc" }, { term: prefixTerm("username", text) }];
  return searches.map(({ term, ...order }, i) => {
    const earlier = searches.slice(0, i).map((search) => ` AND NOT ${search.term}`);
    return { q: term + earlier.join(""), ...order };
  });
}
