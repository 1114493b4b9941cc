import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { timestampSchema, toTimestamp } from "../fields.ts";
import { ticketIdentitySchema } from "../tickets/tickets.ts";
import { clientIdSchema } from "../clients/client-id.ts";
import { exportedFieldSchema, jobDetails, jobDetailsSchema } from "./job-details.ts";

const id = z.string().min(1).max(64);

/** The body of `POST /api/v2/jobs/verification-email`. */
export const createVerificationJobSchema = z
  .strictObject({
    user_id: z.string().min(1).max(255),
    client_id: clientIdSchema.exactOptional().meta({ description: "The client whose name the email contains" }),
    organization_id: id.exactOptional().meta({ description: "The organization whose branding the email and the page use" }),
    identity: ticketIdentitySchema.exactOptional(),
  })
  .meta({ id: "CreateVerificationJob" });

/** A flag. It is a string in a form and a boolean in JSON. */
const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);

/** The body of `POST /api/v2/jobs/users-imports`: a form in which `users` is a file, or JSON. */
export const createImportJobSchema = z
  .strictObject({
    users: z.array(z.unknown()).meta({ description: "A JSON file with an array of `ImportedUser`" }),
    connection_id: id,
    upsert: flag.exactOptional().meta({ description: "Whether existing users are updated. Default `false`: they are reported as errors" }),
    external_id: z.string().max(128).exactOptional().meta({ description: "Returned with the job" }),
    send_completion_email: flag.exactOptional().meta({
      description: "Accepted for compatibility with Auth0's tools. No email is sent: the job is completed when the response is sent",
    }),
  })
  .meta({ id: "CreateImportJob" });

/** The body of `POST /api/v2/jobs/users-exports`. */
export const createExportJobSchema = z
  .strictObject({
    connection_id: id.exactOptional().meta({ description: "Default: users of every connection" }),
    format: z.enum(["json", "csv"]).exactOptional().meta({ description: "`json`: one user per line. Default `csv`" }),
    limit: z.int().positive().exactOptional().meta({ description: "Maximum number of users. Default: all" }),
    fields: z
      .array(exportedFieldSchema)
      .min(1)
      .max(100)
      .exactOptional()
      .meta({ description: "Default: all fields of a user for `json`, and a selection of common fields for `csv`" }),
  })
  .meta({ id: "CreateExportJob" });

/** A job as the Management API returns it. */
export const jobSchema = z
  .strictObject({
    id: z.string(),
    type: z.enum(["verification_email", "users_import", "users_export"]),
    status: z.literal("completed").meta({
      description:
        "A job is completed when the response is sent. The audit log contains whether an email was sent. `GET /jobs/{id}/errors` returns the users who were not imported",
    }),
    created_at: timestampSchema,
    ...jobDetailsSchema.omit({ errors: true }).shape,
    location: z
      .string()
      .exactOptional()
      .meta({ description: "The URL of the export. The URL expires after a day. The download requires no further credentials" }),
    percentage_done: z.int().exactOptional(),
  })
  .meta({ id: "Job" });

/**
 * Converts a row to the Management API format.
 * @param location the URL of an export.
 */
export function toJob(row: Row<"jobs">, location?: string): z.infer<typeof jobSchema> {
  const { errors: _errors, ...asked } = jobDetails(row);
  return {
    id: row.id,
    type: jobSchema.shape.type.parse(row.type),
    status: "completed",
    created_at: toTimestamp(row.created_at),
    ...asked,
    ...(row.type !== "verification_email" && { percentage_done: 100 }),
    ...(location !== undefined && { location }),
  };
}
