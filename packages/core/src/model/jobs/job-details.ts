import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { readStored } from "../settings.ts";

/** A field in an export: a member of a user, such as `email` or `user_metadata.plan`. */
export const exportedFieldSchema = z.strictObject({
  name: z.string().min(1).max(100),
  export_as: z.string().min(1).max(100).exactOptional(),
});

const summarySchema = z.strictObject({
  total: z.int(),
  inserted: z.int(),
  updated: z.int(),
  failed: z.int(),
  ignored: z.int().exactOptional(),
});

const faultSchema = z.strictObject({ code: z.string(), message: z.string(), path: z.string().exactOptional() });

/** The users who were not imported, without their passwords or hashes, and the reasons. */
export const importErrorsSchema = z
  .array(z.strictObject({ user: z.record(z.string(), z.unknown()), errors: z.array(faultSchema) }))
  .meta({ id: "ImportErrors" });

/** The stored parameters and the results of a job. */
export const jobDetailsSchema = z.object({
  connection_id: z.string().exactOptional(),
  external_id: z.string().exactOptional(),
  format: z.enum(["json", "csv"]).exactOptional(),
  limit: z.int().exactOptional(),
  fields: z.array(exportedFieldSchema).exactOptional(),
  summary: summarySchema.exactOptional(),
  errors: importErrorsSchema.exactOptional(),
});

/** Reads the stored details of a job. */
export function jobDetails({ details }: Pick<Row<"jobs">, "details">): z.infer<typeof jobDetailsSchema> {
  return readStored(jobDetailsSchema, details);
}
