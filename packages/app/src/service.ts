import type { Postern } from "@postern/core";

/** What of a Postern an app needs for its sessions. */
export type Service = Pick<Postern, "fetch" | "issuer" | "tenant">;

/** A service, a promise of one, or a function that opens one at the first request. */
export type ServiceSource = Service | Promise<Service> | (() => Service | Promise<Service>);

/** Opens a service once; one that could not be opened is tried again by the next request. */
export function toService(source: ServiceSource): () => Promise<Service> {
  if (typeof source !== "function") {
    const service = Promise.resolve(source);
    // A rejection is told to each request; before the first of them it would end the process.
    service.catch(() => {});
    return () => service;
  }
  let opened: Promise<Service> | undefined;
  return () => {
    opened ??= (async () => source())();
    opened.catch(() => (opened = undefined));
    return opened;
  };
}
