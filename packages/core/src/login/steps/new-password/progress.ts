import * as z from "zod";

/** The progress of a password reset. */
export const newPasswordProgress = {
  /**
   * The account whose password the visitor may set, because they proved that they can read its mail. Valid while the
   * account's password and email address are unchanged. `at`: when the visitor redeemed the code, in milliseconds since
   * 1970.
   */
  reset: z
    .object({
      user_id: z.string(),
      connection_id: z.string(),
      password_id: z.string().nullable(),
      email: z.string(),
      at: z.number(),
    })
    .exactOptional(),
};
