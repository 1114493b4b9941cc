import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { metadataSchema, timestampSchema, toTimestamp } from "../fields.ts";

/** A logout token that a client has not accepted yet, as the Management API returns it. */
export const logoutDeliverySchema = z
  .strictObject({
    id: z.string(),
    client_id: z.string(),
    url: z.string(),
    session_id: z.string(),
    user_id: z.string(),
    initiator: z.string().meta({ description: "Why the session ended" }),
    session_metadata: metadataSchema.exactOptional(),
    status: z.enum(["pending", "failed"]).meta({ description: "`failed`: it is not sent again unless you request it" }),
    failures: z.int().min(0).meta({ description: "Failed attempts" }),
    last_error: z.string().exactOptional(),
    next_attempt_at: timestampSchema.exactOptional(),
    created_at: timestampSchema,
  })
  .meta({ id: "LogoutDelivery" });

/** Converts a row to the Management API format. */
export function toLogoutDelivery(row: Row<"logout_deliveries">): z.infer<typeof logoutDeliverySchema> {
  const isOpen = row.state === "open";
  return {
    id: row.id,
    client_id: row.client_id,
    url: row.url,
    session_id: row.session_id,
    user_id: row.user_id,
    initiator: row.initiator,
    ...(row.session_metadata !== null && { session_metadata: row.session_metadata }),
    status: isOpen ? "pending" : "failed",
    failures: row.failures,
    ...(row.last_error !== "" && { last_error: row.last_error }),
    ...(isOpen && { next_attempt_at: toTimestamp(row.next_at) }),
    created_at: toTimestamp(row.created_at),
  };
}
