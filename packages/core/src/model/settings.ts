import * as z from "zod";
import type { JsonObject } from "../store/value.ts";
import { PosternError } from "../errors.ts";

/**
 * Parses stored settings. It does not use zod's generated code (`jitless`): compiling that code takes a millisecond,
 * and each process reads the settings at most once in five seconds (tenants/cache.ts).
 */
export function readStored<Schema extends z.ZodType>(schema: Schema, stored: JsonObject): z.output<Schema> {
  return schema.parse(stored, { jitless: true });
}

/**
 * Returns a function that reads stored settings, each object once. For settings that every request reads: the cache
 * returns the same object for up to five seconds. Neither the object nor the result may be changed.
 */
export function storedReader<Settings extends object>(read: (stored: JsonObject) => Settings): (stored: JsonObject) => Settings {
  const known = new WeakMap<JsonObject, Settings>();
  return (stored) => {
    const found = known.get(stored) ?? read(stored);
    known.set(stored, found);
    return found;
  };
}

/**
 * Applies a change to the first level of stored settings. Omitted settings stay unchanged. `null` removes a setting,
 * which then has its default, if any. Names have no special meaning, not even `__proto__`.
 */
export function mergeSettings(stored: JsonObject, change: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null));
}

/** The JSON Schema keyword for a setting that is stored only. OpenAPI documents contain it. */
export const storedOnlyMark = "x-stored-only";

/** The meaning of {@link storedOnlyMark}, for documentation. */
export const storedOnlyText = "Stored for compatibility with Auth0; has no effect in Postern";

/**
 * Marks a setting as stored only. It has no effect, but is stored and returned because Auth0's tools write back
 * everything that they read.
 * @param note replaces the schema's description, and describes what Postern does instead.
 */
export function storedOnly<Schema extends z.ZodType>(schema: Schema, note?: string): Schema {
  return schema.meta({ ...schema.meta(), ...(note !== undefined && { description: note }), [storedOnlyMark]: true });
}

/** Marks each of these settings with {@link storedOnly}. */
export function storedOnlyFields<Shape extends { readonly [name: string]: z.ZodType }>(shape: Shape): Shape {
  // The result has the same names and schemas. Only the metadata of the schemas differs.
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, storedOnly(schema)])) as Shape;
}

/** The JSON Schema keyword for a member that is not a setting. OpenAPI documents do not contain it. */
export const factMark = "x-fact";

/** Marks a member that is not a setting: an ID, a name, a time, a status or a reference to another resource. */
export function fact<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), [factMark]: true });
}

/** Returns the same fields, each of which may also be null. In an update, null removes the setting. */
export function nullableFields<Shape extends { readonly [name: string]: z.ZodType }>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.nullable(schema)]);
  return Object.fromEntries(entries) as { [Name in keyof Shape]: z.ZodNullable<Shape[Name]> };
}

/** Maximum number of keys in the metadata of a client or a connection. */
export const maximumMetadataKeys = 10;

/**
 * Applies a change to the first level of metadata. `null` removes a key.
 * @throws {PosternError} `invalid_request` if the result has too many keys.
 */
export function mergeMetadata(field: string, stored: JsonObject, change: JsonObject): JsonObject {
  const metadata = mergeSettings(stored, change);
  if (Object.keys(metadata).length <= maximumMetadataKeys) return metadata;
  throw invalidBody(`'${field}' must have at most ${maximumMetadataKeys} keys`);
}

/** Returns the error for a body that matches its schema but is invalid for another reason. */
export function invalidBody(problem: string): PosternError {
  return new PosternError("invalid_request", `body: ${problem}`, { errorCode: "invalid_body" });
}
