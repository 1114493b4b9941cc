import type { Row } from "../../store/schema.ts";
import { borrows, withLent } from "../../model/connections/lending.ts";
import { keepsToItself } from "./kept.ts";

type Connection = Row<"connections">;

/** A tenant's connections with the options that count: what they inherit is filled in. Their secrets stay where they are. */
export function withInherited(own: readonly Connection[], lenders: readonly Connection[]): readonly Connection[] {
  return own.map((row) => {
    const lender = lenderOf(row, lenders);
    if (lender === undefined) return row;
    const known = merged.get(row);
    if (known?.lender === lender) return known.connection;
    const connection = { ...row, options: withLent(row, lender) };
    merged.set(row, { lender, connection });
    return connection;
  });
}

/** Both records are those of the cache: while neither was loaded anew, they give the same. */
const merged = new WeakMap<Connection, { readonly lender: Connection; readonly connection: Connection }>();

/** The connection that one inherits from. */
export function lenderOf(row: Connection, lenders: readonly Connection[]): Connection | undefined {
  return lenders.find((lender) => borrows(row, lender) && !keepsToItself(lender.settings));
}
