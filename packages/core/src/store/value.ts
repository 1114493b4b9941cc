/** A JSON value of an `object` field: plain data that `JSON.stringify` neither drops nor changes. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object. Keys are data: `__proto__` and `constructor` have no special meaning. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a parsed JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that conditions can compare: text, a number or a boolean. */
export type Scalar = string | number | boolean;

/** The value of any field of a row. Instants are integer milliseconds since 1970 (UTC). */
export type Value = Scalar | null | readonly string[] | JsonObject;
