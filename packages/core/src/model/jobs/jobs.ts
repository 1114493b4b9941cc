import * as z from "zod";
import type { Row } from "../../data/schema.ts";
import { Timestamp, toTimestamp } from "../fields.ts";
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

/** A job as the Management API shows it. */
export const Job = z
  .strictObject({
    id: z.string(),
    type: z.literal("verification_email"),
    status: z.literal("completed").meta({ description: "The mail was handed to whatever sends it. Whether that failed is in the log" }),
    created_at: Timestamp,
  })
  .meta({ id: "Job" });

/** A record as the Management API shows it. */
export function toJob({ id: jobId, created_at }: Row<"jobs">): z.input<typeof Job> {
  return { id: jobId, type: "verification_email", status: "completed", created_at: toTimestamp(created_at) };
}
