import { QueryError } from "./error.ts";

/** Maximum length of `q`, in UTF-16 units. */
const longestQuery = 1000;

export const isBlank = (character: string): boolean => character === " " || character === "\t" || character === "\n" || character === "\r";

/** Returns the first index from `from` on that is not a blank. */
export function skipBlanks(source: string, from: number): number {
  let i = from;
  while (i < source.length && isBlank(source.charAt(i))) i++;
  return i;
}

/** Rejects text that databases treat differently: control characters (PostgreSQL stores no NUL) and lone surrogates. */
export function checkCharacters(source: string): void {
  if (source.length > longestQuery) throw new QueryError(longestQuery, `a query has at most ${longestQuery} characters`);
  for (let i = 0; i < source.length; i++) {
    const unit = source.charCodeAt(i);
    if ((unit < 0x20 && !isBlank(source.charAt(i))) || unit === 0x7f) throw new QueryError(i, "control characters are not allowed");
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = source.charCodeAt(i + 1);
    if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) throw new QueryError(i, "a lone surrogate is not allowed");
    i++;
  }
}
