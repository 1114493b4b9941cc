import type { Kysely } from "kysely";
import { StatementCache } from "./bounded-map.ts";
import type { Sql } from "./dialect.ts";
import { compileStatement, type Statement } from "./statement.ts";
import type { SqlTable } from "./table.ts";

/** Caches compiled statements by table and shape. Compiling a statement costs as much as a local point read. */
export class Statements {
  readonly #db: Kysely<unknown>;
  readonly #byTable = new Map<SqlTable, StatementCache<string, Statement>>();
  readonly #onStatement: (text: string) => void;

  /**
   * @param onStatement called with each SQL statement that is likely to run again. A driver prepares no other
   * statements.
   */
  constructor(db: Kysely<unknown>, onStatement: (text: string) => void = () => {}) {
    this.#db = db;
    this.#onStatement = onStatement;
  }

  get(table: SqlTable, key: string, build: () => Sql): Statement {
    let statements = this.#byTable.get(table);
    if (statements === undefined) this.#byTable.set(table, (statements = new StatementCache(200)));
    let statement = statements.get(key);
    if (statement === undefined) {
      statement = compileStatement(this.#db, build());
      statements.set(key, statement);
      this.#onStatement(statement.sql);
    }
    return statement;
  }
}
