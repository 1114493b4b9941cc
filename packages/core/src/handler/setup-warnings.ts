/**
 * Mistakes of a setup that only requests show. The operator is told of each once in a process, as a warning with the event `setup`:
 * strangers can cause them too, and must not fill the log.
 */
export interface SetupWarnings {
  /** A request came by a host that is no tenant's own. */
  hostSeen(hostname: string): void;
  /** A request came from what looks like a proxy that the host did not name. */
  proxySeen(): void;
  /** A request found nothing. @param noTenant whether it has a route and lacks a tenant. */
  nothingFound(request: Pick<Request, "method" | "url">, noTenant: boolean): Promise<void>;
}
