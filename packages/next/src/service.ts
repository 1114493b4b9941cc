import type { Postern } from "@postern/core";

/** What of a Postern is needed to serve it. */
export type Service = Pick<Postern, "fetch">;

/** A function that opens a service: its database, and whatever else it needs. */
export type OpenService = () => Service | Promise<Service>;

const registry = Symbol.for("@postern/next");

/** What a module leaves behind when Next.js loads it anew, as `next dev` does after an edit. */
const kept: { [registry]?: Map<unknown, Promise<Service>>; readonly Map?: unknown } = globalThis;

/** The service, opened when it is first asked for. */
export function toService<S extends Service>(source: S | Promise<S> | (() => S | Promise<S>)): () => Promise<S> {
  if (typeof source === "function") return () => opened(source);
  const service = Promise.resolve(source);
  // A rejection is told to each request; before the first of them it would end the process.
  service.catch(() => {});
  return () => service;
}

/** Opens once in a process; what failed is tried again by the next request. */
function opened<S extends Service>(open: () => S | Promise<S>): Promise<S> {
  const services = (kept[registry] ??= new Map());
  // `next dev` makes the function anew with each edit, of any file: it is the same one as long as its text is.
  const key = process.env.NODE_ENV === "development" ? String(open) : open;
  // What a function opens is what it opened before.
  const known = services.get(key) as Promise<S> | undefined;
  if (known !== undefined) return known;
  const service = (async () => open())();
  services.set(key, service);
  service.catch(() => services.delete(key));
  return service;
}
