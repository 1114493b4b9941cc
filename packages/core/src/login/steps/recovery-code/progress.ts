import * as z from "zod";

/** The progress of a user who must store a recovery code. */
export const recoveryCodeProgress = {
  /** A new recovery code that its user has not stored yet, encrypted. `is_replacement`: the user entered the former code. */
  recovery_code: z.object({ user_id: z.string(), sealed: z.string(), is_replacement: z.literal(true).exactOptional() }).exactOptional(),
};
