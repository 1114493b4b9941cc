import type { PGlite, PGliteDialect, PGliteTransaction } from "kysely";
import { PGliteSchemaDialect } from "./schema-dialect.ts";

/**
 * The parsers by type id, with the same results as for PostgreSQL (boolean, int8). The host may have given its instance
 * other parsers.
 */
const parsers = { 16: (value: string) => value === "t", 20: Number };

/** Creates Kysely's dialect for an instance of the host. */
export function pgliteDialect(instance: PGlite, schema?: string): PGliteDialect {
  return new PGliteSchemaDialect(
    {
      pglite: {
        ...reading(instance),
        get closed() {
          return instance.closed;
        },
        get ready() {
          return instance.ready;
        },
        get waitReady() {
          return instance.waitReady;
        },
        transaction: (run) =>
          instance.transaction((transaction) => run({ ...reading(transaction), rollback: () => transaction.rollback() })),
        close: async () => {},
      },
    },
    schema,
  );
}

/** Creates Kysely's dialect for a transaction of the host. */
export function pgliteTransactionDialect(transaction: Pick<PGliteTransaction, "query">, schema?: string): PGliteDialect {
  const pglite: PGlite = {
    ...reading(transaction),
    closed: false,
    ready: true,
    waitReady: Promise.resolve(),
    transaction: () => Promise.reject(new Error("a transaction is already open")),
    close: async () => {},
  };
  return new PGliteSchemaDialect({ pglite }, schema);
}

function reading(runner: Pick<PGliteTransaction, "query">): Pick<PGliteTransaction, "query"> {
  return { query: (text, parameters, options) => runner.query(text, parameters, { ...options, parsers }) };
}
