import * as z from "zod";
import { factorTypeSchema } from "../../../model/factors/factor-types.ts";
import { messageTypeSchema } from "../../../model/factors/multifactor.ts";

/** The progress of a user who passes or adds a factor. */
export const factorProgress = {
  /**
   * The factor that the user chose to authenticate with, or to add. `destination`: the id of the phone or email address
   * that the user chose for its codes.
   */
  factor_choice: z.object({ type: factorTypeSchema, destination: z.string().exactOptional() }).exactOptional(),
  /**
   * Describes the factor code that was sent last. `sent_at` is in milliseconds since 1970. `channel` is set for phones
   * only.
   */
  factor_code: z
    .object({
      factor_id: z.string(),
      user_id: z.string(),
      sent_at: z.number(),
      channel: messageTypeSchema.exactOptional(),
    })
    .exactOptional(),
};
