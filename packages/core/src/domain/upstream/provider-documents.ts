import type { AuthorizationServer, JWKSCacheInput } from "oauth4webapi";
import { boundedMap, type BoundedMap } from "../../data/bounded-map.ts";

/** What providers say of themselves, by the address that was asked. Public documents: whose connection asked makes no difference. */
export interface ProviderDocuments {
  /** Metadata, and when they came: milliseconds since 1970. */
  readonly servers: BoundedMap<{ readonly at: number; readonly server: Promise<AuthorizationServer> }>;
  /** Keys, kept by the library, which looks again where it does not find the one that signed. */
  readonly keys: BoundedMap<JWKSCacheInput>;
}

/** Makes {@link ProviderDocuments} that keep those of the thousand providers asked last. */
export function createProviderDocuments(): ProviderDocuments {
  return { servers: boundedMap(1000), keys: boundedMap(1000) };
}
