/**
 * Warns about options that requests contradict (event `setup`). Each warning is logged once in a process: anybody can
 * cause one, and must not fill the log.
 */
export interface SetupWarnings {
  /** Reports the host of a request that the configured issuer responds to. */
  reportHost(hostname: string): void;
  /** Reports a request of what looks like a proxy that `trustedProxies` does not list. */
  reportUnlistedProxy(): void;
  /** Reports a request that nothing was found for. @param isTenantMissing whether it has a route, and no tenant. */
  reportNotFound(request: Pick<Request, "method" | "url">, isTenantMissing: boolean): Promise<void>;
}
