/** A host name that a tenant claims as its custom domain. */
export interface DomainClaim {
  /** The tenant that claims the host name. */
  readonly tenantId: string;
  /** For example `login.customer.example`. */
  readonly domain: string;
  /** The name of the TXT record that proves the claim: `_postern.login.customer.example`. */
  readonly recordName: string;
  /** The required content of the TXT record. Only the tenant's administrators know it. */
  readonly recordValue: string;
}

/**
 * Verifies that a host name belongs to the tenant that claims it, through DNS or through the host application's own
 * data about its customers. Optional. Without it, the Management API verifies no domains.
 */
export interface DomainVerifier {
  /**
   * Returns whether the claim is verified. A rejection is logged, and the caller of the Management API receives an
   * error with the advice to retry later.
   */
  verify(claim: DomainClaim): Promise<boolean>;
}
