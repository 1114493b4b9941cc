import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
} from "kysely";

/** A Worker's D1 binding. Only the members that the adapter uses. */
export interface D1Database {
  prepare(text: string): D1Statement;
  batch(statements: D1Statement[]): Promise<unknown>;
}

/** A D1 statement. Only the members that the adapter uses. */
export interface D1Statement {
  bind(...values: unknown[]): D1Statement;
  all(): Promise<D1Result>;
}

/** The result of a D1 statement. Only the members that the adapter uses. */
export interface D1Result {
  readonly results: unknown[];
  readonly meta: { readonly changes?: number };
}

/** The maximum number of bound values in a D1 statement. https://developers.cloudflare.com/d1/platform/limits/ */
const mostValues = 100;

/** Kysely's dialect for a D1 binding. */
export class D1Dialect implements Dialect {
  readonly #database: D1Database;
  #ended = false;

  constructor(database: D1Database) {
    this.#database = database;
  }

  /** Runs several statements in one call. D1 runs them in one transaction. */
  async runBatch(queries: readonly CompiledQuery[]): Promise<void> {
    if (this.#ended) throw new Error("the adapter is closed");
    await this.#database.batch(queries.map((query) => statementOf(this.#database, query)));
  }

  /** Makes further calls of `runBatch` reject. `runBatch` does not use Kysely, so Kysely does not reject them. */
  end(): void {
    this.#ended = true;
  }

  createDriver(): Driver {
    return new D1Driver(this.#database);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new SqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** A driver with one connection object that serves all callers, because each statement is an independent call. */
class D1Driver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(database: D1Database) {
    this.#connection = new D1Connection(database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    throw new Error("D1 has no transactions that stay open between statements");
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class D1Connection implements DatabaseConnection {
  readonly #database: D1Database;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { results, meta } = await statementOf(this.#database, query).all();
    // The caller knows the row type of the statement's result.
    return { rows: results as Row[], numAffectedRows: BigInt(meta.changes ?? 0) };
  }

  streamQuery(): never {
    throw new Error("streaming is not supported");
  }
}

/**
 * Binds the values to a statement. If there are more values than D1 allows, they are bound as one JSON list, and each
 * placeholder reads one element of the list.
 */
function statementOf(database: D1Database, { sql, parameters }: CompiledQuery): D1Statement {
  if (parameters.length <= mostValues) return database.prepare(sql).bind(...parameters);
  let next = 0;
  const text = sql.replaceAll(/"[^"]*"|'[^']*'|\?/g, (part) => (part === "?" ? `json_extract(?1, '$[${next++}]')` : part));
  return database.prepare(text).bind(JSON.stringify(parameters));
}
