import { isObject } from "./value.ts";

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
  } else if (isObject(value)) {
    // This runs for each row of a page. `Object.entries` takes seven times as long, and a call for each text twice.
    // Plain objects inherit no members.
    for (const key in value) {
      const member = value[key];
      bytes += memberBytes + key.length * 2 + (typeof member === "string" ? memberBytes + member.length * 2 : estimateBytes(member));
    }
  }
  return bytes;
}
