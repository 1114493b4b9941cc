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
  const known = new WeakMap<Mysql2Connection, Kysely<unknown>>();
  const dbOn = (connection: Mysql2Connection): Kysely<unknown> => {
    let db = known.get(connection);
    if (db === undefined) {
      const only: MysqlPoolConnection = { ...plain(connection), release: () => {}, destroy: () => {} };
      db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: onePool(only) }) });
      known.set(connection, db);
    }
    return db;
  };

  return async (signal, work) => {
    const connecting = connectionOf(pool);
    const connection = await unlessAborted(signal, connecting, () => {
      // The pool still hands the connection out when it has one.
      connecting.then((late) => late.release()).catch(() => {});
    });
    let isCancelled = false;
    try {
      return await unlessAborted(signal, work(dbOn(connection)), () => {
        isCancelled = true;
        const { threadId } = connection;
        connection.destroy();
        cancelOnServer(pool, threadId).catch(() => {});
      });
    } finally {
      if (!isCancelled) connection.release();
    }
  };
}

/** Ends a connection on the server, which finds out that it was closed only when it sends something: a statement that waits for a lock would wait on. Best effort. */
async function cancelOnServer(pool: Mysql2CallbackPool, threadId: number | null): Promise<void> {
  if (threadId === null) return;
  const control = await connectionOf(pool);
  const query = { sql: "kill ?", values: [threadId], ...ownForm, timeout: cancelTime };
  control.query(query, (error) => {
    // A thread that has ended by itself is an error of the server, a control connection that does not respond is one of the driver.
    if (error !== null && "code" in error && String(error.code).startsWith("PROTOCOL_")) control.destroy();
    else control.release();
  });
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
