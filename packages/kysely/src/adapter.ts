import { defineAdapter, schema, type CollectionDescription, type DataAdapter } from "@postern/core";
import { Kysely, type Dialect as KyselyDialect } from "kysely";
import { check } from "./check.ts";
import { SqlCollection } from "./collection.ts";
import type { Dialect } from "./dialect.ts";
import { checkOwnTables, type OwnTables } from "./own-tables.ts";
import { JoinedRunner } from "./joined-runner.ts";
import { migrate, pending, type Migrated } from "./migrate.ts";
import { Queue } from "./queue.ts";
import { SingleRunner, type RunAlone, type Runner } from "./runner.ts";
import { Statements } from "./statements.ts";
import { Table } from "./table.ts";
import { TransactionRunner } from "./transaction-runner.ts";

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

/** Postern's data in a SQL database whose connections the host has as well, so that both can write in one transaction. */
export interface JoiningAdapter<Connection extends object> extends SqlAdapter {
  /**
   * The same data by a connection of the host's, in the transaction that the host has begun on it: for `postern.inTransaction`. Nothing here begins, commits or rolls it back, or releases the connection;
   * what may fail runs behind a savepoint, so that a unique key that is taken spoils nothing.
   *
   * Statements of Postern's run one after the other. Run none of your own while one of Postern's calls is under way: it could come behind a savepoint, and be undone with it.
   * After any other failure than a taken key everything rejects with that failure, and the transaction is to be rolled back. When the transaction has ended, make another one of these for the next.
   *
   * @param connection that the transaction is open on, at the isolation level `read committed`.
   */
  within(connection: Connection): DataAdapter;
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
export function sqlAdapter(parts: Parts): SqlAdapter {
  return onDatabase(parts).adapter;
}

/** The same for a database whose connections the host has as well. @param driverOn Kysely's dialect on one connection, which it leaves open. */
export function joiningAdapter<Connection extends object>(
  parts: Parts,
  driverOn: (connection: Connection) => KyselyDialect,
): JoiningAdapter<Connection> {
  const { adapter, on } = onDatabase(parts);
  // Whoever joins on one connection waits for the others there.
  const queues = new WeakMap<Connection, Queue>();
  return {
    ...adapter,
    within(connection) {
      const queue = queues.get(connection) ?? new Queue();
      queues.set(connection, queue);
      return on((statements) => {
        const db = new Kysely<unknown>({ dialect: driverOn(connection) });
        return new JoinedRunner(new TransactionRunner(parts.dialect, db, statements), queue);
      });
    },
  };
}

interface OnDatabase {
  readonly adapter: SqlAdapter;
  /** The collections by another runner, which is made with the statements that this one keeps. */
  on(make: (statements: Statements) => JoinedRunner): DataAdapter;
}

function onDatabase({ dialect, driver, alone, tables: own = {}, kept, close }: Parts): OnDatabase {
  const db = new Kysely<unknown>({ dialect: driver });
  const statements = new Statements(db, kept);
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
  const through = (runner: SingleRunner | JoinedRunner): DataAdapter =>
    defineAdapter(collections(runner), { transaction: (run) => runner.transaction((inner) => run(collections(inner))) });

  const { collections: all, transaction } = through(new SingleRunner(dialect, db, statements, alone));
  if (transaction === undefined) throw new Error("defineAdapter dropped the transaction");
  return {
    on: (make) => through(make(statements)),
    adapter: {
      collections: all,
      transaction,
      migrate: () => migrate(db, dialect),
      pending: async () => (await pending(db, dialect)) ?? Object.keys(dialect.migrations),
      check: () => check(db, dialect, [...tables.values()]),
      close: async () => {
        await db.destroy();
        await close?.();
      },
    },
  };
}
