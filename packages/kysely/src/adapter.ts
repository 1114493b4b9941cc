import { defineAdapter, type DataAdapter } from "@postern/core/adapter";
import { Kysely, type Dialect as KyselyDialect } from "kysely";
import { JoinedRunner } from "./joined-runner.ts";
import { migrate } from "./migrate.ts";
import { openTables, type OpenTables, type AdapterParts } from "./open-tables.ts";
import { Queue } from "./queue.ts";
import type { SingleRunner } from "./runner.ts";
import type { TableAdapter } from "./table-adapter.ts";
import { TransactionRunner } from "./transaction-runner.ts";

/** An adapter that stores Postern's data in a SQL database with transactions. */
export interface SqlAdapter extends TableAdapter {
  transaction: NonNullable<DataAdapter["transaction"]>;
}

/**
 * An adapter for a SQL database whose connections the host also uses, so that the host and Postern can write in one
 * transaction.
 */
export interface JoiningAdapter<Connection extends object> extends SqlAdapter {
  /**
   * Returns an adapter for the same data that uses the host's connection, in the transaction that the host has begun on
   * it. Pass the adapter to `postern.inTransaction`. The adapter never begins, commits or rolls back the transaction,
   * and never releases the connection. Statements that may fail run after a savepoint, so that a conflict on a unique
   * key does not abort the transaction.
   *
   * Postern's statements run one after another. Do not run your own statements while a call of Postern is pending: they
   * could run after a savepoint and be rolled back with it. After any failure other than such a conflict, all further
   * calls reject with the same failure, and you must roll back the transaction. Call `within` again for each
   * transaction.
   *
   * @param connection the connection with the open transaction, at the isolation level `read committed`.
   */
  within(connection: Connection): DataAdapter;
}

/** Creates the adapter for a database. */
export function sqlAdapter(parts: AdapterParts): SqlAdapter {
  return onTables(parts, openTables(parts));
}

/**
 * Creates the adapter for a database whose connections the host also uses.
 * @param driverOn returns Kysely's dialect for one connection. The dialect must leave the connection open.
 */
export function joiningAdapter<Connection extends object>(
  parts: AdapterParts,
  driverOn: (connection: Connection) => KyselyDialect,
): JoiningAdapter<Connection> {
  const tables = openTables(parts);
  // All adapters on the same connection share one queue.
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
  if (transaction === undefined) throw new Error("defineAdapter returned an adapter without the transaction that it received");
  return { collections, transaction, migrate: () => migrate(db, dialect), pending, check, close, isSynchronous };
}

/** Creates an adapter whose collections run their statements on a runner. */
function through({ collectionsOn }: OpenTables, runner: SingleRunner | JoinedRunner): DataAdapter {
  return defineAdapter(collectionsOn(runner), { transaction: (run) => runner.transaction((inner) => run(collectionsOn(inner))) });
}
