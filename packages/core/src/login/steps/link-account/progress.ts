import * as z from "zod";
import { upstreamProfileSchema } from "../../upstream/progress.ts";

/** The schema of an identity at a provider that is not linked yet. */
export const pendingLinkSchema = z.object({
  connection_id: z.string(),
  profile: upstreamProfileSchema,
  /**
   * The id of the existing account with the email address. Omitted if several accounts have the address, or if a client
   * connects the account.
   */
  account_id: z.string().exactOptional(),
  /** The provider's tokens, encrypted; omitted if they are not stored. */
  tokens: z.string().exactOptional(),
  agreed: z.literal(true).exactOptional(),
  /** When the user authenticated at the provider, in milliseconds since 1970. */
  auth_time: z.object({ at: z.number(), isKnown: z.boolean() }),
  /**
   * Present if the accounts cannot be linked, because the provider's account belongs to another user or the existing
   * account changed.
   */
  failed: z.literal(true).exactOptional(),
});

export type PendingLink = z.infer<typeof pendingLinkSchema>;

/** The progress of a link with an account at an identity provider. */
export const linkAccountProgress = {
  /**
   * The user's profile at an identity provider, which waits to be linked. It is removed when the user has signed in to
   * the existing account.
   */
  pending_link: pendingLinkSchema.exactOptional(),
};
