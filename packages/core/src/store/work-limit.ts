import { endOfTurn } from "./turn.ts";

/** The number of rows that a deletion handles before the response is sent. `sweep` deletes the rest. */
export const rowsBeforeReply = 5000;

/** A {@link WorkLimit} has handled its maximum number of rows. */
class WorkLimitError extends Error {
  override readonly name = "WorkLimitError";
}

/** Limits how many rows a piece of work handles, and yields to the event loop after each batch. */
export class WorkLimit {
  readonly #limit: number;
  #handled = 0;

  /** @param limit the maximum number of rows. Default: no limit; the work only yields after each batch. */
  constructor(limit = Infinity) {
    this.#limit = limit;
  }

  /** The number of rows handled so far. */
  get handled(): number {
    return this.#handled;
  }

  /**
   * Counts the rows of a batch and yields to the event loop.
   * @throws once the row limit is reached. {@link run} catches this error.
   */
  async batch(rows: number): Promise<void> {
    this.#handled += rows;
    if (this.#handled >= this.#limit) throw new WorkLimitError("the row limit is reached");
    await endOfTurn();
  }

  /**
   * Runs idempotent work that calls {@link batch}. @returns `false` if the row limit ended the work before it was
   * complete.
   */
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
