import type { AnyRow, Collection, Collections } from "../../store/contract.ts";
import { schema } from "../../store/schema.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";

/** Records a data call as a span and measures it, by its operation and its collection. */
export function observeDataCall<T>(
  telemetry: Telemetry,
  operation: "insert" | "find" | "count" | "update" | "delete",
  collection: string,
  call: () => Promise<T>,
): Promise<T> {
  const attributes = { "db.operation.name": operation, "db.collection.name": collection };
  const measured = { histogram: "dataCallDuration", attributes } as const;
  return telemetry.observe({ name: `${operation} ${collection}`, attributes, isClient: true, measured }, async (span) => {
    const result = await call();
    if (Array.isArray(result)) span.set("db.response.returned_rows", result.length);
    return result;
  });
}

/**
 * Wraps collections so that each call is recorded.
 * @param scope which collections are wrapped: all, or those whose rows belong to a tenant. Default: all.
 */
export function observeCollections(
  collections: Collections,
  telemetry: Telemetry | undefined,
  scope: "all" | "tenant" = "all",
): Collections {
  if (telemetry === undefined) return collections;
  const all: { [name: string]: unknown } = { ...collections };
  for (const description of Object.values(schema)) {
    const { name } = description;
    // Row types differ between collections. Optional collections may be absent.
    const inner = collections[name] as unknown as Collection<AnyRow> | undefined;
    if (inner === undefined || (scope === "tenant" && description.scope !== "tenant")) continue;
    all[name] = {
      ...(inner.filters !== undefined && { filters: inner.filters }),
      insert: (rows, options) => observeDataCall(telemetry, "insert", name, () => inner.insert(rows, options)),
      find: (query, options) => observeDataCall(telemetry, "find", name, () => inner.find(query, options)),
      count: (where, filter, options) => observeDataCall(telemetry, "count", name, () => inner.count(where, filter, options)),
      update: (where, change, options) => observeDataCall(telemetry, "update", name, () => inner.update(where, change, options)),
      delete: (where, options) => observeDataCall(telemetry, "delete", name, () => inner.delete(where, options)),
    } satisfies Collection<AnyRow>;
  }
  // Contains a wrapper for each existing collection, with methods of the same types.
  return all as Collections;
}
