import type { Json } from "../../store/value.ts";

/** A key of metadata that an action sets, as it is stored: a copy. @throws {TypeError} for what is none. */
export function metadataEntry(key: string, value: Json): readonly [key: string, value: Json] {
  const text = JSON.stringify(value);
  if (typeof key !== "string" || key === "" || text === undefined) throw new TypeError("metadata has a name and a JSON value");
  return [key, JSON.parse(text) as Json];
}
