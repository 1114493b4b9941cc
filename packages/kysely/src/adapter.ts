import { defineAdapter, type DataAdapter } from "@postern/core/adapter";
import { Kysely, type Dialect as KyselyDialect } from "kysely";
import { JoinedRunner } from "./joined-runner.ts";
import { migrate } from "./migrate.ts";
import { openTables, type OpenTables, type Parts } from "./open-tables.ts";
import { Queue } from "./queue.ts";
import type { SingleRunner } from "./runner.ts";
import type { TableAdapter } from "./table-adapter.ts";
import { TransactionRunner } from "./transaction-runner.ts";

/** Postern's data in a SQL database that has transactions. */
export interface SqlAdapter extends TableAdapter {
  transaction: NonNullable<DataAdapter["transaction"]>;
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

/** Puts the data contract on a database. */
export function sqlAdapter(parts: Parts): SqlAdapter {
  return onTables(parts, openTables(parts));
}

/** The same for a database whose connections the host has as well. @param driverOn Kysely's dialect on one connection, which it leaves open. */
export function joiningAdapter<Connection extends object>(
  parts: Parts,
  driverOn: (connection: Connection) => KyselyDialect,
): JoiningAdapter<Connection> {
  const tables = openTables(parts);
  // Whoever joins on one connection waits for the others there.
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

function onTables({ dialect, isSynchronous = false }: Parts, tables: OpenTables): SqlAdapter {
  const { db, runner, pending, check, close } = tables;
  const { collections, transaction } = through(tables, runner);
  if (transaction === undefined) throw new Error("defineAdapter dropped the transaction");
  return { collections, transaction, migrate: () => migrate(db, dialect), pending, check, close, isSynchronous };
}

/** The collections by a runner. */
function through({ collectionsOn }: OpenTables, runner: SingleRunner | JoinedRunner): DataAdapter {
  return defineAdapter(collectionsOn(runner), { transaction: (run) => runner.transaction((inner) => run(collectionsOn(inner))) });
}
