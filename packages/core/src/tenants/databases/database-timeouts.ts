import type { HostServices } from "../../context.ts";
import { endOfTurn } from "../../store/turn.ts";
import { DataTimeoutError, isUnavailable } from "../../store/conflicts.ts";
import type { AnyRow, CallOptions, Collection, Collections } from "../../store/contract.ts";
import { schema } from "../../store/schema.ts";

/** Milliseconds that a call may take while the database is suspected not to respond. */
const probeTimeout = 1000;
/** Milliseconds between probes of a database that does not respond. Other calls fail at once meanwhile. */
const probeInterval = 1000;

/** A call that has a timeout. */
export interface TimedCall extends CallOptions {
  /** Whether the call timed out. Costs less than reading `signal`, which has to be made. */
  readonly isAborted: boolean;
}

/**
 * Runs one call to a database, with a timeout.
 * @param collection the collection that the call is about, if it is about one.
 * @throws {DataTimeoutError} if the database does not respond in time.
 */
export type RunCall = <T>(call: (options: TimedCall) => Promise<T>, collection?: string) => Promise<T>;

/** What is known of one collection. */
interface Responses {
  /** Calls that were answered. */
  answers: number;
  /** A call timed out, and none was answered since that call began. */
  isSuspected: boolean;
}

/**
 * Sets a timeout for each call to one database, and keeps calls away from a database that does not respond.
 *
 * A database is *suspected* from the moment a call times out, if no other call was answered since that call began. From then on each call has one second. If such a call
 * times out too, one call a second is sent as a probe, and all others fail at once. The first answer, even a late one, ends the suspicion.
 * So a request whose first call times out does not wait that long again, and calls do not pile up in front of a database that does not respond.
 * One slow statement in a database that answers others does not start any of this.
 *
 * Each collection is watched as well, because a table may be locked: after a call to it timed out, calls to it have one second each until one is answered. They do not fail at once.
 */
export class DatabaseTimeouts {
  readonly #host: Pick<HostServices, "clock" | "logger" | "setTimer">;
  readonly #tenantId: string | undefined;
  /** Calls that the database answered. */
  #answers = 0;
  #isSuspected = false;
  /** When the last probe began or timed out. Undefined until a call of a suspected database times out. */
  #probedAt: number | undefined;
  readonly #collections = new Map<string, Responses>();

  /** @param tenantId the tenant that has this database to itself; undefined for the first database. */
  constructor(host: Pick<HostServices, "clock" | "logger" | "setTimer">, tenantId?: string) {
    this.#host = host;
    this.#tenantId = tenantId;
  }

  /**
   * Runs a call.
   * @param timeout in milliseconds, while the database is not suspected.
   * @param collection the collection that the call is about, if it is about one.
   * @throws what the call throws, or a {@link DataTimeoutError}.
   */
  run<T>(timeout: number, call: (options: TimedCall) => Promise<T>, collection?: string): Promise<T> {
    return this.#run(timeout, call, true, collection);
  }

  /** Opens the database. As `run`, but a database that is open is not taken for one that responds. */
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
    const [answersBefore, ownBefore] = [this.#answers, own?.answers];
    const failed = (): void => {
      if (own !== undefined && own.answers === ownBefore) own.isSuspected = true;
      // A call that had one second because of its table alone says too little about the database.
      if (isProbe || limit === timeout) this.#failed(answersBefore, isProbe);
    };
    const options = new Call();
    return new Promise<T>((resolve, reject) => {
      let isSettled = false;
      const expire = async (): Promise<void> => {
        // After a stall of the process the timer fires before the answer is read from its socket.
        await endOfTurn();
        if (isSettled) return;
        options.abort();
        failed();
        reject(new DataTimeoutError(`${this.#name()} did not respond within ${limit} ms`));
      };
      const cancel = setTimer(limit, () => void expire());
      begin(call, options).then(
        (value) => {
          isSettled = true;
          cancel();
          if (isCall) this.#answered(own);
          resolve(value);
        },
        (error: unknown) => {
          isSettled = true;
          cancel();
          // A statement that was cancelled rejects as well, which says nothing about the database.
          if (options.isAborted) return;
          if (!isUnavailable(error)) {
            if (isCall) this.#answered(own);
          } else if (clock.now() - began >= probeTimeout) {
            // A driver with a timeout of its own reports a database that does not respond.
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

  #failed(answersBefore: number, isProbe: boolean): void {
    if (this.#answers !== answersBefore) return;
    if (isProbe) this.#probedAt = this.#host.clock.now();
    if (this.#isSuspected) return;
    this.#isSuspected = true;
    this.#tell("error", "database_not_responding");
  }

  #responsesOf(collection: string): Responses {
    let own = this.#collections.get(collection);
    if (own === undefined) this.#collections.set(collection, (own = { answers: 0, isSuspected: false }));
    return own;
  }

  #answered(own: Responses | undefined): void {
    this.#answers++;
    if (own !== undefined) {
      own.answers++;
      own.isSuspected = false;
    }
    if (!this.#isSuspected) return;
    this.#isSuspected = false;
    this.#probedAt = undefined;
    this.#tell("info", "database_responding");
  }

  #tell(level: "info" | "error", event: string): void {
    try {
      this.#host.logger.log({ level, event, ...(this.#tenantId !== undefined && { tenant_id: this.#tenantId }) });
    } catch {
      // A logger that throws must not leave the call without a result.
    }
  }
}

/** Makes an error of what a call throws before it returns its promise. */
async function begin<T>(call: (options: TimedCall) => Promise<T>, options: TimedCall): Promise<T> {
  return call(options);
}

/** The options of one call. Makes its signal only if the adapter reads it. */
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

/** The same collections, each call of which goes through `run`. */
export function withTimeouts(collections: Collections, run: RunCall): Collections {
  const all: { [name: string]: Collection } = {};
  for (const { name } of Object.values(schema)) {
    // The row types differ from collection to collection. Optional ones may be absent.
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
  // One for each collection that was there, with methods of the same types.
  return all as unknown as Collections;
}
