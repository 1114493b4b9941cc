import { schema, type Collection, type CollectionDescription } from "@postern/core/adapter";
import { Kysely, type Dialect as KyselyDialect } from "kysely";
import { check } from "./check.ts";
import { SqlCollection } from "./collection.ts";
import type { Dialect } from "./dialect.ts";
import { pendingMigrations } from "./migrate.ts";
import { checkHostTables, type HostTables } from "./host-tables.ts";
import { SingleRunner, type Runner, type DriverFeatures } from "./runner.ts";
import { Statements } from "./statements.ts";
import { SqlTable } from "./table.ts";
import type { TableAdapter } from "./table-adapter.ts";

/** The parts from which an adapter is created. */
export interface AdapterParts extends DriverFeatures {
  readonly dialect: Dialect;
  readonly driver: KyselyDialect;
  readonly tables?: HostTables | undefined;
  /** Whether each statement blocks the thread until it is done. Default `false`. */
  readonly isSynchronous?: boolean;
  /** Called with each SQL statement that is worth preparing. */
  readonly onStatement?: (text: string) => void;
  /** Closes the resources that the adapter opened. The Kysely driver itself closes nothing. */
  readonly close?: () => unknown;
}

/** The tables in a database, with the operations that adapters with and without transactions share. */
export interface OpenTables extends Pick<TableAdapter, "pending" | "check" | "close"> {
  readonly db: Kysely<unknown>;
  readonly runner: SingleRunner;
  /** Returns a factory for collections whose statements run on `runner`. */
  readonly collectionsOn: (runner: Runner) => (description: CollectionDescription) => Collection;
}

/** Opens the tables of a database. @throws {TypeError} if the host's tables are described incorrectly. */
export function openTables({ dialect, driver, tables: hostTables = {}, onStatement, close, ...features }: AdapterParts): OpenTables {
  const db = new Kysely<unknown>({ dialect: driver });
  checkHostTables(hostTables);
  const described = new Map(Object.entries(hostTables));
  const tables = new Map(
    Object.values(schema).map((description): [string, SqlTable] => [
      description.name,
      new SqlTable(description, dialect, described.get(description.name)),
    ]),
  );
  return {
    db,
    runner: new SingleRunner(dialect, db, new Statements(db, onStatement), features),
    collectionsOn: (runner) => (description) =>
      new SqlCollection(tables.get(description.name) ?? new SqlTable(description, dialect), runner),
    pending: async () => (await pendingMigrations(db, dialect)) ?? Object.keys(dialect.migrations),
    check: () => check(db, dialect, [...tables.values()]),
    close: async () => {
      await db.destroy();
      await close?.();
    },
  };
}
