/**
 * Why a response of an authenticator is rejected.
 *
 * - `malformed`: a member is missing, too long or has the wrong format.
 * - `challenge`: the challenge expired, was used before, or was created for another ceremony, user or login session.
 * - `framed`: the page was in a frame of another origin.
 * - `attestation`: the attestation statement contains certificates, which Postern does not request.
 * - `unsupported-key`: the algorithm or the size of the public key is not supported.
 * - `known-credential`: a factor of this or another user already has the credential.
 * - `unknown-credential`: no factor of the tenant, of the expected user and of an allowed type has the credential.
 * - `user-handle`: the user handle belongs to another user.
 * - `user-verification`: the authenticator did not verify the user, although this was required.
 * - `backup-state`: the flag that says whether the credential can be backed up has changed since the registration.
 * - `counter`: the signature counter of a single-device credential decreased, so the authenticator may be a copy.
 * - `invalid`: the type, the origin, the RP ID, the presence of the user, the backup flags or the signature is wrong.
 */
export type RejectionReason =
  | "malformed"
  | "challenge"
  | "framed"
  | "attestation"
  | "unsupported-key"
  | "known-credential"
  | "unknown-credential"
  | "user-handle"
  | "user-verification"
  | "backup-state"
  | "counter"
  | "invalid";

/**
 * A response of an authenticator that is rejected. The reason is for logs: users receive the same text for each reason,
 * so that they cannot test whether a credential exists.
 */
export interface Rejection {
  readonly outcome: "rejected";
  readonly reason: RejectionReason;
  /** What the WebAuthn library reports, at most 300 characters. May contain text from the response. */
  readonly detail?: string;
}

/** Creates a {@link Rejection}. */
export function rejected(reason: RejectionReason): Rejection {
  return { outcome: "rejected", reason };
}

/** Creates the {@link Rejection} for an error of the WebAuthn library, which throws for each invalid response. */
export function rejectedBy(failure: unknown): Rejection {
  const detail = failure instanceof Error ? failure.message : String(failure);
  return { outcome: "rejected", reason: "invalid", detail: detail.slice(0, 300).toWellFormed() };
}
