import type { Wait } from "../adapters/wait.ts";
import { endOfTurn } from "../store/turn.ts";
import type { RequestExtra } from "./request-extra.ts";

/** Returns the response to a request that arrives after the drain has started. */
export const closingResponse = (): Response =>
  new Response(JSON.stringify({ error: "temporarily_unavailable", error_description: "this process is ending; try again" }), {
    status: 503,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "retry-after": "1",
      connection: "close",
    },
  });

/**
 * Tracks requests in progress and their work after the response, so that a process can end without cutting them off.
 */
export class RequestDrain {
  readonly #pending = new Set<Promise<unknown>>();
  #closing = 0;

  /** `true` while {@link close} runs. New requests are then rejected. */
  get isClosing(): boolean {
    return this.#closing > 0;
  }

  /** Rejects new requests until `work` has ended. */
  async close(work: () => Promise<void>): Promise<void> {
    this.#closing++;
    try {
      await work();
    } finally {
      this.#closing--;
    }
  }

  /** Runs a request. Also tracks the work that it continues after the response. */
  run(extra: RequestExtra, handle: (extra: RequestExtra) => Promise<Response>): Promise<Response> {
    const waitUntil = (work: Promise<unknown>): void => {
      void this.#track(work);
      extra.waitUntil?.(work);
    };
    return this.#track(handle({ ...extra, waitUntil }));
  }

  /**
   * Waits until all work in progress has ended.
   * @param deadline milliseconds after which the rest is no longer waited for.
   * @returns the number of requests and tasks that had not ended.
   */
  async end(deadline: number, wait: Wait): Promise<number> {
    const ended = new AbortController();
    let isLate = false;
    const late = wait(deadline, ended.signal).then(() => (isLate = true));
    while (this.#pending.size > 0 && !isLate) {
      await Promise.race([Promise.allSettled(this.#pending), late]);
      // A request that responds may start its work after the response in the same turn.
      await endOfTurn();
    }
    ended.abort();
    return this.#pending.size;
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work);
    const forget = (): void => void this.#pending.delete(work);
    work.then(forget, forget);
    return work;
  }
}
