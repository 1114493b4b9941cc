import { lru } from "tiny-lru";

/** A map that never holds more than so many entries. */
export interface BoundedMap<Value> {
  readonly size: number;
  get(key: string): Value | undefined;
  /** As `get`, but is no use of the entry. */
  peek(key: string): Value | undefined;
  has(key: string): boolean;
  set(key: string, value: Value): unknown;
  delete(key: string): unknown;
  clear(): unknown;
}

/**
 * A map that forgets what was longest of no use as soon as it would hold more entries than it may. It takes its room as entries come.
 * @param most entries that it holds.
 * @param forgotten is given what the map gives up for another entry.
 */
export function boundedMap<Value extends object | true>(most = 10_000, forgotten?: (value: Value) => void): BoundedMap<Value> {
  const map = lru<Value>(most);
  if (forgotten !== undefined) map.onEvict(({ value }) => forgotten(value));
  return map;
}
