import type { Database } from "better-sqlite3";
import type { Pool as MysqlPool } from "mysql2";
import type { Pool as PgPool } from "pg";
import {
  createMysqlAdapter,
  createPostgresAdapter,
  createSqliteAdapter,
  type BetterSqliteDatabase,
  type Mysql2Connection,
  type PgPoolClient,
  type SqlAdapter,
} from "@postern/kysely";

/** The statements that reached a driver. */
interface Recorded {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** An adapter that records its statements, and a function that queries the database directly. */
interface Recording {
  readonly adapter: SqlAdapter;
  readonly recorded: Recorded[];
  /** Returns the number of statements that the driver prepared. */
  readonly prepared: () => number;
}

export function recordingSqlite(database: Database): Recording {
  const recorded: Recorded[] = [];
  let prepared = 0;
  const wrapped: BetterSqliteDatabase = {
    pragma: (text) => database.pragma(text),
    close: () => database.close(),
    prepare: (sql) => {
      prepared++;
      const statement = database.prepare(sql);
      return {
        reader: statement.reader,
        all: (values: unknown[]) => (recorded.push({ sql, values }), statement.all(values)),
        run: (values: unknown[]) => (recorded.push({ sql, values }), statement.run(values)),
        iterate: (values: unknown[]) => statement.iterate(values),
        safeIntegers: (on) => statement.safeIntegers(on),
      };
    },
  };
  return { adapter: createSqliteAdapter({ database: wrapped, closes: true }), recorded, prepared: () => prepared };
}

export function recordingPostgres(pool: PgPool): Recording {
  const recorded: Recorded[] = [];
  const names = new Set<string>();
  const adapter = createPostgresAdapter({
    pool: {
      connect: async () => {
        const client: PgPoolClient = await pool.connect();
        return {
          query: (query) => {
            recorded.push({ sql: query.text, values: query.values });
            if (query.name !== undefined) names.add(query.name);
            return client.query(query);
          },
          release: (destroy) => client.release(destroy),
          on: (event, listener) => client.on(event, listener),
          off: (event, listener) => client.off(event, listener),
        };
      },
      end: () => pool.end(),
    },
    closes: true,
  });
  return { adapter, recorded, prepared: () => names.size };
}

export function recordingMysql(pool: MysqlPool): Recording {
  const recorded: Recorded[] = [];
  const adapter = createMysqlAdapter({
    pool: {
      getConnection: (callback) => {
        pool.getConnection((error, connection) => {
          const wrapped: Mysql2Connection = {
            config: connection.config,
            threadId: connection.threadId,
            release: () => connection.release(),
            destroy: () => connection.destroy(),
            query: (query, done) => {
              recorded.push({ sql: query.sql, values: query.values });
              return connection.query({ ...query }, done);
            },
          };
          callback(error, wrapped);
        });
      },
      end: (callback) => pool.end(callback),
    },
    closes: true,
  });
  return { adapter, recorded, prepared: () => 0 };
}
