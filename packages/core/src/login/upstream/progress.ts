import * as z from "zod";

const attemptSchema = z.object({ state_hash: z.string(), connection_id: z.string(), at: z.number() });

export type StoredAttempt = z.infer<typeof attemptSchema>;

/** The progress of sign-ins at identity providers. */
export const upstreamProgress = {
  /**
   * The open sign-in attempts at identity providers: the connection, the hash of the callback's `state`, and when the
   * attempt started in milliseconds since 1970.
   */
  upstream: z.array(attemptSchema).exactOptional(),
};

/** The progress of a link that began on the account page. */
export const ownLinkProgress = {
  /**
   * The user who links an account at an identity provider on the account page, and the session in which the user does. The
   * next sign-in at a provider links the account and signs no user in.
   */
  link_to: z.object({ user_id: z.string(), session_id: z.string() }).exactOptional(),
};
