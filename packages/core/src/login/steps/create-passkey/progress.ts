import * as z from "zod";

/** The progress of a sign-up with a passkey. */
export const createPasskeyProgress = {
  /** Whether the visitor chose to create the new account with a passkey instead of a password. */
  passkey_sign_up: z.literal(true).exactOptional(),
};
