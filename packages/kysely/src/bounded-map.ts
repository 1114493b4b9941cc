/**
 * A map of at most `limit` entries that always contains at least the `limit / 2` most recently used ones.
 *
 * The map has two generations. An entry moves to the young generation when it is used. When the young generation is
 * full, it becomes the old generation, and the previous old generation is dropped. Reading an entry in the young
 * generation writes nothing, whereas an exact least-recently-used order would need a write for each read.
 */
export class StatementCache<K, V> {
  readonly #generation: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(limit: number) {
    this.#generation = Math.floor(limit / 2);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size < this.#generation) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
