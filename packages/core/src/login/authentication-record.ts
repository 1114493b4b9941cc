import * as z from "zod";

/** A proof that a person gave of who they are: how, by which account and connection, and when. */
export const AuthenticationRecord = z.object({
  /** An Authentication Method Reference value (RFC 8176); `federated`: an identity provider says who it is, and no such value says that. */
  method: z.enum(["pwd", "otp", "federated"]),
  /** The primary account. */
  user_id: z.string(),
  /** The account that was proved: the primary, or one that is linked to it. */
  account_id: z.string(),
  connection_id: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
});

export type AuthenticationRecord = z.infer<typeof AuthenticationRecord>;
