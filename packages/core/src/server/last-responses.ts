import { createElapsed, type Clock } from "../adapters/clock.ts";
import type { ResponseDraft } from "../http/response.ts";
import { boundedMap } from "../store/bounded-map.ts";
import type { CollectionName } from "../store/schema.ts";

/** How long a response can be served again while the data store is unavailable, in milliseconds. */
const lifetime = 24 * 60 * 60 * 1000;

/** Maximum total size of the stored responses, in bytes. */
const maxBytes = 8 * 1024 * 1024;

/** Changes to these collections can make a stored response wrong: a revoked key, a deleted tenant, a removed domain. */
const sources: ReadonlySet<CollectionName> = new Set(["signing_keys", "tenants", "directory"]);

/**
 * The last successful responses from the routes that are still served while the data store is unavailable. These are
 * discovery and JWKS, so that APIs can continue to verify tokens.
 */
interface LastResponses {
  /** The number of changes so far that removed the stored responses. */
  readonly changes: number;
  /** Returns a response that is at most 24 hours old. */
  get(request: Request): ResponseDraft | undefined;
  /** Stores a response, unless a change occurred after the caller read `changes`. */
  set(request: Request, response: ResponseDraft, changes: number): void;
  /** Removes all responses if a stored response can depend on the collection. */
  handleChange(collection: CollectionName): void;
}

/** Creates {@link LastResponses}. */
export function createLastResponses(clock: Clock): LastResponses {
  const responses = boundedMap<ResponseDraft>({ entries: 1000, bytes: maxBytes, expiry: { lifetime, elapsed: createElapsed(clock) } });
  let changes = 0;
  return {
    get changes() {
      return changes;
    },
    get: (request) => responses.get(keyOf(request)),
    set(request, response, changesBefore) {
      if (changes !== changesBefore) return;
      responses.set(keyOf(request), response, 2 * ((response.body?.length ?? 0) + request.url.length));
    },
    handleChange(collection) {
      if (!sources.has(collection)) return;
      changes++;
      responses.clear();
    },
  };
}

/** Returns the parts of a request that select a public document: its URL and the headers that `Vary` lists. */
const keyOf = ({ url, headers }: Request): string => JSON.stringify([url, headers.get("x-forwarded-host"), headers.get("tenant-id")]);
