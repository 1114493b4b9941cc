import { endOfTurn } from "./turn.ts";

interface Waiter {
  readonly bytes: number;
  start(): void;
}

/**
 * Limits how many bytes concurrent work holds. Work waits for its share: first come, first served within a tenant, and
 * round robin between tenants. So a tenant with a long queue delays another tenant by one piece of work at most.
 */
export class ByteSemaphore {
  readonly #capacity: number;
  readonly #queues = new Map<string, Waiter[]>();
  #held = 0;

  /** @param capacity bytes. Work that needs more waits until it is alone. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /**
   * Runs work that holds this many bytes. They are released at the end of the turn in which the work settles, when the
   * response has been serialized.
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
      // The first waiter is not overtaken: otherwise smaller work could delay it forever.
      if (next !== undefined && this.#held + next.bytes > this.#capacity) return;
      // A tenant with more waiting work moves to the end of the line.
      this.#queues.delete(tenantId);
      queue.shift();
      if (queue.length > 0) this.#queues.set(tenantId, queue);
      if (next === undefined) continue;
      this.#held += next.bytes;
      next.start();
    }
  }
}
