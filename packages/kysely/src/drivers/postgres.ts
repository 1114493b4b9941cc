import { createHash } from "node:crypto";
import type { PostgresDialect, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { SchemaDialect } from "./schema-dialect.ts";

/** A `Pool` of pg, as far as it is needed here. */
export interface PgPool {
  connect(): Promise<PgPoolClient>;
  end(): Promise<void>;
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
      if (error instanceof Error && "severity" in error && error.severity === "FATAL") broken = true;
    }),
    release: (destroy) => {
      client.off("error", onError);
      client.release(destroy === true || broken);
    },
  };
}

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
