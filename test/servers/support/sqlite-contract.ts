/**
 * Runs the data contract on the better-sqlite3 of the folder in the first argument. It is a separate program, so that
 * it can run on another Node.js version.
 */
import { createRequire } from "node:module";
import { runAdapterCases } from "@postern/adapter-tests";
import { createSqliteAdapter, type BetterSqliteDatabase, type SqlAdapter } from "@postern/kysely";

const Database = createRequire(`${process.argv[2]}/`)("better-sqlite3") as new (path: string) => BetterSqliteDatabase;

async function open(): Promise<SqlAdapter> {
  const data = createSqliteAdapter({ database: new Database(":memory:"), closes: true });
  await data.migrate();
  return data;
}

const data = await open();
const report = await runAdapterCases({ open: () => data, openToClose: open });
console.log(report.text);
process.exitCode = report.ok ? 0 : 1;
