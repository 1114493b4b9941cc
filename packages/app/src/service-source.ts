import type { Postern } from "@postern/core";

/** The members of Postern that the app's sessions use. */
export type Service = Pick<Postern, "fetch" | "issuer" | "tenant">;

/** A service, a promise of one, or a function that opens one at the first request, once in a process. */
export type ServiceSource = Service | Promise<Service> | (() => Service | Promise<Service>);

const registry = Symbol.for("@postern/app");

/**
 * The global object. It stores the opened services, so that they survive when a framework reloads this module, as `next
 * dev` does after an edit. Some runtimes have no `process`.
 */
const global: { [registry]?: Map<unknown, Promise<unknown>>; readonly process?: { readonly env: { readonly NODE_ENV?: string } } } =
  globalThis;

/**
 * Returns a function that opens the service of a source on its first call. A source that is a function is called once
 * per process, so that handlers, sessions and token checks share one service. If opening fails, the next call retries.
 * The integration packages call this function.
 */
export function toService<S>(source: S | Promise<S> | (() => S | Promise<S>)): () => Promise<S> {
  if (isFunction(source)) return () => openOnce(source);
  const service = Promise.resolve(source);
  // Each request handles the rejection. Without this handler, a rejection before the first request would end the
  // process.
  service.catch(() => {});
  return () => service;
}

function isFunction<S>(source: S | Promise<S> | (() => S | Promise<S>)): source is () => S | Promise<S> {
  return typeof source === "function";
}

function openOnce<S>(open: () => S | Promise<S>): Promise<S> {
  const services = (global[registry] ??= new Map());
  // `next dev` creates the function again after each edit of any file. A new function with the same source text counts
  // as the same function.
  const key = global.process?.env.NODE_ENV === "development" ? String(open) : open;
  // The value under this key was returned by `open`, or by a function with the same source text, so its type is S.
  const known = services.get(key) as Promise<S> | undefined;
  if (known !== undefined) return known;
  const service = (async () => open())();
  services.set(key, service);
  service.catch(() => services.delete(key));
  return service;
}
