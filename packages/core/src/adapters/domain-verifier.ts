/** A host name that a tenant says is its own. */
export interface DomainClaim {
  readonly tenantId: string;
  /** For example `login.customer.example`. */
  readonly domain: string;
  /** The name of the TXT record that proves it: `_postern.login.customer.example`. */
  readonly recordName: string;
  /** What the record must hold. Nobody but the tenant's administrators was told. */
  readonly recordValue: string;
}

/**
 * Finds out whether a host name belongs to the tenant that claims it, by DNS or by whatever the host knows of its customers.
 * Optional; without it no domain is ever verified over the API.
 */
export interface DomainVerifier {
  /** @returns whether the claim is proven. A rejection is told to the operator, and to the caller as "not now". */
  verify(claim: DomainClaim): Promise<boolean>;
}
