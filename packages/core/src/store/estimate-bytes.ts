/** Bytes of an object or array without its members, approximately as V8 stores it. */
const objectBytes = 64;
/** Bytes of a member: its slot, including a number or boolean. */
const memberBytes = 16;

/**
 * Estimates the memory of a value in bytes. The estimate is deterministic and rather too high than too low. Text counts
 * two bytes per character. A value that is referenced twice counts twice.
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
