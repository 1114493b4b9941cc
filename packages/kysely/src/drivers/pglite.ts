import type { PGlite, PGliteDialect, PGliteTransaction } from "kysely";
import { PGliteSchemaDialect } from "./schema-dialect.ts";

/** By type number, as in PostgreSQL (boolean, int8): the host's instance may have been given other parsers. */
const parsers = { 16: (value: string) => value === "t", 20: Number };

/** Kysely's dialect on an instance of the host's. */
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

/** Kysely's dialect on a transaction of the host's. */
export function pgliteTransactionDialect(transaction: Pick<PGliteTransaction, "query">, schema?: string): PGliteDialect {
  const pglite: PGlite = {
    ...reading(transaction),
    closed: false,
    ready: true,
    waitReady: Promise.resolve(),
    transaction: () => Promise.reject(new Error("this is a transaction already")),
    close: async () => {},
  };
  return new PGliteSchemaDialect({ pglite }, schema);
}

function reading(runner: Pick<PGliteTransaction, "query">): Pick<PGliteTransaction, "query"> {
  return { query: (text, parameters, options) => runner.query(text, parameters, { ...options, parsers }) };
}
