import { endOfTurn } from "./turn.ts";

/** Rows that a deletion handles before the response is sent; `sweep` deletes the rest. */
export const rowsBeforeReply = 5000;

/** The limit of a {@link WorkLimit} is reached. */
class WorkLimitError extends Error {
  override readonly name = "WorkLimitError";
}

/** Limits how many rows a piece of work handles, and yields to the event loop after each batch. */
export class WorkLimit {
  readonly #limit: number;
  #handled = 0;

  /** @param limit rows. Default: no limit; the work then only yields. */
  constructor(limit = Infinity) {
    this.#limit = limit;
  }

  /** Rows handled so far. */
  get handled(): number {
    return this.#handled;
  }

  /**
   * Counts a batch and yields to the event loop.
   * @throws once the limit is reached. {@link run} catches it.
   */
  async batch(rows: number): Promise<void> {
    this.#handled += rows;
    if (this.#handled >= this.#limit) throw new WorkLimitError("the limit is reached");
    await endOfTurn();
  }

  /** Runs repeatable work that calls {@link batch}. @returns `false` if the limit ended it before it was complete. */
  async run(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof WorkLimitError) return false;
      throw error;
    }
  }
}
