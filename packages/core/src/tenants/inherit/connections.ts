import type { Row } from "../../store/schema.ts";
import { inheritsProvider, withInheritedOptions } from "../../model/connections/inheritance.ts";
import { isNeverInherited } from "./never-inherited.ts";

type Connection = Row<"connections">;

/** A tenant's connections with the options that count: what they inherit is filled in. Their secrets stay where they are. */
export function withInherited(own: readonly Connection[], lenders: readonly Connection[]): readonly Connection[] {
  return own.map((row) => {
    const lender = inheritedConnectionOf(row, lenders);
    if (lender === undefined) return row;
    const known = merged.get(row);
    if (known?.lender === lender) return known.connection;
    const connection = { ...row, options: withInheritedOptions(row, lender) };
    merged.set(row, { lender, connection });
    return connection;
  });
}

/** Both records are those of the cache: while neither was loaded anew, they give the same. */
const merged = new WeakMap<Connection, { readonly lender: Connection; readonly connection: Connection }>();

/** The connection that one inherits from. */
export function inheritedConnectionOf(row: Connection, lenders: readonly Connection[]): Connection | undefined {
  return lenders.find((lender) => inheritsProvider(row, lender) && !isNeverInherited(lender.settings));
}
