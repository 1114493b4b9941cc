/**
 * The minimum number of milliseconds between two generations. Without it, a server that stays read-only would cause a
 * reconnection for each statement.
 */
const minLifetime = 1000;

/**
 * Numbers the connections of a pool by generation. If a statement fails because its server no longer accepts writes,
 * the pool's other connections lead to the same server, which may continue to return old data. Therefore a new
 * generation begins, and connections from earlier generations are no longer used.
 */
export class Generations<Connection extends object> {
  readonly #generations = new WeakMap<Connection, number>();
  #current = 0;
  #began = -Infinity;

  /** The number of the current generation. Read it before you request a connection. */
  get current(): number {
    return this.#current;
  }

  /**
   * Returns `true` if the connection may be used. Otherwise, close it and request another one.
   * @param requested the generation at the time when the connection was requested. It is used if the connection is new.
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
