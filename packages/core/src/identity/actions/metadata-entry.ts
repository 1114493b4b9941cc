import type { Json } from "../../store/value.ts";

/** Validates and copies a metadata entry that an action sets. @throws {TypeError} if it is invalid. */
export function metadataEntry(key: string, value: Json): readonly [key: string, value: Json] {
  const text = JSON.stringify(value);
  if (typeof key !== "string" || key === "" || text === undefined)
    throw new TypeError("a metadata entry must have a non-empty name and a JSON value");
  return [key, JSON.parse(text) as Json];
}
