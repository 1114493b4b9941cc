/**
 * A map that never holds more than `limit` entries, and always the half of that many that were used last.
 *
 * It has two generations: what is used moves to the young one, and when that is full the old one is forgotten.
 * So finding what was found before writes nothing; keeping the exact order would cost a write each time.
 */
export class BoundedMap<K, V> {
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
