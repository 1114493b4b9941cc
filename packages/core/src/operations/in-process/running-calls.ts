import { endOfTurn } from "../../store/turn.ts";
import { isConflict } from "../../store/conflicts.ts";
import type { AnyRow, Collection, Collections } from "../../store/contract.ts";
import { PosternError } from "../../errors.ts";
import { toPosternError } from "../../http/response.ts";

/** What is under way in a transaction of the host's: calls, and the statements of calls that nobody waits for any more. After the end there are none. */
export class RunningCalls {
  readonly #pending = new Set<Promise<unknown>>();
  #state: "open" | "ending" | "ended" = "open";
  #fault: { readonly error: unknown } | undefined;

  /** Begins a call. @throws {PosternError} `configuration_error` after the end. */
  async call<T>(begin: () => Promise<T>): Promise<T> {
    if (this.#state !== "open") throw ended();
    return this.#track(begin());
  }

  /** Lets statements through until the end, or until one has failed: what a database does after that in a transaction differs, and none of it is wanted. */
  guard(collections: Collections): Collections {
    const guarded = Object.entries(collections).map(([name, collection]) => [name, this.#guarded(collection as unknown as Collection)]);
    // Each with methods of the same types as before.
    return Object.fromEntries(guarded) as Collections;
  }

  /** Waits for everything, and lets nothing through afterwards. */
  async end(): Promise<void> {
    this.#state = "ending";
    while (this.#pending.size > 0) {
      await Promise.allSettled(this.#pending);
      // Whoever has an answer goes on with its next question.
      await endOfTurn();
    }
    this.#state = "ended";
  }

  /** @throws {PosternError} where the transaction is spoiled, whoever has caught that. */
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
