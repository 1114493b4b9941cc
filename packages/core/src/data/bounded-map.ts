import { LRUCache } from "lru-cache";

/**
 * A map that forgets what was longest of no use as soon as it would hold more entries than it may. It takes its room as entries come:
 * told a number of entries (`max`), the map underneath would take all of it at once, which is most of what a service costs that has just begun.
 * @param most entries that it holds.
 * @param forgotten is given what leaves the map, also what another value takes the place of.
 */
export function boundedMap<Value extends object | true>(most = 10_000, forgotten?: (value: Value) => void): LRUCache<string, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1, ...(forgotten && { dispose: forgotten }) });
}
