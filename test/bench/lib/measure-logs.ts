import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { LogFigures } from "../logs.ts";
import { work } from "./build.ts";
import { onPostgres } from "./on-postgres.ts";

/**
 * Measures an audit log with this many rows on SQLite, and on PostgreSQL if POSTERN_TEST_POSTGRES_URL names a server on
 * which databases can be created. @returns the rows of a table.
 */
export async function measureLogs(rows: number, report: (text: string) => void): Promise<string[][]> {
  report(`a log of ${rows.toLocaleString("en")} events, on SQLite`);
  const all: (readonly [database: string, figures: LogFigures])[] = [["SQLite", run(`sqlite:${join(work, "logs.db")}`, rows)]];
  const onServer = await onPostgres(1, ([address = ""]) => {
    report("the same, on PostgreSQL");
    return run(address, rows);
  });
  if (onServer === undefined) report("POSTERN_TEST_POSTGRES_URL is not set: skipping PostgreSQL");
  else all.push(["PostgreSQL", onServer]);
  const lines = (name: string, pick: (figures: LogFigures) => string): string[] => [name, ...all.map(([, figures]) => pick(figures))];
  const [, first] = all[0] ?? [];
  return [
    ["", ...all.map(([database]) => database)],
    ["---", ...all.map(() => "---")],
    ...Object.keys(first?.bytes ?? {}).map((name) => lines(`bytes per row: ${name}`, ({ bytes }) => String(bytes[name] ?? ""))),
    lines("bytes per row: all", ({ bytes }) => String(Object.values(bytes).reduce((sum, size) => sum + size, 0))),
    lines("inserted rows per second", ({ insertsPerSecond }) => insertsPerSecond.toLocaleString("en")),
    ...Object.keys(first?.requests ?? {}).map((name) => lines(name, ({ requests }) => `${requests[name] ?? ""} ms`)),
    lines("retention of one day", ({ retention: { removed, seconds, calls, slowestCall } }) => {
      return `${removed.toLocaleString("en")} rows in ${seconds} s; ${calls} calls of at most ${slowestCall} ms`;
    }),
  ];
}

function run(address: string, rows: number): LogFigures {
  const text = execFileSync(process.execPath, [join(work, "logs.mjs"), address, String(rows)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The output of `logs.ts` is one line.
  return JSON.parse(text) as LogFigures;
}
