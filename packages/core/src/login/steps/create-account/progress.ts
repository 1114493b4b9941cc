import * as z from "zod";

/** The progress of an invited visitor who may need an account. */
export const createAccountProgress = {
  /** Whether the invited visitor said that they already have an account. */
  has_account: z.boolean().exactOptional(),
};
