import * as z from "zod";
import { factorTypeSchema } from "../model/factors/factor-types.ts";

/** One successful first factor of a user: the method, the account, the connection and the time. */
export const authenticationRecordSchema = z.object({
  /**
   * An Authentication Method Reference value (RFC 8176), or `federated` for an identity provider, for which the RFC
   * defines no value, or `passkey`.
   */
  method: z.enum(["pwd", "otp", "federated", "passkey"]),
  /** Whether a passkey verified the user. */
  user_verified: z.boolean().exactOptional(),
  /** The id of the primary account. */
  user_id: z.string(),
  /** The id of the account that was authenticated: the primary account, or an account that is linked to it. */
  account_id: z.string(),
  connection_id: z.string(),
  /** When the user authenticated, in milliseconds since 1970. */
  at: z.number(),
});

/** A second factor that the user passed in an interaction. */
export const factorRecordSchema = z.object({
  type: factorTypeSchema,
  /** The id of the primary account. */
  user_id: z.string(),
  /** When the user passed the factor, in milliseconds since 1970. */
  at: z.number(),
});

export type FactorRecord = z.infer<typeof factorRecordSchema>;

export type AuthenticationRecord = z.infer<typeof authenticationRecordSchema>;
