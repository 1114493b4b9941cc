/** A JSON value as it is stored in `object` fields: plain data, nothing that `JSON.stringify` would drop or change. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object. Keys are data: `__proto__` and `constructor` are ordinary names in it. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** What a field can hold that conditions compare: text, an integer, or true and false. */
export type Scalar = string | number | boolean;

/** What any field of a row can hold. Instants are integer milliseconds since 1970 (UTC). */
export type Value = Scalar | null | readonly string[] | JsonObject;
