import type { Row } from "../../store/schema.ts";
import { inheritsProvider, withInheritedOptions } from "../../model/connections/inheritance.ts";
import { isNeverInherited } from "./never-inherited.ts";

type Connection = Row<"connections">;

/** Returns a tenant's connections with inherited options. Secrets are not copied. */
export function withInherited(own: readonly Connection[], parents: readonly Connection[]): readonly Connection[] {
  return own.map((row) => {
    const parent = inheritedConnectionOf(row, parents);
    if (parent === undefined) return row;
    const known = merged.get(row);
    if (known?.parent === parent) return known.connection;
    const connection = { ...row, options: withInheritedOptions(row, parent) };
    merged.set(row, { parent, connection });
    return connection;
  });
}

/**
 * Merged connections, by the tenant's connection. Both connections are cached objects, so a result is valid until one
 * of them is loaded again.
 */
const merged = new WeakMap<Connection, { readonly parent: Connection; readonly connection: Connection }>();

/** Returns the connection that a connection inherits from. */
export function inheritedConnectionOf(row: Connection, parents: readonly Connection[]): Connection | undefined {
  return parents.find((parent) => inheritsProvider(row, parent) && !isNeverInherited(parent.settings));
}
