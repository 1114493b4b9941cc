import type { UpstreamDetails } from "../../model/connections/upstream-details.ts";

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
