import * as z from "zod";
import type { JsonObject } from "../store/value.ts";

/** An instant as the API returns it: ISO 8601 in UTC with milliseconds. */
export const timestampSchema = z.iso.datetime().meta({ description: "ISO 8601, UTC" });

const dayMilliseconds = 86_400_000;

/** Dates by the number of the day since 1970. The times in a list are on few days. */
const dates = new Map<number, string>();
const maximumDates = 1000;

/**
 * Converts a stored instant to the API format. Equal to `Date.prototype.toISOString`, which takes three times as long: a
 * page of users has more than a hundred timestamps, and they took a tenth of its time.
 * @throws {RangeError} for a day that `Date` cannot represent.
 */
export function toTimestamp(instant: number): string {
  const whole = Math.trunc(instant);
  const day = Math.floor(whole / dayMilliseconds);
  const time = whole - day * dayMilliseconds;
  const [hours, minutes, seconds] = [Math.floor(time / 3_600_000), Math.floor(time / 60_000) % 60, Math.floor(time / 1000) % 60];
  return `${dateOf(day, whole)}T${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}.${String(1000 + (time % 1000)).slice(1)}Z`;
}

function dateOf(day: number, instant: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const [date = ""] = new Date(instant).toISOString().split("T");
  if (dates.size === maximumDates) dates.clear();
  dates.set(day, date);
  return date;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number);
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
