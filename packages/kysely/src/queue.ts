/** Does one thing after the other, in the order in which they were asked for. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Does `work` when all that was asked for before has ended, well or not. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    let last;
    do await (last = this.#last);
    while (last !== this.#last);
  }
}
