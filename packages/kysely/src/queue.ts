/** Runs tasks one after another, in the order of the calls. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier tasks have settled. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when no task is pending. */
  async idle(): Promise<void> {
    let last;
    do await (last = this.#last);
    while (last !== this.#last);
  }
}
