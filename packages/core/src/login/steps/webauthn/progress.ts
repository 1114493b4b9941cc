import * as z from "zod";

/** The progress of a sign-in with a passkey. */
export const passkeySignInProgress = {
  /** The id of the passkey that was rejected last, if no user has it. */
  unknown_passkey: z.string().exactOptional(),
};
