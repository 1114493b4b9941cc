import type { AuthorizationServer, JWKSCacheInput } from "oauth4webapi";
import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap, type BoundedMap } from "../store/bounded-map.ts";

/**
 * Cached documents of identity providers, by the requested URL. The documents are public, so all connections share
 * them.
 */
export interface ProviderDocuments {
  /** Metadata, cached for ten minutes. */
  readonly servers: BoundedMap<Promise<AuthorizationServer>>;
  /** Keys. The library fetches them again if they do not contain the key of a signature. */
  readonly keys: BoundedMap<JWKSCacheInput>;
}

/** How long a document of a provider is cached, in milliseconds. */
const lifetime = 10 * 60_000;

/** Maximum size of each kind of document, in bytes: a provider may return up to 1 MiB. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Creates {@link ProviderDocuments} for the thousand most recently used providers, with at most 16 MiB for each kind of
 * document.
 */
export function createProviderDocuments(clock: Clock): ProviderDocuments {
  const expiry = { lifetime, elapsed: createElapsed(clock) };
  return { servers: boundedMap({ entries: 1000, bytes: maxBytes, expiry }), keys: boundedMap({ entries: 1000, bytes: maxBytes, expiry }) };
}
