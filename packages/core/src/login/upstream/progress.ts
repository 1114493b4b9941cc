import * as z from "zod";
import type { UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { standardClaimsSchema } from "../../model/users/standard-claims.ts";

/** The schema of {@link UpstreamProfile}. */
export const upstreamProfileSchema = z.object({
  subject: z.string(),
  email: z.string().exactOptional(),
  emailVerified: z.boolean(),
  emailOwned: z.boolean(),
  name: z.string().exactOptional(),
  nickname: z.string().exactOptional(),
  givenName: z.string().exactOptional(),
  familyName: z.string().exactOptional(),
  picture: z.string().exactOptional(),
  claims: standardClaimsSchema.exactOptional(),
}) satisfies z.ZodType<UpstreamProfile>;

const attemptSchema = z.object({
  /** The hash of the callback's `state`. */
  state_hash: z.string(),
  connection_id: z.string(),
  /** When the attempt started, in milliseconds since 1970. */
  at: z.number(),
  /** The verified response of a provider that sends a form, encrypted (`posted-response.ts`). */
  response: z.object({ sealed: z.string(), is_refused: z.literal(true).exactOptional() }).exactOptional(),
});

export type StoredAttempt = z.infer<typeof attemptSchema>;

/** The progress of sign-ins at identity providers. */
export const upstreamProgress = {
  /** The open sign-in attempts at identity providers. */
  upstream: z.array(attemptSchema).exactOptional(),
};

/** The progress of a link that a signed-in user began. */
export const ownLinkProgress = {
  /**
   * The user who links an account at an identity provider, and the session in which the user began: on the account page, or
   * with the ticket of a client. The next sign-in at a provider signs no user in. It links the account; for a client, it stores the
   * identity for the link.
   */
  link_to: z.object({ user_id: z.string(), session_id: z.string() }).exactOptional(),
};
