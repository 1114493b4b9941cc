/**
 * Returns the smallest text, in code point order, that is greater than every text that starts with `prefix`. Returns
 * undefined if no text is greater, for example if the prefix is empty.
 */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix.toWellFormed(), (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    // Surrogates are not characters, so the next code point after U+D7FF is U+E000.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}
