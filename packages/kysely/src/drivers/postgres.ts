import { createHash } from "node:crypto";
import { Kysely, type PostgresDialect, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from "kysely";
import { unlessAborted } from "../cancel.ts";
import type { RunCancellable } from "../runner.ts";
import { poolConnectionsOf, type PoolConnections } from "./pool-connections.ts";
import { SchemaDialect } from "./schema-dialect.ts";

/** A `Pool` from pg. Only the members that the adapter uses. */
export interface PgPool {
  connect(): Promise<PgPoolClient>;
  end(): Promise<void>;
  /**
   * The connection options of the pool. The adapter uses them with `Client` to open a separate connection when it must
   * cancel a statement.
   */
  readonly options?: object;
  /** The class from which the pool creates its clients. */
  readonly Client?: new (config: object) => PgControlClient;
}

/** A client from pg outside of a pool. Only the members that the adapter uses. */
interface PgControlClient {
  connect(): Promise<unknown>;
  query(text: string, values: unknown[]): Promise<unknown>;
  end(): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** A client from pg, either from a `Pool` or created directly. Only the members that the adapter uses. */
export interface PgClient {
  query(query: PgQuery): Promise<{ command: string; rowCount: number | null; rows: unknown[] }>;
}

/** A client from a pg `Pool`. Only the members that the adapter uses. */
export interface PgPoolClient extends PgClient {
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  /** The process id of the server process that serves this connection. */
  readonly processID?: number | null;
}

/** A query in the form that pg accepts. */
export interface PgQuery {
  text: string;
  values: unknown[];
  name?: string;
  types: { getTypeParser(type: number, format?: "text" | "binary"): (value: string) => unknown };
}

/** The maximum number of SQL statements that are prepared on each connection. */
const preparedTexts = 1000;

/** The SQL statements to prepare, with the names of the prepared statements. */
export class PreparedNames {
  readonly #names = new Map<string, string>();

  /**
   * Adds a statement. Its name is derived from its SQL, so that several adapters can share a pool.
   *
   * Statements with a list of values are not prepared. For a prepared statement, the server makes a plan for a tenant of
   * average size. For a list of values, such a plan may read all index entries of the tenant, of which the largest
   * tenant has far more than the average.
   */
  add(text: string): void {
    if (this.#names.size >= preparedTexts || / in \(\$\d+, /.test(text)) return;
    this.#names.set(text, `postern_${createHash("sha256").update(text).digest("base64url").slice(0, 32)}`);
  }

  get(text: string): string | undefined {
    return this.#names.get(text);
  }
}

/**
 * Creates Kysely's dialect for the host's pool, with prepared statements. The parsers for values are set per query, so
 * the host's own queries are not affected.
 */
export function postgresDialect(pool: PgPool, names: PreparedNames | undefined, schema?: string): PostgresDialect {
  const wrapped: PostgresPool = {
    options: {},
    connect: async () => pooledClient(await connectUsable(pool), names, poolConnectionsOf(pool)),
    end: async () => {},
  };
  return new SchemaDialect({ pool: wrapped }, schema);
}

/** Returns a client from the pool. Closes clients that may be unusable. */
async function connectUsable(pool: PgPool): Promise<PgPoolClient> {
  const connections = poolConnectionsOf(pool);
  for (;;) {
    const requested = performance.now();
    const client = await pool.connect();
    if (connections.isUsable(client, requested)) return client;
    client.release(true);
  }
}

/** The timeout for cancelling a statement on the server, in milliseconds. */
const cancelTime = 2000;

/**
 * Creates the function that runs statements on one client from the pool. If the statements are cancelled, the client is
 * closed.
 */
export function postgresCancellable(pool: PgPool, names: PreparedNames | undefined): RunCancellable {
  const states = new WeakMap<PgPoolClient, { readonly db: Kysely<unknown>; isBroken: boolean; text: string }>();
  const connections = poolConnectionsOf(pool);
  const stateOf = (client: PgPoolClient) => {
    const known = states.get(client);
    if (known !== undefined) return known;
    const query = queryOf(client, names, (error) => {
      if (mustReconnect(error)) state.isBroken = true;
      if (isReadOnly(error)) connections.rejectAll();
    });
    const recordingQuery = ((text: string, values: readonly unknown[]) => {
      state.text = text;
      return query(text, values);
    }) as PostgresPoolClient["query"];
    const state = { db: new Kysely<unknown>({ dialect: singleClientDialect(recordingQuery) }), isBroken: false, text: "" };
    states.set(client, state);
    return state;
  };

  return async (signal, work) => {
    const connecting = connectUsable(pool);
    const client = await unlessAborted(signal, connecting, () => {
      // The pool still delivers the client when one becomes available.
      connecting.then((late) => late.release()).catch(() => {});
    });
    const state = stateOf(client);
    const onError = (): void => {
      state.isBroken = true;
    };
    // A lost connection emits an error event. Without a listener, the event would end the process.
    client.on("error", onError);
    const release = (destroy: boolean): void => {
      client.off("error", onError);
      client.release(destroy);
    };
    const start = performance.now();
    let isCancelled = false;
    try {
      return await unlessAborted(signal, work(state.db), () => {
        isCancelled = true;
        connections.rejectSilentSince(start);
        cancelOnServer(pool, client.processID, state.text).catch(() => {});
        release(true);
      });
    } finally {
      if (!isCancelled) {
        connections.recordAnswer(client);
        release(state.isBroken);
      }
    }
  };
}

/**
 * Cancels the statement that a server process runs for a connection. A server notices that a connection was closed only
 * when it sends something, so a statement that waits for a lock would continue to wait. Best effort: does nothing if
 * the server does not respond or if the pool is not from pg. Behind a proxy such as PgBouncer, the process id can
 * belong to another connection. Therefore the statement is cancelled only if the process runs the same SQL. A statement
 * that waits for a synchronous standby is not cancelled. It has already committed, and without the wait its rows would
 * be visible before they are safe from a failover.
 */
async function cancelOnServer({ Client, options = {} }: PgPool, processId: number | null | undefined, text: string): Promise<void> {
  if (Client === undefined || typeof processId !== "number") return;
  // pg defines `password` as a property that is not enumerable.
  const password: unknown = "password" in options ? options.password : undefined;
  const control = new Client({ ...options, password, connectionTimeoutMillis: cancelTime, query_timeout: cancelTime });
  control.on("error", () => {});
  try {
    await control.connect();
    // The server shows only the first kilobyte of a statement.
    const running = "pid = $1 and state = 'active' and usename = current_user and query <> '' and strpos($2::text, query) = 1";
    const mayStop = "wait_event is distinct from 'SyncRep'";
    await control.query(`select pg_cancel_backend(pid) from pg_stat_activity where ${running} and ${mayStop}`, [processId, text]);
  } finally {
    await control.end();
  }
}

/** Creates Kysely's dialect for one client of the host. The dialect never releases or closes the client. */
export function postgresClientDialect(client: PgClient, names: PreparedNames | undefined, schema?: string): PostgresDialect {
  return singleClientDialect(queryOf(client, names), schema);
}

function singleClientDialect(query: PostgresPoolClient["query"], schema?: string): PostgresDialect {
  const client: PostgresPoolClient = { query, release: () => {} };
  return new SchemaDialect({ pool: { options: {}, connect: async () => client, end: async () => {} } }, schema);
}

function pooledClient(client: PgPoolClient, names: PreparedNames | undefined, connections: PoolConnections): PostgresPoolClient {
  // If the connection is lost between two statements, it emits an error event. Without a listener, the event would end
  // the process.
  let isBroken = false;
  const onError = (): void => {
    isBroken = true;
  };
  client.on("error", onError);
  return {
    query: queryOf(client, names, (error) => {
      if (mustReconnect(error)) isBroken = true;
      if (isReadOnly(error)) connections.rejectAll();
    }),
    release: (destroy) => {
      client.off("error", onError);
      connections.recordAnswer(client);
      client.release(destroy === true || isBroken);
    },
  };
}

/**
 * Whether the pool must not reuse the connection. After a FATAL error the server closes the connection, and the pool
 * may notice that too late. After `read_only_sql_transaction` the server is no longer the primary, and a new connection
 * may lead to the new primary.
 */
const mustReconnect = (error: unknown): boolean =>
  error instanceof Error && (("severity" in error && error.severity === "FATAL") || isReadOnly(error));

const isReadOnly = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "25006";

function queryOf(
  client: PgClient,
  names: PreparedNames | undefined,
  onError: (error: unknown) => void = () => {},
): PostgresPoolClient["query"] {
  const query = async (text: string, values: readonly unknown[] = []) => {
    const name = names?.get(text);
    try {
      return await client.query({ text, values: [...values], types, ...(name !== undefined && { name }) });
    } catch (error) {
      onError(error);
      throw name !== undefined && isLostStatement(error) ? lostStatement(error) : error;
    }
  };
  // Kysely's type also allows a cursor, which only streaming uses. The result has all fields that Kysely reads.
  return query as PostgresPoolClient["query"] & ((text: string, values: readonly unknown[]) => Promise<PostgresQueryResult<never>>);
}

/**
 * Whether another client uses the same connection between Postern's statements. The codes are those of
 * `duplicate_prepared_statement` and `invalid_sql_statement_name`.
 */
const isLostStatement = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "42P05" || error.code === "26000");

const lostStatement = (cause: unknown): Error =>
  new Error(
    "PostgreSQL does not have a statement that was prepared on this connection. A proxy such as PgBouncer in transaction mode shares the " +
      "connection with other clients. Set `prepare: false`, or `max_prepared_statements` in PgBouncer 1.21 or later. See docs/databases.md",
    { cause },
  );

/**
 * Returns the parser for a column by its type id: boolean is 16; integers are 20, 21 and 23. All other columns of
 * Postern contain text.
 */
const types: PgQuery["types"] = {
  getTypeParser: (type) => (type === 16 ? (value) => value === "t" : type === 20 || type === 21 || type === 23 ? Number : (value) => value),
};
