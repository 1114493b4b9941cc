import { schema, type Collection, type CollectionDescription } from "@postern/core/adapter";
import { Kysely, type Dialect as KyselyDialect } from "kysely";
import { check } from "./check.ts";
import { SqlCollection } from "./collection.ts";
import type { Dialect } from "./dialect.ts";
import { pending } from "./migrate.ts";
import { checkOwnTables, type OwnTables } from "./own-tables.ts";
import { SingleRunner, type Runner, type Shortcuts } from "./runner.ts";
import { Statements } from "./statements.ts";
import { Table } from "./table.ts";
import type { TableAdapter } from "./table-adapter.ts";

/** What an adapter is made of. */
export interface Parts extends Shortcuts {
  readonly dialect: Dialect;
  readonly driver: KyselyDialect;
  readonly tables?: OwnTables | undefined;
  /** Whether each statement blocks the thread until it is done. Default false. */
  readonly isSynchronous?: boolean;
  /** Told the text of each statement that is worth preparing. */
  readonly kept?: (text: string) => void;
  /** Closes what belongs to the adapter. The driver itself closes nothing. */
  readonly close?: () => unknown;
}

/** The tables of a database, and what an adapter does with them whether the database has transactions or not. */
export interface OpenTables extends Pick<TableAdapter, "pending" | "check" | "close"> {
  readonly db: Kysely<unknown>;
  readonly runner: SingleRunner;
  /** Gives each description its collection, whose statements this runner runs. */
  readonly collectionsOn: (runner: Runner) => (description: CollectionDescription) => Collection;
}

/** Opens the tables of a database. @throws {TypeError} for tables of the host's that cannot be. */
export function openTables({ dialect, driver, alone, together, cancellable, tables: own = {}, kept, close }: Parts): OpenTables {
  const db = new Kysely<unknown>({ dialect: driver });
  checkOwnTables(own);
  const owned = new Map(Object.entries(own));
  const tables = new Map(
    Object.values(schema).map((description): [string, Table] => [
      description.name,
      new Table(description, dialect, owned.get(description.name)),
    ]),
  );
  return {
    db,
    runner: new SingleRunner(dialect, db, new Statements(db, kept), { alone, together, cancellable }),
    collectionsOn: (runner) => (description) => new SqlCollection(tables.get(description.name) ?? new Table(description, dialect), runner),
    pending: async () => (await pending(db, dialect)) ?? Object.keys(dialect.migrations),
    check: () => check(db, dialect, [...tables.values()]),
    close: async () => {
      await db.destroy();
      await close?.();
    },
  };
}
