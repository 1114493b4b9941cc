import type { Kysely } from "kysely";
import { BoundedMap } from "./bounded-map.ts";
import type { Sql } from "./dialect.ts";
import { compile, type Statement } from "./statement.ts";
import type { Table } from "./table.ts";

/** Compiled statements by table and shape. Compiling costs as much as a local point read. */
export class Statements {
  readonly #db: Kysely<unknown>;
  readonly #byTable = new Map<Table, BoundedMap<string, Statement>>();
  readonly #kept: (text: string) => void;

  /** @param kept is told the text of each statement that is likely to be run again: a driver may prepare these and no others. */
  constructor(db: Kysely<unknown>, kept: (text: string) => void = () => {}) {
    this.#db = db;
    this.#kept = kept;
  }

  get(table: Table, key: string, build: () => Sql): Statement {
    let statements = this.#byTable.get(table);
    if (statements === undefined) this.#byTable.set(table, (statements = new BoundedMap(200)));
    let statement = statements.get(key);
    if (statement === undefined) {
      statement = compile(this.#db, build());
      statements.set(key, statement);
      this.#kept(statement.sql);
    }
    return statement;
  }
}
