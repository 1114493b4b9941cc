import type { AnyRow, Collection, DataAdapter } from "@postern/core/adapter";
import { createMysqlAdapter, createPostgresAdapter, createSqliteAdapter } from "@postern/kysely";
import { shapeOf, type RecordedCall } from "../../support/record-calls.ts";

/** The databases whose plans are tested. */
export type PlanDatabaseName = "sqlite" | "postgres" | "mysql";

/** A statement as the driver receives it. */
export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** A function that returns the statements of a call. */
export type Compile = (call: RecordedCall) => Promise<readonly SqlStatement[]>;

/**
 * Returns a function that compiles calls with the adapter of a database, without a database. A search that counts the
 * matches of its filter first has two forms, for few and for many matches. Both are returned.
 */
export function compilerFor(name: PlanDatabaseName): Compile {
  const sent: SqlStatement[] = [];
  let matches = 0;
  const answer = (sql: string, values: readonly unknown[]): { n: number }[] => {
    sent.push({ sql, values });
    return /^select count/.test(sql) ? [{ n: matches }] : [];
  };
  const data = openWithoutDatabase(name, answer);
  return async (call) => {
    sent.length = 0;
    for (matches of [0, 1_000_000]) await send(data, call);
    return [...new Map(sent.map((statement) => [statement.sql, statement])).values()];
  };
}

/** Sends a call to an adapter. */
async function send(data: DataAdapter, { collection: name, method, where, filter, change, find }: RecordedCall): Promise<void> {
  const collection = (data.collections as unknown as { readonly [name: string]: Collection<AnyRow> })[name];
  if (collection === undefined) throw new Error(`unknown collection ${name}`);
  if (method === "find") await collection.find({ where, ...(filter && { filter }), limit: 50, ...find });
  else if (method === "count") await collection.count(where, filter);
  else if (method === "update") await collection.update(where, change ?? {});
  else await collection.delete(where);
}

function openWithoutDatabase(name: PlanDatabaseName, answer: (sql: string, values: readonly unknown[]) => unknown[]): DataAdapter {
  switch (name) {
    case "sqlite":
      return createSqliteAdapter({
        tune: false,
        database: {
          pragma: () => undefined,
          close: () => undefined,
          prepare: (sql) => ({
            reader: sql.startsWith("select"),
            all: (values: unknown[]) => answer(sql, values),
            run: (values: unknown[]) => (answer(sql, values), { changes: 0, lastInsertRowid: 0 }),
            iterate: () => [].values(),
            safeIntegers: () => undefined,
          }),
        },
      });
    case "postgres":
      return createPostgresAdapter({
        pool: {
          connect: async () => ({
            query: async ({ text, values }) => ({ command: text.split(" ", 1)[0]?.toUpperCase() ?? "", rowCount: 0, rows: answer(text, values) }),
            release: () => undefined,
            on: () => undefined,
            off: () => undefined,
          }),
          end: async () => undefined,
        },
      });
    case "mysql":
      return createMysqlAdapter({
        pool: {
          getConnection: (callback) => {
            callback(null, {
              config: {},
              threadId: 1,
              release: () => undefined,
              destroy: () => undefined,
              query: ({ sql, values }, done) => {
                const rows = answer(sql, values ?? []);
                done(null, sql.startsWith("select") ? rows : { affectedRows: 0, insertId: 0 });
              },
            });
          },
          end: (callback) => callback(null),
        },
      });
  }
}

/** Removes calls whose shape is equal to that of an earlier call. */
export function distinctCalls(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  return [...new Map(calls.map((call) => [shapeOf(call), call])).values()];
}
