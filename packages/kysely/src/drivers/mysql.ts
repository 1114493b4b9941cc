import { Kysely, MysqlDialect, type MysqlPool, type MysqlPoolConnection } from "kysely";
import { unlessAborted } from "../cancel.ts";
import type { RunCancellable } from "../runner.ts";

/** A pool of mysql2, as far as it is needed here: that of `mysql2`, or that of `mysql2/promise`, which has the other inside. */
export type Mysql2Pool = Mysql2CallbackPool | { readonly pool: Mysql2CallbackPool; end(): Promise<void> };

/** A pool of `mysql2`, as far as it is needed here. */
export interface Mysql2CallbackPool {
  getConnection(callback: (error: Error | null, connection: Mysql2Connection) => void): void;
  end(callback: (error: unknown) => void): void;
}

/** A connection of a mysql2 pool, as far as it is needed here. */
export interface Mysql2Connection {
  query(query: Mysql2Query, callback: (error: Error | null, result: unknown) => void): unknown;
  release(): void;
  destroy(): void;
  readonly config: object;
  readonly threadId: number | null;
}

/** A connection of mysql2, as far as it is needed here: that of `mysql2`, or that of `mysql2/promise`; one of a pool, or one by itself. */
export type Mysql2Client = Mysql2CallbackClient | Mysql2PromiseClient;

/** A connection of `mysql2`, as far as it is needed here. */
export interface Mysql2CallbackClient {
  query(query: Mysql2Query, callback: (error: Error | null, result: unknown) => void): unknown;
  /** Its own other kind, by which the two are told apart. */
  promise(): unknown;
}

/** A connection of `mysql2/promise`, as far as it is needed here. */
export interface Mysql2PromiseClient {
  query(query: Mysql2Query): Promise<readonly [result: unknown, fields: unknown]>;
}

/** A query as mysql2 takes it. */
export interface Mysql2Query {
  sql: string;
  values: unknown[];
  rowsAsArray: boolean;
  nestTables: boolean;
  namedPlaceholders: boolean;
  /** Milliseconds that the query may take. */
  timeout?: number;
}

/** The callback pool of either kind. */
export const callbackPool = (pool: Mysql2Pool): Mysql2CallbackPool => ("pool" in pool ? pool.pool : pool);

/** Kysely's dialect on a pool of the host's. */
export function mysqlDialect(pool: Mysql2CallbackPool): MysqlDialect {
  const connections = new WeakMap<Mysql2Connection, MysqlPoolConnection>();
  const wrapped: MysqlPool = {
    getConnection: (callback) => {
      pool.getConnection((error, connection) => {
        if (error) return callback(error, refused);
        let known = connections.get(connection);
        if (known === undefined) connections.set(connection, (known = plain(connection)));
        callback(null, known);
      });
    },
    end: (callback) => callback(undefined),
  };
  return new MysqlDialect({ pool: wrapped });
}

/** Milliseconds that cancelling a statement on the server may take. */
const cancelTime = 2000;

/** Runs statements on one connection of the pool, which is closed when they are cancelled. */
export function mysqlCancellable(pool: Mysql2CallbackPool): RunCancellable {
  const known = new WeakMap<Mysql2Connection, { readonly db: Kysely<unknown>; sql: string }>();
  const lend = (connection: Mysql2Connection) => {
    let lent = known.get(connection);
    if (lent === undefined) {
      const ask: Ask = (query, callback) => {
        opened.sql = query.sql;
        return connection.query(query, callback);
      };
      const only: MysqlPoolConnection = { ...plain(connection), query: querying(ask), release: () => {}, destroy: () => {} };
      const opened = { db: new Kysely<unknown>({ dialect: new MysqlDialect({ pool: onePool(only) }) }), sql: "" };
      known.set(connection, (lent = opened));
    }
    return lent;
  };

  return async (signal, work) => {
    const connecting = connectionOf(pool);
    const connection = await unlessAborted(signal, connecting, () => {
      // The pool still hands the connection out when it has one.
      connecting.then((late) => late.release()).catch(() => {});
    });
    const lent = lend(connection);
    let isCancelled = false;
    try {
      return await unlessAborted(signal, work(lent.db), () => {
        isCancelled = true;
        const { threadId } = connection;
        connection.destroy();
        cancelOnServer(pool, threadId, lent.sql).catch(() => {});
      });
    } finally {
      if (!isCancelled) connection.release();
    }
  };
}

/**
 * Ends a connection on the server, which finds out that it was closed only when it sends something: a statement that waits for a lock would wait on. Best effort.
 * Behind a proxy the number may be that of another connection: only one that runs this very statement is ended.
 */
async function cancelOnServer(pool: Mysql2CallbackPool, threadId: number | null, sql: string): Promise<void> {
  if (threadId === null) return;
  const control = await connectionOf(pool);
  const query = (text: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      control.query({ sql: text, values: [threadId], ...ownForm, timeout: cancelTime }, (error, result) =>
        error ? reject(error) : resolve(result),
      );
    });
  try {
    const rows = await query("select info from information_schema.processlist where id = ?");
    // Values stand in the text that the server shows.
    const [beginning = ""] = sql.split("?");
    const [row] = Array.isArray(rows) ? (rows as readonly { readonly info?: unknown; readonly INFO?: unknown }[]) : [];
    if (String(row?.info ?? row?.INFO ?? "").startsWith(beginning) && row !== undefined) await query("kill ?");
    control.release();
  } catch {
    // A server that does not respond: the connection is of no more use.
    control.destroy();
  }
}

const connectionOf = (pool: Mysql2CallbackPool): Promise<Mysql2Connection> =>
  new Promise((resolve, reject) => pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection))));

/** Kysely's dialect on one connection of the host's, which stays the host's. */
export function mysqlClientDialect(client: Mysql2Client): MysqlDialect {
  const ask: Ask = "promise" in client ? (query, callback) => client.query(query, callback) : asked(client);
  const only: MysqlPoolConnection = { ...refused, query: querying(ask), release: () => {} };
  return new MysqlDialect({ pool: onePool(only) });
}

const onePool = (only: MysqlPoolConnection): MysqlPool => ({
  getConnection: (callback) => callback(null, only),
  end: (callback) => callback(undefined),
});

type Ask = (query: Mysql2Query, callback: (error: Error | null, result: unknown) => void) => unknown;

const asked =
  (client: Mysql2PromiseClient): Ask =>
  (query, callback) =>
    client.query(query).then(
      ([result]) => callback(null, result),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), undefined),
    );

function plain(connection: Mysql2Connection): MysqlPoolConnection {
  return {
    config: connection.config,
    threadId: connection.threadId ?? 0,
    connect: () => {},
    destroy: () => connection.destroy(),
    release: () => connection.release(),
    query: querying((query, callback) => connection.query(query, callback)),
  };
}

/** Undoes what a host may have set for its own queries. */
function querying(ask: Ask): MysqlPoolConnection["query"] {
  return (sql, values, callback) => {
    ask({ sql, values, ...ownForm }, (error, result) => {
      // Kysely looks at what it gets: an array is rows, anything else a result packet.
      callback?.(error, result as never);
    });
    return { stream: unsupported };
  };
}

/** How results come, whatever the host set for its own queries. */
const ownForm = { rowsAsArray: false, nestTables: false, namedPlaceholders: false };

const unsupported = (): never => {
  throw new Error("streaming is not used here");
};

/** Stands for the connection where there is none. */
const refused: MysqlPoolConnection = {
  config: {},
  threadId: 0,
  connect: unsupported,
  destroy: unsupported,
  query: unsupported,
  release: unsupported,
};
