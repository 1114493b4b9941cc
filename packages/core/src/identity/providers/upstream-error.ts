/** Why a sign-in at an identity provider failed. */
export type UpstreamFault =
  /** The user declined or cancelled the sign-in. */
  | "declined"
  /** The provider no longer accepts the refresh token. */
  | "revoked"
  /** The provider returned an error or an invalid response, or did not respond. */
  | "failed"
  /** The connection has a missing or unsupported option, or a URL of a server that requests must not be sent to. */
  | "misconfigured";

/** A step of a sign-in at an identity provider. */
export type UpstreamStep = "discovery" | "authorization request" | "authorization response" | "token" | "id_token" | "jwks" | "userinfo";

/**
 * The details of a failed step, for the operator's log and the audit event. All text is limited in length and contains
 * no token, code or secret.
 */
export type UpstreamDetails = {
  readonly step: UpstreamStep;
  /** The URL without its query. */
  readonly url?: string;
  /** The HTTP status. */
  readonly status?: number;
  /** `error` and `error_description` in the provider's response (RFC 6749 section 5.2). */
  readonly error?: string;
  readonly error_description?: string;
  /** The name of a rejected claim, header parameter or member. */
  readonly claim?: string;
  readonly expected?: string;
  readonly received?: string;
  /** The difference between a claim that contains a time and the clock of this server, in seconds. */
  readonly clock_difference?: number;
};

/**
 * The error for a sign-in at an identity provider that failed. The message and the details are for the operator's log
 * and the tenant's log, and are never shown to the visitor. The cause is for the operator only, because it may contain
 * private IP addresses.
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

/** The reason of an {@link UpstreamError} for a response without the identifier of the user. */
export const unidentifiedUser = "the provider's response does not identify the user";
