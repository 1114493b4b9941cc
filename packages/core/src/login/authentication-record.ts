import * as z from "zod";

/** One successful authentication of a user: the method, the account, the connection and the time. */
export const AuthenticationRecord = z.object({
  /**
   * An Authentication Method Reference value (RFC 8176), or `federated` for an identity provider, for which the RFC
   * defines no value.
   */
  method: z.enum(["pwd", "otp", "federated"]),
  /** The id of the primary account. */
  user_id: z.string(),
  /** The id of the account that was authenticated: the primary account, or an account that is linked to it. */
  account_id: z.string(),
  connection_id: z.string(),
  /** When the user authenticated, in milliseconds since 1970. */
  at: z.number(),
});

export type AuthenticationRecord = z.infer<typeof AuthenticationRecord>;
