import * as z from "zod";
import type { JsonObject } from "../store/value.ts";

/** An instant as the API returns it: ISO 8601 in UTC with milliseconds. */
export const timestampSchema = z.iso.datetime().meta({ description: "ISO 8601, UTC" });

/** Converts a stored instant to the API format. */
export function toTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}

/**
 * Metadata: any JSON object. The depth and the characters were checked when the body was read. Keys such as `__proto__`
 * have no special meaning.
 */
export const metadataSchema = z
  .custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value), "must be an object")
  .meta({ type: "object", additionalProperties: true });

/** A name or a title. White space around it is removed, and nothing else is not a name. */
export function nameText(maximum: number) {
  return z.string().trim().regex(/\S/, "must not be empty").max(maximum);
}

/** The protocols of URLs. JSON Schema has no flags of patterns. White space before a URL is removed. */
const protocols = {
  web: { pattern: /^\s*[Hh][Tt][Tt][Pp][Ss]?:\/\//, error: "must be an http or https URL" },
  https: { pattern: /^\s*[Hh][Tt][Tt][Pp][Ss]:/, error: "must be an https URL" },
};

/** A URL without placeholders. */
export function webUrl(kind: keyof typeof protocols, maximum: number) {
  const { pattern, error } = protocols[kind];
  // The JSON Schema of a URL with a pattern has no format otherwise.
  return z.url({ error }).regex(pattern, error).max(maximum).meta({ format: "uri" });
}

/** A boolean in a query string. */
export const queryBooleanSchema = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .meta({ type: "boolean", enum: undefined });

/** An integer in a query string. */
export function queryInteger(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be a whole number from ${minimum} to ${maximum}`)
    .meta({ type: "integer", minimum, maximum, pattern: undefined });
}

/** A list in a query string: one value, or a repeated parameter. */
export function queryList<Item extends z.ZodType<string, string>>(item: Item) {
  return z.union([item, z.array(item).max(50)]).transform((values) => [values].flat());
}
