/**
 * Milliseconds between two generations, so that a server that stays read-only does not cause a reconnection for each
 * statement.
 */
const minLifetime = 1000;

/**
 * Numbers the connections of a pool. When one of them finds out that its server no longer accepts writes, the other
 * ones lead to the same server, which may go on to answer reads with old data. Therefore a new generation begins, and
 * connections of earlier ones are not used.
 */
export class Generations<Connection extends object> {
  readonly #generations = new WeakMap<Connection, number>();
  #current = 0;
  #began = -Infinity;

  /** The number of the current generation. Read it before a connection is requested. */
  get current(): number {
    return this.#current;
  }

  /**
   * Returns `true` if the connection may be used. Otherwise, close it and request another one.
   * @param requested the generation when the connection was requested. It counts if the connection is new.
   */
  isCurrent(connection: Connection, requested: number): boolean {
    const generation = this.#generations.get(connection) ?? requested;
    this.#generations.set(connection, this.#current);
    return generation === this.#current;
  }

  /** Begins a new generation, at most once a second. */
  begin(): void {
    const now = performance.now();
    if (now - this.#began < minLifetime) return;
    this.#began = now;
    this.#current++;
  }
}
