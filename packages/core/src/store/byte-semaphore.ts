import { endOfTurn } from "./turn.ts";

interface Waiter {
  readonly bytes: number;
  start(): void;
}

/**
 * Limits how many bytes concurrent work holds. Work waits until its bytes are available. Within a tenant, work runs in
 * the order of the calls; tenants take turns. So a tenant with a long queue delays another tenant by one piece of work
 * at most.
 */
export class ByteSemaphore {
  readonly #capacity: number;
  readonly #queues = new Map<string, Waiter[]>();
  #held = 0;

  /** @param capacity the maximum number of bytes. Work that needs more waits until no other work runs. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /**
   * Runs work that holds this many bytes. The bytes are released at the end of the event-loop turn in which the work
   * settles, because the response is serialized in that turn.
   */
  async run<T>(tenantId: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const share = Math.min(Math.ceil(bytes), this.#capacity);
    await this.#acquire(tenantId, share);
    try {
      return await work();
    } finally {
      void endOfTurn().then(() => {
        this.#held -= share;
        this.#startNext();
      });
    }
  }

  #acquire(tenantId: string, bytes: number): Promise<void> {
    if (this.#queues.size === 0 && this.#held + bytes <= this.#capacity) {
      this.#held += bytes;
      return Promise.resolve();
    }
    return new Promise((start) => {
      const queue = this.#queues.get(tenantId);
      if (queue === undefined) this.#queues.set(tenantId, [{ bytes, start }]);
      else queue.push({ bytes, start });
    });
  }

  #startNext(): void {
    for (const [tenantId, queue] of this.#queues) {
      const [next] = queue;
      // Work behind the first waiter never overtakes it. Otherwise smaller work could delay it forever.
      if (next !== undefined && this.#held + next.bytes > this.#capacity) return;
      // A tenant with more waiting work moves to the end of the queue of tenants.
      this.#queues.delete(tenantId);
      queue.shift();
      if (queue.length > 0) this.#queues.set(tenantId, queue);
      if (next === undefined) continue;
      this.#held += next.bytes;
      next.start();
    }
  }
}
