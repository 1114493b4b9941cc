import { defineAdapter, type DataAdapter } from "@postern/core/adapter";
import { Kysely, type Dialect as KyselyDialect } from "kysely";
import { JoinedRunner } from "./joined-runner.ts";
import { migrate } from "./migrate.ts";
import { openTables, type OpenTables, type AdapterParts } from "./open-tables.ts";
import { Queue } from "./queue.ts";
import type { SingleRunner } from "./runner.ts";
import type { TableAdapter } from "./table-adapter.ts";
import { TransactionRunner } from "./transaction-runner.ts";

/** Postern's data in a SQL database that has transactions. */
export interface SqlAdapter extends TableAdapter {
  transaction: NonNullable<DataAdapter["transaction"]>;
}

/** Postern's data in a SQL database whose connections the host uses too, so that both can write in one transaction. */
export interface JoiningAdapter<Connection extends object> extends SqlAdapter {
  /**
   * Returns the same data on a connection of the host, in the transaction that the host has begun on it: for
   * `postern.inTransaction`. The adapter never begins, commits or rolls back the transaction, and never releases the
   * connection. Statements that may fail run after a savepoint, so that a taken unique key does not abort the
   * transaction.
   *
   * Postern's statements run one after the other. Do not run your own statements while a call of Postern is pending:
   * they could run after a savepoint and be rolled back with it. After any failure other than a taken key, all further
   * calls reject with that failure and you must roll back the transaction. Create a new adapter with `within` for each
   * transaction.
   *
   * @param connection the connection with the open transaction, at the isolation level `read committed`.
   */
  within(connection: Connection): DataAdapter;
}

/** Creates the adapter of a database. */
export function sqlAdapter(parts: AdapterParts): SqlAdapter {
  return onTables(parts, openTables(parts));
}

/**
 * Creates the adapter of a database whose connections the host uses too.
 * @param driverOn returns Kysely's dialect for one connection and leaves that connection open.
 */
export function joiningAdapter<Connection extends object>(
  parts: AdapterParts,
  driverOn: (connection: Connection) => KyselyDialect,
): JoiningAdapter<Connection> {
  const tables = openTables(parts);
  // Adapters of the same connection share one queue.
  const queues = new WeakMap<Connection, Queue>();
  return {
    ...onTables(parts, tables),
    within(connection) {
      const queue = queues.get(connection) ?? new Queue();
      queues.set(connection, queue);
      const db = new Kysely<unknown>({ dialect: driverOn(connection) });
      return through(tables, new JoinedRunner(new TransactionRunner(parts.dialect, db, tables.runner.statements), queue));
    },
  };
}

function onTables({ dialect, isSynchronous = false }: AdapterParts, tables: OpenTables): SqlAdapter {
  const { db, runner, pending, check, close } = tables;
  const { collections, transaction } = through(tables, runner);
  if (transaction === undefined) throw new Error("defineAdapter dropped the transaction");
  return { collections, transaction, migrate: () => migrate(db, dialect), pending, check, close, isSynchronous };
}

/** Creates the collections of a runner. */
function through({ collectionsOn }: OpenTables, runner: SingleRunner | JoinedRunner): DataAdapter {
  return defineAdapter(collectionsOn(runner), { transaction: (run) => runner.transaction((inner) => run(collectionsOn(inner))) });
}
