import type { AuthorizationServer, JWKSCacheInput } from "oauth4webapi";
import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap, type BoundedMap } from "../store/bounded-map.ts";

/** What providers say of themselves, by the address that was asked. Public documents: whose connection asked makes no difference. */
export interface ProviderDocuments {
  /** Metadata, for ten minutes. */
  readonly servers: BoundedMap<Promise<AuthorizationServer>>;
  /** Keys, kept by the library, which looks again where it does not find the one that signed. */
  readonly keys: BoundedMap<JWKSCacheInput>;
}

/** Milliseconds for which a document of a provider is used. */
const lifetime = 10 * 60_000;

/** Maximum size of each kind of document, in bytes: a provider may return up to 1 MiB. */
const maxBytes = 16 * 1024 * 1024;

/** Creates {@link ProviderDocuments} that keep those of the thousand most recently used providers, and 16 MiB of each kind. */
export function createProviderDocuments(clock: Clock): ProviderDocuments {
  const expiry = { lifetime, elapsed: createElapsed(clock) };
  return { servers: boundedMap({ entries: 1000, bytes: maxBytes, expiry }), keys: boundedMap({ entries: 1000, bytes: maxBytes, expiry }) };
}
