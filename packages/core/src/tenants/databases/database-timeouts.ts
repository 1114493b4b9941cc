import type { HostServices } from "../../context.ts";
import { endOfTurn } from "../../store/turn.ts";
import { DataTimeoutError, isUnavailable } from "../../store/conflicts.ts";
import type { AnyRow, CallOptions, Collection, Collections } from "../../store/contract.ts";
import { schema } from "../../store/schema.ts";

/** Milliseconds that a call may take while the database is suspected not to respond. */
const probeTimeout = 1000;
/** Milliseconds between probes of a database that does not respond. In between, other calls fail at once. */
const probeInterval = 1000;

/** A call that has a timeout. */
export interface TimedCall extends CallOptions {
  /** Whether the call timed out. Cheaper than `signal`, which is created when it is read. */
  readonly isAborted: boolean;
}

/**
 * Runs one call to a database, with a timeout.
 * @param collection the collection of the call, if it has one.
 * @throws {DataTimeoutError} if the database does not respond in time.
 */
export type RunCall = <T>(call: (options: TimedCall) => Promise<T>, collection?: string) => Promise<T>;

/** A call that has neither a response nor a timeout yet. */
interface RunningCall {
  /** When the call began, in milliseconds. */
  readonly began: number;
  /** Rejects the call and aborts its signal. */
  abandon(): void;
}

/** The responses to calls on one collection. */
interface Responses {
  /** The number of calls that received a response. */
  count: number;
  /** Whether a call timed out and no response arrived since that call began. */
  isSuspected: boolean;
}

/**
 * Sets a timeout for each call to one database, and protects a database that does not respond from further calls.
 *
 * A database is *suspected* when a call times out and no response to another call arrived since that call began. From
 * then on each call has one second. If such a call times out too, one call per second is sent as a probe, and all
 * others fail at once. The first response, even a late one, ends the suspicion. So a request whose first call timed out
 * does not wait as long for its next call, and calls do not pile up while a database does not respond. One slow
 * statement does not cause a suspicion if the database responds to other calls. If a call times out without any answer
 * since it began, all earlier calls fail too. Otherwise calls of jobs would hold lost connections until their longer
 * timeout.
 *
 * Each collection is observed separately as well, because its table may be locked. After a call on a collection timed
 * out, each further call on that collection has one second, until one receives a response. These calls do not fail at
 * once.
 */
export class DatabaseTimeouts {
  readonly #host: Pick<HostServices, "clock" | "logger" | "setTimer">;
  readonly #tenantId: string | undefined;
  /** The number of calls to which the database responded. */
  #responses = 0;
  #isSuspected = false;
  /** When the last probe began or timed out. Undefined until a call of a suspected database times out. */
  #probedAt: number | undefined;
  readonly #collections = new Map<string, Responses>();
  readonly #running = new Set<RunningCall>();

  /** @param tenantId the tenant of a tenant-specific database; undefined for the first database. */
  constructor(host: Pick<HostServices, "clock" | "logger" | "setTimer">, tenantId?: string) {
    this.#host = host;
    this.#tenantId = tenantId;
  }

  /**
   * Runs a call.
   * @param timeout in milliseconds, unless the database is suspected.
   * @param collection the collection of the call, if it has one.
   * @throws what the call throws, or a {@link DataTimeoutError}.
   */
  run<T>(timeout: number, call: (options: TimedCall) => Promise<T>, collection?: string): Promise<T> {
    return this.#run(timeout, call, true, collection);
  }

  /** Opens the database. Like `run`, but a successful opening does not count as a response. */
  open<T>(timeout: number, call: (options: TimedCall) => Promise<T>): Promise<T> {
    return this.#run(timeout, call, false);
  }

  #run<T>(timeout: number, call: (options: TimedCall) => Promise<T>, isCall: boolean, collection?: string): Promise<T> {
    const { clock, setTimer } = this.#host;
    const began = clock.now();
    const isProbe = this.#isSuspected;
    if (isProbe && this.#probedAt !== undefined) {
      if (Math.abs(began - this.#probedAt) < probeInterval) return Promise.reject(new DataTimeoutError(`${this.#name()} does not respond`));
      if (isCall) this.#probedAt = began;
    }
    const own = collection === undefined ? undefined : this.#responsesOf(collection);
    const limit = isProbe || own?.isSuspected === true ? Math.min(timeout, probeTimeout) : timeout;
    const [responsesBefore, countBefore] = [this.#responses, own?.count];
    const failed = (): void => {
      if (own !== undefined && own.count === countBefore) own.isSuspected = true;
      // A call that had only one second because its table is suspected does not show whether the database responds.
      if (isProbe || limit === timeout) this.#recordFailure(began, responsesBefore, isProbe);
    };
    const options = new Call();
    return new Promise<T>((resolve, reject) => {
      let isSettled = false;
      const expire = async (): Promise<void> => {
        // If the process was stalled, the timer fires before a response that has arrived is read from the socket.
        await endOfTurn();
        if (isSettled) return;
        running.abandon();
        failed();
      };
      const cancel = setTimer(limit, () => void expire());
      const settle = (): void => {
        isSettled = true;
        cancel();
        this.#running.delete(running);
      };
      const running: RunningCall = {
        began,
        abandon: () => {
          settle();
          options.abort();
          reject(new DataTimeoutError(`${this.#name()} did not respond within ${Math.max(0, clock.now() - began)} ms`));
        },
      };
      this.#running.add(running);
      begin(call, options).then(
        (value) => {
          settle();
          if (isCall) this.#recordResponse(own);
          resolve(value);
        },
        (error: unknown) => {
          settle();
          // A cancelled statement also rejects. This does not show whether the database responds.
          if (options.isAborted) return;
          if (!isUnavailable(error)) {
            if (isCall) this.#recordResponse(own);
          } else if (clock.now() - began >= probeTimeout) {
            // A driver with its own timeout reports a database that does not respond.
            failed();
          }
          reject(error instanceof Error ? error : new Error(String(error), { cause: error }));
        },
      );
    });
  }

  #name(): string {
    return this.#tenantId === undefined ? "the database" : `the database of tenant '${this.#tenantId}'`;
  }

  #recordFailure(began: number, responsesBefore: number, isProbe: boolean): void {
    if (this.#responses !== responsesBefore) return;
    for (const running of this.#running) if (running.began < began) running.abandon();
    if (isProbe) this.#probedAt = this.#host.clock.now();
    if (this.#isSuspected) return;
    this.#isSuspected = true;
    this.#log("error", "database_not_responding");
  }

  #responsesOf(collection: string): Responses {
    let own = this.#collections.get(collection);
    if (own === undefined) this.#collections.set(collection, (own = { count: 0, isSuspected: false }));
    return own;
  }

  #recordResponse(own: Responses | undefined): void {
    this.#responses++;
    if (own !== undefined) {
      own.count++;
      own.isSuspected = false;
    }
    if (!this.#isSuspected) return;
    this.#isSuspected = false;
    this.#probedAt = undefined;
    this.#log("info", "database_responding");
  }

  #log(level: "info" | "error", event: string): void {
    try {
      this.#host.logger.log({ level, event, ...(this.#tenantId !== undefined && { tenant_id: this.#tenantId }) });
    } catch {
      // A logger that throws must not leave the call without a result.
    }
  }
}

/** Converts a synchronous throw of a call into a rejection. */
async function begin<T>(call: (options: TimedCall) => Promise<T>, options: TimedCall): Promise<T> {
  return call(options);
}

/** The options of one call. The signal is created when the adapter reads it. */
class Call implements TimedCall {
  isAborted = false;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isAborted) this.#controller.abort(abandoned());
    return this.#controller.signal;
  }

  abort(): void {
    this.isAborted = true;
    this.#controller?.abort(abandoned());
  }
}

const abandoned = (): DataTimeoutError => new DataTimeoutError("the caller no longer waits");

/** Wraps collections so that every call on them runs through `run`. */
export function withTimeouts(collections: Collections, run: RunCall): Collections {
  const all: { [name: string]: Collection } = {};
  for (const { name } of Object.values(schema)) {
    // Row types differ between collections. Optional collections may be absent.
    const inner = collections[name] as unknown as Collection<AnyRow> | undefined;
    if (inner === undefined) continue;
    all[name] = {
      ...(inner.filters !== undefined && { filters: inner.filters }),
      insert: (rows) => run((options) => inner.insert(rows, options), name),
      find: (query) => run((options) => inner.find(query, options), name),
      count: (where, filter) => run((options) => inner.count(where, filter, options), name),
      update: (where, change) => run((options) => inner.update(where, change, options), name),
      delete: (where) => run((options) => inner.delete(where, options), name),
    } satisfies Collection<AnyRow>;
  }
  // Contains a wrapper for each existing collection, with methods of the same types.
  return all as unknown as Collections;
}
