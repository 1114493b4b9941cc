/** Bytes of an object or array without its members, roughly as V8 stores it. */
const objectBytes = 64;
/** Bytes of a member: its slot, and a number or boolean in it. */
const memberBytes = 16;

/**
 * Estimates how much memory a value takes, in bytes: deterministic, and rather too much than too little. Text counts two bytes a character. A value that is referenced twice counts twice.
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
    for (const [key, member] of Object.entries(value)) bytes += memberBytes + key.length * 2 + estimateBytes(member);
  }
  return bytes;
}
