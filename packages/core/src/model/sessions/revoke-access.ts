import * as z from "zod";

/** The body of `POST /api/v2/users/{id}/revoke-access`. */
export const revokeAccessSchema = z
  .strictObject({
    session_id: z.string().min(1).max(50).meta({ description: "Default: all sessions of the user" }),
    preserve_refresh_tokens: z.boolean().meta({ description: "Default: false" }),
  })
  .exactPartial()
  .meta({ id: "RevokeAccess" });
