/** The minimum time between two calls of `rejectAll` that take effect, in milliseconds. */
const minInterval = 1000;

/** When a connection was opened and when its server last answered, in milliseconds of `performance.now()`. */
interface ConnectionTimes {
  readonly opened: number;
  answered: number;
}

/**
 * Decides which connections of a pool may be used again. Two failures show that the pool's other connections may be
 * unusable as well, although nothing has closed them:
 *
 * - The server no longer accepts writes. The other connections lead to the same server, which may continue to return
 *   old data.
 * - A statement got no answer. The network may have lost all connections without a notice, and each of them would cost
 *   another timeout.
 */
export class PoolConnections {
  readonly #times = new WeakMap<object, ConnectionTimes>();
  #minOpened = -Infinity;
  #minAnswered = -Infinity;

  /**
   * Whether the connection that the pool returned may be used. Otherwise, close it and request another one.
   * @param requested the time before it was requested from the pool. A connection that is new was opened later.
   */
  isUsable(connection: object, requested: number): boolean {
    let times = this.#times.get(connection);
    if (times === undefined) this.#times.set(connection, (times = { opened: requested, answered: performance.now() }));
    return times.opened >= this.#minOpened && times.answered >= this.#minAnswered;
  }

  /** Records that the server answered a statement. */
  recordAnswer(connection: object): void {
    const times = this.#times.get(connection);
    if (times !== undefined) times.answered = performance.now();
  }

  /** Rejects the connections on which the server did not answer since a time. */
  rejectSilentSince(time: number): void {
    this.#minAnswered = Math.max(this.#minAnswered, time);
  }

  /**
   * Rejects all connections that were requested before now. Takes effect at most once a second. Otherwise, a server that
   * stays read-only would cause a reconnection for each statement.
   */
  rejectAll(): void {
    const now = performance.now();
    if (now - this.#minOpened >= minInterval) this.#minOpened = now;
  }
}

const allConnections = new WeakMap<object, PoolConnections>();

/** Returns the {@link PoolConnections} of a pool. All adapters on the pool share them. */
export function poolConnectionsOf(pool: object): PoolConnections {
  let connections = allConnections.get(pool);
  if (connections === undefined) allConnections.set(pool, (connections = new PoolConnections()));
  return connections;
}
