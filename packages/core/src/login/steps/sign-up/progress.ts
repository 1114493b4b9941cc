import * as z from "zod";

/** The progress of a sign-up. */
export const signUpProgress = {
  /** The values that the visitor entered in the sign-up form, without the password. */
  typed: z.object({ email: z.string(), username: z.string(), phone_number: z.string() }).exactPartial().exactOptional(),
  /**
   * The account that was created by sign-up in this login session, and the id of the password that its creator chose.
   * `null` if they chose a passkey; `passkey` then says when it was created and whether it verified the user.
   */
  made: z
    .object({
      user_id: z.string(),
      password_id: z.string().nullable(),
      passkey: z.object({ at: z.number(), user_verified: z.boolean() }).exactOptional(),
    })
    .exactOptional(),
};
