import * as z from "zod";

/** The progress of the account chooser. */
export const selectAccountProgress = {
  /**
   * The id of the account that the user chose in the account chooser; '' if the user chose to sign in with another
   * account.
   */
  chosen: z.string().exactOptional(),
};
