/** Why a sign-in at an identity provider failed. */
export type UpstreamFault =
  /** The user declined or cancelled the sign-in. */
  | "declined"
  /** The provider no longer accepts the refresh token. */
  | "revoked"
  /** The provider or its configuration is at fault. */
  | "failed"
  /** No request was sent: the connection lacks an option, or names a server that must not be requested. */
  | "misconfigured";

/** A step of a sign-in at an identity provider. */
export type UpstreamStep = "discovery" | "authorization request" | "authorization response" | "token" | "id_token" | "jwks" | "userinfo";

/**
 * The facts of a failed step, for the operator's log and the audit event. All text is cut in length and has no token,
 * code or secret.
 */
export type UpstreamDetails = {
  readonly step: UpstreamStep;
  /** The URL without its query. */
  readonly url?: string;
  /** The HTTP status. */
  readonly status?: number;
  /** `error` and `error_description` of the provider's response (RFC 6749 section 5.2). */
  readonly error?: string;
  readonly error_description?: string;
  /** The name of a refused claim, header parameter or member. */
  readonly claim?: string;
  readonly expected?: string;
  readonly received?: string;
  /** Seconds between a time claim and the clock of this server. */
  readonly clock_difference?: number;
};

/**
 * A sign-in at an identity provider failed. The message and the details are for the operator's log and the log of the
 * tenant, never for the visitor. The cause is for the operator alone, because it may name private addresses.
 */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly fault: UpstreamFault;
  /** Undefined if no step had begun. */
  readonly details: UpstreamDetails | undefined;

  constructor(fault: UpstreamFault, message: string, options: ErrorOptions & { readonly details?: UpstreamDetails } = {}) {
    super(message, options);
    this.fault = fault;
    this.details = options.details;
  }
}
