/** Limits of a {@link BoundedMap}. */
interface BoundedMapLimits<Value> {
  /** Maximum number of entries. Default 10,000. */
  readonly entries?: number;
  /** Maximum total size of the entries in bytes, as given to `set`. Default: no limit. */
  readonly bytes?: number;
  /** Entries expire this many milliseconds after they were set. Default: they do not expire. */
  readonly expiry?: {
    /** Milliseconds. */
    readonly lifetime: number;
    /** A monotonic time in milliseconds. */
    readonly elapsed: () => number;
  };
  /** Called with each value that the map evicts, whether the map was full or the entry had expired. */
  readonly onEvict?: (value: Value) => void;
}

/**
 * A map with limits. It evicts the entries first that were not used for longest, approximately: it examines them in the
 * order in which they were added, and an entry that was used since gets a second chance. So reading an entry writes no
 * more than a mark, whereas an exact order would need a change of the map for each read.
 */
export interface BoundedMap<Value> {
  /** The number of entries, including expired ones that were not evicted yet. */
  readonly size: number;
  /** The total size of the entries in bytes, as given to `set`. */
  readonly bytes: number;
  /** Returns the value of an entry and marks the entry as used. Evicts the entry instead if it has expired. */
  get(key: string): Value | undefined;
  /** Like `get`, but does not mark the entry as used. */
  peek(key: string): Value | undefined;
  /**
   * Adds or replaces an entry and marks it as used. The lifetime of a replaced entry starts again. An entry that is
   * larger than the maximum total size is not added.
   * @param bytes the size of the entry. Default 0.
   */
  set(key: string, value: Value, bytes?: number): void;
  /**
   * Corrects the size of an entry that was measured after the entry was added. Does not extend the entry's lifetime.
   */
  resize(key: string, bytes: number): void;
  delete(key: string): void;
  clear(): void;
}

interface Entry<Value> {
  readonly value: Value;
  readonly setAt: number;
  bytes: number;
  /** Whether the entry was used since it was added or last examined. */
  isUsed: boolean;
}

/**
 * Maximum number of expired entries that one `set` evicts. It is greater than one, so that expired entries do not
 * accumulate. `set` examines the first entry first. If that entry has not expired, no entry was added earlier than one
 * lifetime ago, except those that got a second chance, which are examined in turn.
 */
const expiredPerSet = 4;

/** Creates a {@link BoundedMap}. */
export function boundedMap<Value extends object | true>(limits: BoundedMapLimits<Value> = {}): BoundedMap<Value> {
  const { entries: maxEntries = 10_000, bytes: maxBytes = Infinity, expiry, onEvict } = limits;
  // A Map iterates in the order of insertion. An entry with a second chance is inserted again, so that it is last.
  const entries = new Map<string, Entry<Value>>();
  let total = 0;

  const remove = (key: string, entry: Entry<Value>): void => {
    entries.delete(key);
    total -= entry.bytes;
  };
  const evict = (key: string, entry: Entry<Value>): void => {
    remove(key, entry);
    onEvict?.(entry.value);
  };
  const isExpired = ({ setAt }: Entry<Value>): boolean => expiry !== undefined && expiry.elapsed() - setAt >= expiry.lifetime;
  const read = (key: string): Entry<Value> | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || !isExpired(entry)) return entry;
    evict(key, entry);
    return undefined;
  };
  const evictExpired = (): void => {
    let evicted = 0;
    for (const [key, entry] of entries) {
      if (evicted++ === expiredPerSet || !isExpired(entry)) return;
      evict(key, entry);
    }
  };
  const evictSurplus = (): void => {
    for (const [key, entry] of entries) {
      if (entries.size <= maxEntries && total <= maxBytes) return;
      if (!entry.isUsed) {
        evict(key, entry);
        continue;
      }
      entry.isUsed = false;
      entries.delete(key);
      entries.set(key, entry);
    }
  };

  return {
    get size() {
      return entries.size;
    },
    get bytes() {
      return total;
    },
    get(key) {
      const entry = read(key);
      if (entry === undefined) return undefined;
      entry.isUsed = true;
      return entry.value;
    },
    peek: (key) => read(key)?.value,
    set(key, value, bytes = 0) {
      const replaced = entries.get(key);
      if (replaced !== undefined) remove(key, replaced);
      if (expiry !== undefined) evictExpired();
      if (bytes > maxBytes) return;
      entries.set(key, { value, setAt: expiry?.elapsed() ?? 0, bytes, isUsed: false });
      total += bytes;
      evictSurplus();
    },
    resize(key, bytes) {
      const entry = entries.get(key);
      if (entry === undefined) return;
      total += bytes - entry.bytes;
      entry.bytes = bytes;
      if (bytes > maxBytes) evict(key, entry);
      else evictSurplus();
    },
    delete(key) {
      const entry = entries.get(key);
      if (entry !== undefined) remove(key, entry);
    },
    clear() {
      entries.clear();
      total = 0;
    },
  };
}
