/** A JSON object. */
export interface MetadataObject {
  readonly [name: string]: unknown;
}

/** Parses a JSON object. @returns undefined if the text is no JSON object. An empty text is an empty object. */
export function readObject(text: string): MetadataObject | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what the API merges to turn one object into another: the members that differ, and `null` for removed ones. */
export function metadataChange(before: MetadataObject, after: MetadataObject): MetadataObject {
  const changed = Object.entries(after).filter(([name, value]) => !Object.hasOwn(before, name) || !isSameJson(before[name], value));
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return Object.fromEntries([...changed, ...removed.map((name) => [name, null] as const)]);
}

/** Whether two values have the same JSON text. Another order of members counts as a difference. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
