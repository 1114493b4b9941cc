import * as z from "zod";

/** The progress of an invitation. */
export const invitationProgress = {
  /** The id of the account that accepted the invitation. */
  joined_by: z.string().exactOptional(),
};
