/** Why somebody who was sent to an identity provider did not come back signed in. */
export type UpstreamFault =
  /** They said no there, or went back. */
  | "declined"
  /** The provider, or what is set up with it, is at fault. */
  | "failed"
  /** Nothing was asked, because no answer could be believed: the connection says too little, or names an address that may not be asked. */
  | "misconfigured";

/**
 * An identity provider did not say who somebody is. The message is for the log of the tenant, never for the person. The
 * cause is for the operator alone: it may name private addresses.
 */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly fault: UpstreamFault;

  constructor(fault: UpstreamFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
