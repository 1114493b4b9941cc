/** Returns the name that text is most likely a typo of; undefined if no name is similar. Letter case is ignored. */
export function closestName(text: string, names: readonly string[]): string | undefined {
  const maximumDistance = Math.max(1, Math.floor(text.length / 3));
  const [closest] = names
    .map((name) => ({ name, distance: distanceBetween(text.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= maximumDistance)
    .toSorted((one, other) => one.distance - other.distance);
  return closest?.name;
}

/**
 * Returns the number of letters to insert, delete or replace to convert one text to the other (Levenshtein distance).
 */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of one.split("").entries()) {
    const next = [above + 1];
    for (const [index, otherLetter] of other.split("").entries()) {
      const [diagonal = 0, up = 0, left = 0] = [row[index], row[index + 1], next[index]];
      next.push(Math.min(up + 1, left + 1, diagonal + (letter === otherLetter ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
