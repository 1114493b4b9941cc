import * as z from "zod";

/** The progress of the user's consent. */
export const consentProgress = {
  /** The id of the account that consented to the client's request. */
  consented_by: z.string().exactOptional(),
};
