import { Kysely, MysqlDialect, type MysqlPool, type MysqlPoolConnection } from "kysely";
import { unlessAborted } from "../cancel.ts";
import type { RunCancellable } from "../runner.ts";
import { poolConnectionsOf, type PoolConnections } from "./pool-connections.ts";

/** A pool from `mysql2`, or one from `mysql2/promise`, which wraps a pool from `mysql2`. */
export type Mysql2Pool = Mysql2CallbackPool | { readonly pool: Mysql2CallbackPool; end(): Promise<void> };

/** A pool from `mysql2`. Only the members that the adapter uses. */
export interface Mysql2CallbackPool {
  getConnection(callback: (error: Error | null, connection: Mysql2Connection) => void): void;
  end(callback: (error: unknown) => void): void;
}

/** A connection from a mysql2 pool. Only the members that the adapter uses. */
export interface Mysql2Connection {
  query(query: Mysql2Query, callback: (error: Error | null, result: unknown) => void): unknown;
  release(): void;
  destroy(): void;
  readonly config: object;
  readonly threadId: number | null;
}

/** A connection from `mysql2` or `mysql2/promise`, either from a pool or opened directly. */
export type Mysql2Client = Mysql2CallbackClient | Mysql2PromiseClient;

/** A connection from `mysql2`. Only the members that the adapter uses. */
export interface Mysql2CallbackClient {
  query(query: Mysql2Query, callback: (error: Error | null, result: unknown) => void): unknown;
  /** Returns the same connection with the promise API. The presence of this method identifies the callback API. */
  promise(): unknown;
}

/** A connection from `mysql2/promise`. Only the members that the adapter uses. */
export interface Mysql2PromiseClient {
  query(query: Mysql2Query): Promise<readonly [result: unknown, fields: unknown]>;
}

/** A query in the form that mysql2 accepts. */
export interface Mysql2Query {
  sql: string;
  values: unknown[];
  rowsAsArray: boolean;
  nestTables: boolean;
  namedPlaceholders: boolean;
  /** The timeout for the query, in milliseconds. */
  timeout?: number;
}

/** Returns the pool with the callback API. */
export const callbackPool = (pool: Mysql2Pool): Mysql2CallbackPool => ("pool" in pool ? pool.pool : pool);

/** Creates Kysely's dialect for the host's pool. */
export function mysqlDialect(pool: Mysql2CallbackPool): MysqlDialect {
  const wrappers = new WeakMap<Mysql2Connection, MysqlPoolConnection>();
  const wrapped: MysqlPool = {
    getConnection: (callback) => {
      connectUsable(pool).then(
        (connection) => {
          let wrapper = wrappers.get(connection);
          if (wrapper === undefined) wrappers.set(connection, (wrapper = pooledConnection(connection, poolConnectionsOf(pool))));
          callback(null, wrapper);
        },
        (error: unknown) => callback(error, noConnection),
      );
    },
    end: (callback) => callback(undefined),
  };
  return new MysqlDialect({ pool: wrapped });
}

/** The timeout for cancelling a statement on the server, in milliseconds. */
const cancelTime = 2000;

/**
 * Creates the function that runs statements on one connection from the pool. If the statements are cancelled, the
 * connection is closed.
 */
export function mysqlCancellable(pool: Mysql2CallbackPool): RunCancellable {
  const states = new WeakMap<Mysql2Connection, { readonly db: Kysely<unknown>; isBroken: boolean; sql: string }>();
  const connections = poolConnectionsOf(pool);
  const stateOf = (connection: Mysql2Connection) => {
    const known = states.get(connection);
    if (known !== undefined) return known;
    const send: Send = (query, callback) => {
      state.sql = query.sql;
      return connection.query(query, (error, result) => {
        if (mustReconnect(error)) state.isBroken = true;
        if (isReadOnly(error)) connections.rejectAll();
        callback(error, result);
      });
    };
    const only: MysqlPoolConnection = {
      ...pooledConnection(connection, connections),
      query: queryOf(send),
      release: () => {},
      destroy: () => {},
    };
    const state = { db: new Kysely<unknown>({ dialect: new MysqlDialect({ pool: poolOf(only) }) }), isBroken: false, sql: "" };
    states.set(connection, state);
    return state;
  };

  return async (signal, work) => {
    const connecting = connectUsable(pool);
    const connection = await unlessAborted(signal, connecting, () => {
      // The pool still delivers the connection when one becomes available.
      connecting.then((late) => late.release()).catch(() => {});
    });
    const state = stateOf(connection);
    const start = performance.now();
    let isCancelled = false;
    try {
      return await unlessAborted(signal, work(state.db), () => {
        isCancelled = true;
        connections.rejectSilentSince(start);
        const { threadId } = connection;
        connection.destroy();
        cancelOnServer(pool, threadId, state.sql).catch(() => {});
      });
    } finally {
      if (!isCancelled) {
        connections.recordAnswer(connection);
        if (state.isBroken) connection.destroy();
        else connection.release();
      }
    }
  };
}

/**
 * Ends a connection on the server. A server notices that a connection was closed only when it sends something, so a
 * statement that waits for a lock would continue to wait. Best effort. Behind a proxy, the thread id can belong to
 * another connection. Therefore the connection is ended only if it runs the same statement.
 */
async function cancelOnServer(pool: Mysql2CallbackPool, threadId: number | null, sql: string): Promise<void> {
  if (threadId === null) return;
  const control = await connectUsable(pool);
  const query = (text: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      control.query({ sql: text, values: [threadId], ...resultForm, timeout: cancelTime }, (error, result) =>
        error ? reject(error) : resolve(result),
      );
    });
  try {
    const rows = await query("select info from information_schema.processlist where id = ?");
    // The server shows the statement with its values inserted, so only the part before the first placeholder can be
    // compared.
    const [beginning = ""] = sql.split("?");
    const [row] = Array.isArray(rows) ? (rows as readonly { readonly info?: unknown; readonly INFO?: unknown }[]) : [];
    if (String(row?.info ?? row?.INFO ?? "").startsWith(beginning) && row !== undefined) await query("kill ?");
    control.release();
  } catch {
    // The server does not respond.
    control.destroy();
  }
}

/** Returns a connection from the pool. Closes connections that may be unusable. */
async function connectUsable(pool: Mysql2CallbackPool): Promise<Mysql2Connection> {
  const connections = poolConnectionsOf(pool);
  for (;;) {
    const requested = performance.now();
    const connection = await new Promise<Mysql2Connection>((resolve, reject) =>
      pool.getConnection((error, opened) => (error ? reject(error) : resolve(opened))),
    );
    if (connections.isUsable(connection, requested)) return connection;
    connection.destroy();
  }
}

/** Creates Kysely's dialect for one connection of the host. The dialect never releases or closes the connection. */
export function mysqlClientDialect(client: Mysql2Client): MysqlDialect {
  const send: Send = "promise" in client ? (query, callback) => client.query(query, callback) : sendByPromise(client);
  const only: MysqlPoolConnection = { ...noConnection, query: queryOf(send), release: () => {} };
  return new MysqlDialect({ pool: poolOf(only) });
}

const poolOf = (only: MysqlPoolConnection): MysqlPool => ({
  getConnection: (callback) => callback(null, only),
  end: (callback) => callback(undefined),
});

type Send = (query: Mysql2Query, callback: (error: Error | null, result: unknown) => void) => unknown;

const sendByPromise =
  (client: Mysql2PromiseClient): Send =>
  (query, callback) =>
    client.query(query).then(
      ([result]) => callback(null, result),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), undefined),
    );

function pooledConnection(connection: Mysql2Connection, connections: PoolConnections): MysqlPoolConnection {
  let isBroken = false;
  return {
    config: connection.config,
    threadId: connection.threadId ?? 0,
    connect: () => {},
    destroy: () => connection.destroy(),
    release: () => {
      connections.recordAnswer(connection);
      if (isBroken) connection.destroy();
      else connection.release();
    },
    query: queryOf((query, callback) =>
      connection.query(query, (error, result) => {
        if (mustReconnect(error)) isBroken = true;
        if (isReadOnly(error)) connections.rejectAll();
        callback(error, result);
      }),
    ),
  };
}

/**
 * Whether the pool must not reuse the connection, because its server accepts no writes. The error numbers are 1290 and
 * 1836 (read-only), 1047 (a Galera node without a quorum) and 1053 (shutting down). A new connection may lead to
 * another server.
 */
const mustReconnect = (error: Error | null): boolean => hasNumber(error, [1290, 1836, 1047, 1053]);

const isReadOnly = (error: Error | null): boolean => hasNumber(error, [1290, 1836]);

const hasNumber = (error: Error | null, numbers: readonly number[]): boolean =>
  error !== null && "errno" in error && numbers.includes(Number(error.errno));

function queryOf(send: Send): MysqlPoolConnection["query"] {
  return (sql, values, callback) => {
    send({ sql, values, ...resultForm }, (error, result) => {
      // Kysely itself distinguishes between an array of rows and a result packet.
      callback?.(error, result as never);
    });
    return { stream: unsupported };
  };
}

/** The format of results, which must not depend on the host's settings for its own queries. */
const resultForm = { rowsAsArray: false, nestTables: false, namedPlaceholders: false };

const unsupported = (): never => {
  throw new Error("streaming is not supported");
};

/** Passed to the callback together with an error. */
const noConnection: MysqlPoolConnection = {
  config: {},
  threadId: 0,
  connect: unsupported,
  destroy: unsupported,
  query: unsupported,
  release: unsupported,
};
