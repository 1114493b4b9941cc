import type { Postern } from "@postern/core";

/** What of a Postern an app needs for its sessions. */
export type Service = Pick<Postern, "fetch" | "issuer" | "tenant">;

/** A service, a promise of one, or a function that opens one at the first request, once in a process. */
export type ServiceSource = Service | Promise<Service> | (() => Service | Promise<Service>);

const registry = Symbol.for("@postern/app");

/** What a module leaves behind where a framework loads it anew, as `next dev` does after an edit; and what kind of process it is, where there is such a thing. */
const surroundings: { [registry]?: Map<unknown, Promise<unknown>>; readonly process?: { readonly env: { readonly NODE_ENV?: string } } } =
  globalThis;

/**
 * A function that answers the service of a source, opened when it is first asked for. A source that is a function is called once in a process, whoever passes it: handlers, sessions and token checks of an app work on one service.
 * One that could not be opened is tried again by the next request. For glue.
 */
export function toService<S>(source: S | Promise<S> | (() => S | Promise<S>)): () => Promise<S> {
  if (isOpener(source)) return () => opened(source);
  const service = Promise.resolve(source);
  // A rejection is told to each request; before the first of them it would end the process.
  service.catch(() => {});
  return () => service;
}

function isOpener<S>(source: S | Promise<S> | (() => S | Promise<S>)): source is () => S | Promise<S> {
  return typeof source === "function";
}

function opened<S>(open: () => S | Promise<S>): Promise<S> {
  const services = (surroundings[registry] ??= new Map());
  // `next dev` makes the function anew with each edit, of any file: it is the same one as long as its text is.
  const key = surroundings.process?.env.NODE_ENV === "development" ? String(open) : open;
  // What a function opens is what it opened before.
  const known = services.get(key) as Promise<S> | undefined;
  if (known !== undefined) return known;
  const service = (async () => open())();
  services.set(key, service);
  service.catch(() => services.delete(key));
  return service;
}
