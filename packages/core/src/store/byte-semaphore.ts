import { endOfTurn } from "./turn.ts";

interface Waiter {
  readonly bytes: number;
  start(): void;
}

/**
 * Limits how many bytes are held at once by work that runs side by side. Work waits for its share, first come first served within a tenant and in turns between tenants,
 * so that a tenant that queues much delays another by one piece of work at most.
 */
export class ByteSemaphore {
  readonly #capacity: number;
  readonly #queues = new Map<string, Waiter[]>();
  #held = 0;

  /** @param capacity bytes. Work that needs more waits until it is alone. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Runs work that holds so many bytes. They are released at the end of the turn in which it settles, when a reply has been serialized. */
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
      // The first waiter is not overtaken: smaller work would keep it from its share for ever.
      if (next !== undefined && this.#held + next.bytes > this.#capacity) return;
      // A tenant that waits with more goes to the end of the line.
      this.#queues.delete(tenantId);
      queue.shift();
      if (queue.length > 0) this.#queues.set(tenantId, queue);
      if (next === undefined) continue;
      this.#held += next.bytes;
      next.start();
    }
  }
}
