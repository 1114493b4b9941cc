import type { Collection, DataAdapter } from "../../store/contract.ts";
import { schema } from "../../store/schema.ts";

const methods = ["insert", "find", "count", "update", "delete"] as const;

/**
 * Checks that an adapter can store the data of tenants like the first adapter of the installation.
 * @throws {TypeError} that names what the adapter lacks.
 */
export function assertServes(adapter: DataAdapter, first: DataAdapter): void {
  const collections: unknown = typeof adapter === "object" ? adapter.collections : undefined;
  if (typeof collections !== "object" || collections === null) throw new TypeError("getAdapters must return a data adapter");
  for (const { name, scope } of Object.values(schema)) {
    if (scope !== "tenant") continue;
    const own = (collections as { readonly [name: string]: Collection | undefined })[name];
    const missing = methods.find((method) => typeof own?.[method] !== "function");
    if (missing !== undefined) throw new TypeError(`getAdapters returned an adapter without ${name}.${missing}`);
    // Core decides by the first adapter whether to send filters. An adapter that does not support them would return
    // every row.
    if (first.collections[name].filters === true && own?.filters !== true)
      throw new TypeError(`getAdapters returned an adapter that does not support searches (filters) in ${name}, unlike the first adapter`);
  }
}
