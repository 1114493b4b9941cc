import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap, type BoundedMap } from "../store/bounded-map.ts";
import { shareWork, type SharedWork } from "../telemetry/shared-work.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

/** A cached document of a client: its metadata or its keys. */
interface Cached<Document> {
  readonly document: Document;
  /** Monotonic times in milliseconds: when the document was fetched, and when it is fetched again. */
  readonly since: number;
  readonly until: number;
}

/** A document that was fetched, with the `max-age` of its response in milliseconds, if it has one. */
export interface Fetched<Document> {
  readonly document: Document;
  readonly bytes: number;
  readonly maxAge: number | undefined;
}

/** The parts of the host application that a cache of documents needs. */
interface Host {
  readonly clock: Clock;
  readonly telemetry: Telemetry | undefined;
}

/** How long documents are cached, in milliseconds. */
interface Lifetimes {
  readonly shortest: number;
  readonly longest: number;
  /** How long a failure is remembered. Within this time, no request is sent. Default: failures are not remembered. */
  readonly failure?: number;
}

/** Documents that clients publish, by their URLs. They are public, so all tenants share them. */
export class DocumentCache<Document extends object> {
  readonly #documents: BoundedMap<Cached<Document>>;
  readonly #loads = new Map<string, SharedWork<Document>>();
  readonly #name: string;
  readonly #telemetry: Telemetry | undefined;
  readonly #elapsed: () => number;
  readonly #lifetimes: Lifetimes;
  readonly #failures: BoundedMap<{ readonly error: unknown }>;

  /**
   * @param name of the documents, for the spans of their loads.
   * @param lifetimes a document is cached as long as its response allows, within these limits.
   * @param bytes the maximum total size of the documents.
   */
  constructor(name: string, { clock, telemetry }: Host, lifetimes: Lifetimes, bytes: number) {
    this.#name = name;
    this.#telemetry = telemetry;
    this.#elapsed = createElapsed(clock);
    this.#lifetimes = lifetimes;
    this.#failures = boundedMap({ entries: 1000, expiry: { lifetime: lifetimes.failure ?? 0, elapsed: this.#elapsed } });
    this.#documents = boundedMap({ entries: 1000, bytes, expiry: { lifetime: lifetimes.longest, elapsed: this.#elapsed } });
  }

  /** Returns a document that need not be fetched again yet. */
  fresh(url: string): Document | undefined {
    const known = this.#documents.get(url);
    return known !== undefined && known.until > this.#elapsed() ? known.document : undefined;
  }

  /** Returns a document that may have expired. */
  stale(url: string): Document | undefined {
    return this.#documents.peek(url)?.document;
  }

  /** Returns the milliseconds since a document was fetched; `Infinity` if it is not cached. */
  age(url: string): number {
    return this.#elapsed() - (this.#documents.peek(url)?.since ?? -Infinity);
  }

  /** Whether the document is being fetched, so that {@link load} sends no request. */
  isLoading(url: string): boolean {
    return this.#loads.has(url);
  }

  /** Fetches a document, once for all parallel calls. A failure is remembered only for a short time. */
  async load(url: string, fetch: () => Promise<Fetched<Document>>): Promise<Document> {
    const failure = this.#failures.get(url);
    if (failure !== undefined) throw failure.error;
    const running = this.#loads.get(url);
    if (running !== undefined) return running.join();
    const load = shareWork(this.#telemetry, `load ${this.#name}`, () =>
      fetch()
        .then(({ document, bytes, maxAge = 0 }) => {
          const lifetime = Math.min(Math.max(maxAge, this.#lifetimes.shortest), this.#lifetimes.longest);
          const since = this.#elapsed();
          this.#documents.set(url, { document, since, until: since + lifetime }, bytes);
          return document;
        })
        .catch((error: unknown) => {
          if (this.#lifetimes.failure !== undefined) this.#failures.set(url, { error });
          throw error;
        })
        .finally(() => this.#loads.delete(url)),
    );
    this.#loads.set(url, load);
    return load.result;
  }
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** The maximum size of each cache, in bytes. */
const maxBytes = 5 * 1024 * 1024;

/** Creates the cache of metadata documents. */
export function createClientDocuments<Document extends object>(host: Host): DocumentCache<Document> {
  return new DocumentCache("client_document", host, { shortest: 5 * minute, longest: day }, maxBytes);
}

/** Creates the cache of clients' JSON Web Key Sets. */
export function createClientKeys<Document extends object>(host: Host): DocumentCache<Document> {
  return new DocumentCache("client_keys", host, { shortest: minute, longest: day, failure: 10_000 }, maxBytes);
}
