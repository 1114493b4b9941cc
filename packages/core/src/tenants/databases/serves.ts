import type { Collection, DataAdapter } from "../../store/contract.ts";
import { schema } from "../../store/schema.ts";

const methods = ["insert", "find", "count", "update", "delete"] as const;

/**
 * Looks whether an adapter can stand for the first one of an installation, for what belongs to tenants.
 * @throws {TypeError} that names what it lacks.
 */
export function assertServes(adapter: DataAdapter, first: DataAdapter): void {
  const collections: unknown = typeof adapter === "object" ? adapter.collections : undefined;
  if (typeof collections !== "object" || collections === null) throw new TypeError("getAdapters answered with no data adapter");
  for (const { name, scope } of Object.values(schema)) {
    if (scope !== "tenant") continue;
    const own = (collections as { readonly [name: string]: Collection | undefined })[name];
    const missing = methods.find((method) => typeof own?.[method] !== "function");
    if (missing !== undefined) throw new TypeError(`getAdapters answered with an adapter that lacks ${name}.${missing}`);
    // Core has asked the first adapter before it knows which one answers: a filter that is not understood would match everything.
    if (first.collections[name].filters === true && own?.filters !== true)
      throw new TypeError(`getAdapters answered with an adapter that understands no searches (filters) in ${name}, as the first one does`);
  }
}
