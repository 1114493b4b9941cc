import * as z from "zod";
import { invalidBody } from "../../model/settings.ts";
import type { MetadataField } from "../../model/tenant/metadata-fields.ts";
import type { JsonObject } from "../../store/value.ts";

/** A value of a field of `user_metadata` that users change themselves. */
export type MetadataValue = string | boolean;

/** A change of such fields. `null` removes a field. */
export type MetadataChange = { readonly [name: string]: MetadataValue | null };

/** The maximum length of a text whose field names none, in UTF-16 code units. */
export const defaultTextLength = 200;

/** Returns the schema of the values of a field. */
function valueSchema(field: MetadataField): z.ZodType<MetadataValue> {
  switch (field.type) {
    case "boolean":
      return z.boolean();
    case "choice":
      return z.enum(field.choices.map(({ value }) => value));
    case "text":
      return z
        .string()
        .regex(/\S/, "must not be empty")
        .max(field.max_length ?? defaultTextLength)
        .refine((value) => !value.includes("\0") && value.isWellFormed(), "must not contain NUL or half a surrogate pair");
  }
}

/** Returns the value of a field. Undefined if it is not set, or set by the application to a value that the field does not allow. */
export function validValueOf(field: MetadataField, stored: JsonObject): MetadataValue | undefined {
  return Object.hasOwn(stored, field.name) ? valueSchema(field).safeParse(stored[field.name]).data : undefined;
}

/** Returns the values of all fields that are set. All other metadata stay invisible. */
export function visibleMetadata(fields: readonly MetadataField[], stored: JsonObject): { [name: string]: MetadataValue } {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = validValueOf(field, stored);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/**
 * Checks a change of metadata that a user sent.
 * @throws {PosternError} `invalid_request` if the tenant does not let users change one of the keys, or a value is not valid.
 */
export function readMetadataChange(fields: readonly MetadataField[], sent: JsonObject): MetadataChange {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]): [string, MetadataValue | null] => {
      const field = fields.find((one) => one.name === name);
      if (field === undefined) throw invalidBody("'user_metadata' must contain only fields that the tenant lets users change");
      if (value === null) return [name, null];
      const { data, error } = valueSchema(field).safeParse(value);
      if (data === undefined) throw invalidBody(`'user_metadata.${name}' is not valid: ${error?.issues[0]?.message ?? ""}`);
      return [name, data];
    }),
  );
}
