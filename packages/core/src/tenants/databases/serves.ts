import type { Collection, DataAdapter } from "../../store/contract.ts";
import { schema } from "../../store/schema.ts";

const methods = ["insert", "find", "count", "update", "delete"] as const;

/**
 * Requires that an adapter has every collection and feature that tenants use in the first database.
 * @throws {TypeError} that names the missing method or feature of the adapter.
 */
export function assertServes(adapter: DataAdapter, first: DataAdapter): void {
  const collections: unknown = typeof adapter === "object" ? adapter.collections : undefined;
  if (typeof collections !== "object" || collections === null) throw new TypeError("getAdapters must return a data adapter");
  for (const { name, scope } of Object.values(schema)) {
    if (scope !== "tenant") continue;
    const own = (collections as { readonly [name: string]: Collection | undefined })[name];
    const missing = methods.find((method) => typeof own?.[method] !== "function");
    if (missing !== undefined) throw new TypeError(`getAdapters returned an adapter without ${name}.${missing}`);
    // Whether queries contain filters depends on the first adapter. An adapter that does not support them would return
    // every row.
    if (first.collections[name].filters === true && own?.filters !== true)
      throw new TypeError(`getAdapters returned an adapter that does not support searches (filters) in ${name}, unlike the first adapter`);
  }
}
