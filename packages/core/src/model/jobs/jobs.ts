import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { Timestamp, toTimestamp } from "../fields.ts";
import { readStored } from "../settings.ts";
import { Identity } from "../tickets/tickets.ts";

const id = z.string().min(1).max(64);

/** The body of `POST /api/v2/jobs/verification-email`. */
export const CreateVerificationJob = z
  .strictObject({
    user_id: z.string().min(1).max(255),
    client_id: id.exactOptional().meta({ description: "The app that the mail is about" }),
    organization_id: id.exactOptional().meta({ description: "In whose look mail and page are" }),
    identity: Identity.exactOptional(),
  })
  .meta({ id: "CreateVerificationJob" });

/** A field of a form is text, a member of JSON a boolean. */
const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);

/** The body of `POST /api/v2/jobs/users-imports`, by a form whose `users` is a file, or as JSON. */
export const CreateImportJob = z
  .strictObject({
    users: z.array(z.unknown()).meta({ description: "Users, as a file of JSON: a list of `ImportedUser`" }),
    connection_id: id,
    upsert: flag.exactOptional().meta({ description: "Changes users who are there already. Default false: they are errors" }),
    external_id: z.string().max(128).exactOptional().meta({ description: "Comes back with the job" }),
    send_completion_email: flag
      .exactOptional()
      .meta({ description: "Taken for the vendor's tools. No mail is sent: the job is done when it is answered" }),
  })
  .meta({ id: "CreateImportJob" });

/** A field of an export: the name of a member of a user, such as `email` or `user_metadata.plan`. */
const ExportedField = z.strictObject({ name: z.string().min(1).max(100), export_as: z.string().min(1).max(100).exactOptional() });

/** The body of `POST /api/v2/jobs/users-exports`. */
export const CreateExportJob = z
  .strictObject({
    connection_id: id.exactOptional().meta({ description: "Default: users of every connection" }),
    format: z.enum(["json", "csv"]).exactOptional().meta({ description: "`json`: a user a line. Default `csv`" }),
    limit: z.int().positive().exactOptional().meta({ description: "Users at most. Default: all" }),
    fields: z
      .array(ExportedField)
      .min(1)
      .max(100)
      .exactOptional()
      .meta({ description: "Default: of `json` the whole user, of `csv` the usual fields" }),
  })
  .meta({ id: "CreateExportJob" });

export type CreateExportJob = z.infer<typeof CreateExportJob>;

const Summary = z.strictObject({ total: z.int(), inserted: z.int(), updated: z.int(), failed: z.int(), ignored: z.int().exactOptional() });

const Fault = z.strictObject({ code: z.string(), message: z.string(), path: z.string().exactOptional() });

/** A user who was not imported, without what says their password, and why. */
export const ImportErrors = z
  .array(z.strictObject({ user: z.record(z.string(), z.unknown()), errors: z.array(Fault) }))
  .meta({ id: "ImportErrors" });

/** What a job keeps of what it was asked, and of what came of it. */
const Details = z.object({
  connection_id: z.string().exactOptional(),
  external_id: z.string().exactOptional(),
  format: z.enum(["json", "csv"]).exactOptional(),
  limit: z.int().exactOptional(),
  fields: z.array(ExportedField).exactOptional(),
  summary: Summary.exactOptional(),
  errors: ImportErrors.exactOptional(),
});

/** A job as the Management API shows it. */
export const Job = z
  .strictObject({
    id: z.string(),
    type: z.enum(["verification_email", "users_import", "users_export"]),
    status: z.literal("completed").meta({
      description:
        "A job is done when it is answered. Whether a mail reached its sender is in the log; which users were not imported are its errors",
    }),
    created_at: Timestamp,
    ...Details.omit({ errors: true }).shape,
    location: z.string().exactOptional().meta({ description: "Where the export is, for a day and for whoever has this address" }),
    percentage_done: z.int().exactOptional(),
  })
  .meta({ id: "Job" });

export type Job = z.infer<typeof Job>;

/** What a job keeps. */
export function jobDetails({ details }: Pick<Row<"jobs">, "details">): z.infer<typeof Details> {
  return readStored(Details, details);
}

/** A record as the Management API shows it. @param location of an export. */
export function toJob(row: Row<"jobs">, location?: string): Job {
  const { errors: _errors, ...asked } = jobDetails(row);
  return {
    id: row.id,
    type: Job.shape.type.parse(row.type),
    status: "completed",
    created_at: toTimestamp(row.created_at),
    ...asked,
    ...(row.type !== "verification_email" && { percentage_done: 100 }),
    ...(location !== undefined && { location }),
  };
}
