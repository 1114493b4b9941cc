import { defineAdapter, schema, type CollectionDescription, type DataAdapter } from "@postern/core";
import { Kysely, type Dialect as KyselyDialect } from "kysely";
import { check } from "./check.ts";
import { SqlCollection } from "./collection.ts";
import type { Dialect } from "./dialect.ts";
import { checkOwnTables, type OwnTables } from "./own-tables.ts";
import { migrate, pending, type Migrated } from "./migrate.ts";
import { SingleRunner, type RunAlone, type Runner } from "./runner.ts";
import { Statements } from "./statements.ts";
import { Table } from "./table.ts";

/** Postern's data in a SQL database. */
export interface SqlAdapter extends DataAdapter {
  /** Creates or upgrades the tables. Repeating it does nothing, and any number of processes may call it at once. */
  migrate(): Promise<Migrated>;
  /** The names of the migrations that `migrate` would run now, in their order. Changes nothing. */
  pending(): Promise<readonly string[]>;
  /**
   * Compares the tables with what this version needs. Postern calls it at start.
   * @throws with the name of the missing table or column.
   */
  check(): Promise<void>;
  transaction: NonNullable<DataAdapter["transaction"]>;
  /** Releases the connections that the adapter opened itself; those that the host handed in stay open. */
  close(): Promise<void>;
}

/** What an adapter is made of. */
export interface Parts {
  readonly dialect: Dialect;
  readonly driver: KyselyDialect;
  readonly alone?: RunAlone;
  readonly tables?: OwnTables | undefined;
  /** Told the text of each statement that is worth preparing. */
  readonly kept?: (text: string) => void;
  /** Closes what belongs to the adapter. The driver itself closes nothing. */
  readonly close?: () => unknown;
}

/** Puts the data contract on a database. */
export function sqlAdapter({ dialect, driver, alone, tables: own = {}, kept, close }: Parts): SqlAdapter {
  const db = new Kysely<unknown>({ dialect: driver });
  const runner = new SingleRunner(dialect, db, new Statements(db, kept), alone);
  checkOwnTables(own);
  const owned = new Map(Object.entries(own));
  const tables = new Map(
    Object.values(schema).map((description): [string, Table] => [
      description.name,
      new Table(description, dialect, owned.get(description.name)),
    ]),
  );
  const collections = (on: Runner) => (description: CollectionDescription) =>
    new SqlCollection(tables.get(description.name) ?? new Table(description, dialect), on);

  const adapter = defineAdapter(collections(runner), {
    transaction: (run) => runner.transaction((inner) => run(collections(inner))),
  });
  const { transaction } = adapter;
  if (transaction === undefined) throw new Error("defineAdapter dropped the transaction");
  return {
    collections: adapter.collections,
    transaction,
    migrate: () => migrate(db, dialect),
    pending: async () => (await pending(db, dialect)) ?? Object.keys(dialect.migrations),
    check: () => check(db, dialect, [...tables.values()]),
    close: async () => {
      await db.destroy();
      await close?.();
    },
  };
}
