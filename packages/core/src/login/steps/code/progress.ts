import * as z from "zod";

/** A code that was sent but not entered yet. */
const awaitedCodeSchema = z.object({
  purpose: z.enum(["login", "sign-up", "reset-password", "link-account"]),
  connection_id: z.string(),
  channel: z.enum(["email", "sms"]),
  /**
   * The normalized email address or phone number that the code was sent to; for a password reset, the identifier that
   * the visitor entered.
   */
  to: z.string(),
  /** When the code was sent, in milliseconds since 1970. */
  sent_at: z.number(),
  /** Whether an earlier code was sent for the same purpose to the same destination. */
  again: z.boolean().exactOptional(),
});

export type AwaitedCode = z.infer<typeof awaitedCodeSchema>;

/** The progress of a visitor who enters a code. */
export const codeProgress = { code: awaitedCodeSchema.exactOptional() };
