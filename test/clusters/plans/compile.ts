import type { AnyRow, Collection, DataAdapter } from "@postern/core/adapter";
import { createMysqlAdapter, createPostgresAdapter, createSqliteAdapter } from "@postern/kysely";
import { shapeOf, type RecordedCall } from "../../support/record-calls.ts";

/** The databases whose plans are tested. */
export type PlanDatabaseName = "sqlite" | "postgres" | "mysql";

/** A statement as the driver receives it. */
export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Whether the driver prepares the statement, so that the database can use one plan for all values. */
  readonly isPrepared: boolean;
  /** Sent only if at most this many rows match the filter, or only if more match. Undefined if it is always sent. */
  readonly ifMatches?: "few" | "many";
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
  const answer: Answer = (sql, values, isPrepared = false) => {
    sent.push({ sql, values, isPrepared });
    return sql.startsWith("select count") ? [{ n: matches }] : [];
  };
  const data = openWithoutDatabase(name, answer);
  return async (call) => {
    sent.length = 0;
    matches = 0;
    await send(data, call);
    const forFew = sent.splice(0);
    matches = 1_000_000;
    await send(data, call);
    const forMany = sent.filter(({ sql }) => forFew.every((other) => other.sql !== sql));
    if (forMany.length === 0) return forFew;
    return [
      ...forFew.map((statement) =>
        sent.some(({ sql }) => sql === statement.sql) ? statement : { ...statement, ifMatches: "few" as const },
      ),
      ...forMany.map((statement) => ({ ...statement, ifMatches: "many" as const })),
    ];
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

type Answer = (sql: string, values: readonly unknown[], isPrepared?: boolean) => { readonly n: number }[];

function openWithoutDatabase(name: PlanDatabaseName, answer: Answer): DataAdapter {
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
            query: async ({ text, values, name: preparedName }) => ({
              command: text.split(" ", 1)[0]?.toUpperCase() ?? "",
              rowCount: 0,
              rows: answer(text, values, preparedName !== undefined),
            }),
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
