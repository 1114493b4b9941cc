import type { AuthorizationServer, JWKSCacheInput } from "oauth4webapi";
import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap, type BoundedMap } from "../store/bounded-map.ts";
import type { SharedWork } from "../telemetry/shared-work.ts";

/**
 * Cached documents from identity providers, by the requested URL. The documents are public, so all connections share
 * them.
 */
export interface ProviderDocuments {
  /** Metadata, cached for ten minutes. */
  readonly servers: BoundedMap<SharedWork<AuthorizationServer>>;
  /** JSON Web Key Sets. The library fetches a set again if it does not contain the key that made a signature. */
  readonly keys: BoundedMap<JWKSCacheInput>;
}

/** How long a document from a provider is cached, in milliseconds. */
const lifetime = 10 * 60_000;

/** The maximum size of the cache for each kind of document, in bytes. One document may have up to 1 MiB. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Creates {@link ProviderDocuments} for the thousand most recently used providers, with at most 16 MiB for each kind of
 * document.
 */
export function createProviderDocuments(clock: Clock): ProviderDocuments {
  const expiry = { lifetime, elapsed: createElapsed(clock) };
  return { servers: boundedMap({ entries: 1000, bytes: maxBytes, expiry }), keys: boundedMap({ entries: 1000, bytes: maxBytes, expiry }) };
}
