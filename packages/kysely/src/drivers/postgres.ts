import { createHash } from "node:crypto";
import { Kysely, type PostgresDialect, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from "kysely";
import { unlessAborted } from "../cancel.ts";
import type { RunCancellable } from "../runner.ts";
import { SchemaDialect } from "./schema-dialect.ts";

/** A `Pool` of pg, as far as it is needed here. */
export interface PgPool {
  connect(): Promise<PgPoolClient>;
  end(): Promise<void>;
  /** How the pool connects. With `Client`, cancels statements by a connection beside the pool. */
  readonly options?: object;
  /** The class of the pool's clients. */
  readonly Client?: new (config: object) => PgControlClient;
}

/** A client of pg that belongs to no pool, as far as it is needed here. */
export interface PgControlClient {
  connect(): Promise<unknown>;
  query(text: string, values: unknown[]): Promise<unknown>;
  end(): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** A client of pg, as far as it is needed here: one of a `Pool`, or a `Client` by itself. */
export interface PgClient {
  query(query: PgQuery): Promise<{ command: string; rowCount: number | null; rows: unknown[] }>;
}

/** A client of a pg `Pool`, as far as it is needed here. */
export interface PgPoolClient extends PgClient {
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  /** The process of the server that serves this connection. */
  readonly processID?: number | null;
}

/** A query as pg takes it. */
export interface PgQuery {
  text: string;
  values: unknown[];
  name?: string;
  types: { getTypeParser(type: number, format?: "text" | "binary"): (value: string) => unknown };
}

/** How many SQL texts are prepared on each connection. */
const preparedTexts = 1000;

/** SQL texts that are worth preparing, with the names that pg keeps them under. */
export class PreparedNames {
  readonly #names = new Map<string, string>();

  /** The name follows from the text, so that several adapters can share a pool. */
  add(text: string): void {
    if (this.#names.size >= preparedTexts) return;
    this.#names.set(text, `postern_${createHash("sha256").update(text).digest("base64url").slice(0, 32)}`);
  }

  get(text: string): string | undefined {
    return this.#names.get(text);
  }
}

/** Kysely's dialect on a pool of the host's, with prepared statements, and with our own idea of int8 that nobody else sees. */
export function postgresDialect(pool: PgPool, names: PreparedNames | undefined, schema?: string): PostgresDialect {
  const wrapped: PostgresPool = {
    options: {},
    connect: async () => preparing(await pool.connect(), names),
    end: async () => {},
  };
  return new SchemaDialect({ pool: wrapped }, schema);
}

/** Milliseconds that cancelling a statement on the server may take. */
const cancelTime = 2000;

/** Runs statements on one client of the pool, which is closed when they are cancelled. */
export function postgresCancellable(pool: PgPool, names: PreparedNames | undefined): RunCancellable {
  const known = new WeakMap<PgPoolClient, { readonly db: Kysely<unknown>; isBroken: boolean; text: string }>();
  const lend = (client: PgPoolClient) => {
    let lent = known.get(client);
    if (lent === undefined) {
      const query = querying(client, names, (error) => {
        if (isFatal(error)) opened.isBroken = true;
      });
      const noting = ((text: string, values: readonly unknown[]) => {
        opened.text = text;
        return query(text, values);
      }) as PostgresPoolClient["query"];
      const only: PostgresPoolClient = { query: noting, release: () => {} };
      const dialect = new SchemaDialect({ pool: { options: {}, connect: async () => only, end: async () => {} } }, undefined);
      const opened = { db: new Kysely<unknown>({ dialect }), isBroken: false, text: "" };
      known.set(client, (lent = opened));
    }
    return lent;
  };

  return async (signal, work) => {
    const connecting = pool.connect();
    const client = await unlessAborted(signal, connecting, () => {
      // The pool still hands the client out when it has one.
      connecting.then((late) => late.release()).catch(() => {});
    });
    const lent = lend(client);
    const onError = (): void => {
      lent.isBroken = true;
    };
    // A connection that is cut says so by an event, which ends the process where nobody listens.
    client.on("error", onError);
    const release = (destroy: boolean): void => {
      client.off("error", onError);
      client.release(destroy);
    };
    let isCancelled = false;
    try {
      return await unlessAborted(signal, work(lent.db), () => {
        isCancelled = true;
        cancelOnServer(pool, client.processID, lent.text).catch(() => {});
        release(true);
      });
    } finally {
      if (!isCancelled) release(lent.isBroken);
    }
  };
}

/**
 * Cancels what a process of the server runs: a server finds out that a connection was closed only when it sends something, and a statement that waits for a lock would wait on.
 * Best effort: a server that does not respond, or a pool that is not pg's, is left alone.
 * Behind a proxy such as PgBouncer the number is not the server's, and may be that of another connection: only a process that runs this very statement is cancelled.
 */
async function cancelOnServer({ Client, options = {} }: PgPool, processId: number | null | undefined, text: string): Promise<void> {
  if (Client === undefined || typeof processId !== "number") return;
  // `password` is not enumerable.
  const password: unknown = "password" in options ? options.password : undefined;
  const control = new Client({ ...options, password, connectionTimeoutMillis: cancelTime, query_timeout: cancelTime });
  control.on("error", () => {});
  try {
    await control.connect();
    // The server keeps the first kilobyte of a statement.
    const running = "pid = $1 and state = 'active' and usename = current_user and query <> '' and strpos($2::text, query) = 1";
    await control.query(`select pg_cancel_backend(pid) from pg_stat_activity where ${running}`, [processId, text]);
  } finally {
    await control.end();
  }
}

/** Kysely's dialect on one client of the host's, which stays the host's. */
export function postgresClientDialect(client: PgClient, names: PreparedNames | undefined, schema?: string): PostgresDialect {
  const query = querying(client, names);
  const only: PostgresPoolClient = { query, release: () => {} };
  return new SchemaDialect({ pool: { options: {}, connect: async () => only, end: async () => {} } }, schema);
}

function preparing(client: PgPoolClient, names: PreparedNames | undefined): PostgresPoolClient {
  // A connection that is cut between two statements of a transaction says so by an event, which ends the process where nobody listens.
  let broken = false;
  const onError = (): void => {
    broken = true;
  };
  client.on("error", onError);
  return {
    query: querying(client, names, (error) => {
      // The server ends the connection after this, and the pool may not have noticed when the next caller asks for one.
      if (isFatal(error)) broken = true;
    }),
    release: (destroy) => {
      client.off("error", onError);
      client.release(destroy === true || broken);
    },
  };
}

const isFatal = (error: unknown): boolean => error instanceof Error && "severity" in error && error.severity === "FATAL";

function querying(
  client: PgClient,
  names: PreparedNames | undefined,
  failed: (error: unknown) => void = () => {},
): PostgresPoolClient["query"] {
  const query = async (text: string, values: readonly unknown[] = []) => {
    const name = names?.get(text);
    try {
      return await client.query({ text, values: [...values], types, ...(name !== undefined && { name }) });
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  // Kysely's type also allows a cursor, which only streaming uses; the result's fields are those that it reads.
  return query as PostgresPoolClient["query"] & ((text: string, values: readonly unknown[]) => Promise<PostgresQueryResult<never>>);
}

/** By type number: boolean is 16, integers are 20, 21 and 23. All other values are read as text, which is what our columns are. */
const types: PgQuery["types"] = {
  getTypeParser: (type) => (type === 16 ? (value) => value === "t" : type === 20 || type === 21 || type === 23 ? Number : (value) => value),
};
