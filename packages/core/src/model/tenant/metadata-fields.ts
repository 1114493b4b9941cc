import * as z from "zod";
import { nameText } from "../fields.ts";
import { notEmpty, withMaximumKeys } from "../member-count.ts";

/** The maximum number of fields of one tenant. */
const maximumFields = 20;
const labelText = nameText(100);
const languageTag = z.string().regex(/^[a-z]{2,3}(-([A-Z]{2}|\d{3}))?$/, "must be a language tag such as en or pt-BR");

/** A label in all languages, or a label per language tag. */
const labelSchema = z
  .union([labelText, withMaximumKeys(notEmpty(z.record(languageTag, labelText)), maximumFields)])
  .meta({ description: "One text for all languages, or an object with a text per language tag" });

/** A label of a field or of a choice. */
export type FieldLabel = z.infer<typeof labelSchema>;

const common = {
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "must be at most 64 letters, digits, '_' and '-', and begin with a letter")
    .meta({ description: "The key in `user_metadata`" }),
  label: labelSchema,
};

const choiceSchema = z.strictObject({
  /** The stored value. */
  value: nameText(100),
  /** Default: the value. */
  label: labelSchema.exactOptional(),
});

const fieldSchema = z.discriminatedUnion("type", [
  z.strictObject({
    ...common,
    type: z.literal("text"),
    /** The maximum length of the text, in UTF-16 code units. Default: 200. */
    max_length: z.int().min(1).max(1000).exactOptional(),
  }),
  z.strictObject({ ...common, type: z.literal("boolean") }),
  z.strictObject({
    ...common,
    type: z.literal("choice"),
    choices: z
      .array(choiceSchema)
      .min(1)
      .max(50)
      .refine((choices) => isUnique(choices.map(({ value }) => value)), "must not contain a value twice"),
  }),
]);

/** A field of `user_metadata` that users see and change themselves. */
export type MetadataField = z.infer<typeof fieldSchema>;

/** The fields of `user_metadata` that users see and change themselves, in their order on the page. A Postern extension. */
export const metadataFieldsSchema = z
  .array(fieldSchema)
  .max(maximumFields)
  .refine((fields) => isUnique(fields.map(({ name }) => name)), "must not contain a name twice");

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
