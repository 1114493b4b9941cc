import type * as z from "zod";

/**
 * Requires that an object has at least one member. zod has no such check, so the keyword for the OpenAPI document stands
 * beside the refinement.
 */
export function notEmpty<Schema extends z.ZodType<object>>(schema: Schema): Schema {
  return schema.refine((value) => Object.keys(value).length > 0, "must not be empty").meta({ minProperties: 1 });
}

/** Limits the number of members of an object, like {@link notEmpty}. */
export function withMaximumKeys<Schema extends z.ZodType<object>>(schema: Schema, maximum: number): Schema {
  return schema
    .refine((value) => Object.keys(value).length <= maximum, `must have at most ${maximum} keys`)
    .meta({ maxProperties: maximum });
}
