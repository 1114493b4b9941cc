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

function reading(runner: Pick<PGliteTransaction, "query">): Pick<PGliteTransaction, "query"> {
  return { query: (text, parameters, options) => runner.query(text, parameters, { ...options, parsers }) };
}
