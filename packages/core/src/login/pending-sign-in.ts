import * as z from "zod";
import { accessColumnsSchema } from "../identity/users/account-access.ts";
import { authenticationRecordSchema } from "./authentication-record.ts";

/**
 * A user who passed a first factor and must pass a second one. No session exists yet: the step `factor` starts it.
 */
const pendingSignInSchema = z.object({
  proof: authenticationRecordSchema,
  /** The email addresses and phone numbers through which the first factor went. */
  channels: z.array(z.string()).exactOptional(),
  /** When the user authenticated at an identity provider, if the provider reported it. */
  auth_time: z.object({ at: z.number(), isKnown: z.boolean() }).exactOptional(),
  /** Whether the first factor is a code to an unproven address of the account, which the second factor proves. */
  claims_address: z.literal(true).exactOptional(),
  /** The columns of the account that gave access to it. If one of them changes, the sign-in is void. */
  access: accessColumnsSchema,
});

export type PendingSignIn = z.infer<typeof pendingSignInSchema>;

/** The progress of a sign-in that waits for a second factor. */
export const pendingSignInProgress = { pending: pendingSignInSchema.exactOptional() };
