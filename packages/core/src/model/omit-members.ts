import { isObject, type Json, type JsonObject } from "../store/value.ts";

/**
 * Returns an object without the members whose value stands for an omitted member, at every depth. Arrays stay unchanged.
 * @param freeForm the names of members that stay unchanged, because the caller defines their content.
 */
export function omitMembers(object: JsonObject, isOmitted: (value: Json) => boolean, freeForm: ReadonlySet<string>): JsonObject {
  const entries = Object.entries(object).filter(([, value]) => !isOmitted(value));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isObject(value) && !freeForm.has(name) ? omitMembers(value, isOmitted, freeForm) : value]),
  );
}
