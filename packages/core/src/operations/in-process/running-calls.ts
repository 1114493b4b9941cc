import { endOfTurn } from "../../store/turn.ts";
import { isConflict } from "../../store/conflicts.ts";
import type { AnyRow, Collection, Collections } from "../../store/contract.ts";
import { PosternError } from "../../errors.ts";
import { toPosternError } from "../../http/response.ts";

/**
 * Tracks the work in progress in a transaction of the host application: calls, and the database statements of calls
 * that timed out. No work starts after the transaction has ended.
 */
export class RunningCalls {
  readonly #pending = new Set<Promise<unknown>>();
  #state: "open" | "ending" | "ended" = "open";
  #fault: { readonly error: unknown } | undefined;

  /** Starts a call. @throws {PosternError} `configuration_error` if the transaction has ended. */
  async call<T>(begin: () => Promise<T>): Promise<T> {
    if (this.#state !== "open") throw ended();
    return this.#track(begin());
  }

  /**
   * Wraps collections so that no statement is sent after the transaction has ended or after a statement has failed.
   * Databases differ in how they treat further statements in a failed transaction.
   */
  guard(collections: Collections): Collections {
    const guarded = Object.entries(collections).map(([name, collection]) => [name, this.#guarded(collection as unknown as Collection)]);
    // Each collection is wrapped with methods of the same types.
    return Object.fromEntries(guarded) as Collections;
  }

  /** Waits for all work in progress, and rejects all later work. */
  async end(): Promise<void> {
    this.#state = "ending";
    while (this.#pending.size > 0) {
      await Promise.allSettled(this.#pending);
      // A caller that receives a result may start its next call in the same turn.
      await endOfTurn();
    }
    this.#state = "ended";
  }

  /**
   * Requires that all statements succeeded. @throws {PosternError} if a statement in the transaction failed, even if
   * the host application caught the error.
   */
  assertWhole(): void {
    if (this.#fault !== undefined) throw toPosternError(this.#fault.error);
  }

  #guarded(collection: Collection): Collection<AnyRow> {
    const ask = async <T>(question: () => Promise<T>): Promise<T> => {
      if (this.#state === "ended") throw ended();
      if (this.#fault !== undefined) throw this.#fault.error;
      try {
        return await this.#track(question());
      } catch (error) {
        if (!isConflict(error)) this.#fault ??= { error };
        throw error;
      }
    };
    return {
      ...(collection.filters !== undefined && { filters: collection.filters }),
      insert: (rows) => ask(() => collection.insert(rows)),
      find: (query) => ask(() => collection.find(query)),
      count: (where, filter) => ask(() => collection.count(where, filter)),
      update: (where, change) => ask(() => collection.update(where, change)),
      delete: (where) => ask(() => collection.delete(where)),
    };
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work);
    try {
      return await work;
    } finally {
      this.#pending.delete(work);
    }
  }
}

const ended = (): PosternError =>
  new PosternError(
    "configuration_error",
    "postern.inTransaction: this transaction has ended. Await each call inside before 'run' resolves",
  );
