/** The bytes that V8 uses for an object or array without its members, approximately. */
const objectBytes = 64;
/** The bytes that V8 uses for one member. Includes the value if it is a number or boolean. */
const memberBytes = 16;

/**
 * Estimates how many bytes of memory a value uses. The estimate is deterministic, and more likely too high than too
 * low. Text counts two bytes per UTF-16 unit. A value that is referenced twice counts twice.
 * @param value a tree of plain objects, arrays, maps and sets.
 */
export function estimateBytes(value: unknown): number {
  if (typeof value === "string") return memberBytes + value.length * 2;
  if (typeof value !== "object" || value === null) return memberBytes;
  let bytes = objectBytes;
  if (value instanceof Map) {
    for (const [key, member] of value) bytes += estimateBytes(key) + estimateBytes(member);
  } else if (Array.isArray(value) || value instanceof Set) {
    for (const member of value) bytes += estimateBytes(member);
  } else if (ArrayBuffer.isView(value)) {
    bytes += value.byteLength;
  } else {
    // `Object.entries` takes seven times as long, and this runs for each row of a page.
    for (const key in value) if (isMember(value, key)) bytes += memberBytes + key.length * 2 + estimateBytes(value[key]);
  }
  return bytes;
}

function isMember(value: object, key: string): value is { readonly [member: string]: unknown } {
  return Object.hasOwn(value, key);
}
