/**
 * Warns about options that contradict requests (event `setup`). Each warning is logged once in a process, because any
 * client can cause one and must not be able to fill the log.
 */
export interface SetupWarnings {
  /** Reports the host of a request that the configured issuer responds to. */
  reportHost(hostname: string): void;
  /** Reports a request that seems to come from a proxy that `trustedProxies` does not list. */
  reportUnlistedProxy(): void;
  /** Reports a request that was answered with 404. @param isTenantMissing whether it has a route, and no tenant. */
  reportNotFound(request: Pick<Request, "method" | "url">, isTenantMissing: boolean): Promise<void>;
}
