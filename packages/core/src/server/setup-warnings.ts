/**
 * Warns about options that do not match the requests that arrive (event `setup`). Each warning is logged once per
 * process, because any client can cause a warning and must not be able to fill the log.
 */
export interface SetupWarnings {
  /** Reports the hostname of a request that is handled with the configured issuer. */
  reportHost(hostname: string): void;
  /** Reports a request that seems to come from a proxy that `trustedProxies` does not list. */
  reportUnlistedProxy(): void;
  /** Reports a request whose `X-Forwarded-For` has an entry of a trusted proxy that is not an IP address. */
  reportUnreadableAddress(): void;
  /**
   * Reports a request whose response is a 404. @param isTenantMissing whether the request has a route but no tenant.
   */
  reportNotFound(request: Pick<Request, "method" | "url">, isTenantMissing: boolean): Promise<void>;
}
