import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Scale } from "../scale.ts";
import { work } from "./build.ts";
import { onPostgres } from "./on-postgres.ts";

/** The cost of lists in a small and a large tenant, on one kind of database. */
export interface ScaleFigures {
  readonly database: string;
  readonly users: number;
  readonly figures: Scale;
}

/** The number of users of the large tenant, by measurement. */
interface ScaleSizes {
  readonly lists: number;
  readonly searches: number;
}

/**
 * Measures lists and searches on SQLite, and lists on PostgreSQL if POSTERN_TEST_POSTGRES_URL names a server on which
 * databases can be created.
 */
export async function measureScale({ lists: users, searches }: ScaleSizes, report: (text: string) => void): Promise<ScaleFigures[]> {
  report(`lists in a tenant of ${users.toLocaleString("en")} users, on SQLite`);
  const all = [{ database: "SQLite", users, figures: run(`sqlite:${join(work, "scale.db")}`, users, "lists") }];
  report(`searches in a tenant of ${searches.toLocaleString("en")} users, on SQLite`);
  all.push({ database: "SQLite", users: searches, figures: run(`sqlite:${join(work, "searches.db")}`, searches, "searches") });
  const onServer = await onPostgres(1, ([address = ""]) => {
    report("the same, on PostgreSQL");
    return { database: "PostgreSQL", users, figures: run(address, users, "lists") };
  });
  if (onServer === undefined) report("POSTERN_TEST_POSTGRES_URL is not set: skipping PostgreSQL");
  return onServer === undefined ? all : [...all, onServer];
}

/**
 * Measures pages of the admin console in a tenant of 1,000 users and in a large tenant of the same SQLite database.
 * @returns rows of a table.
 */
export function consoleRows(users: number, report: (text: string) => void): string[][] {
  report(`pages of the console in a tenant of ${users.toLocaleString("en")} users, on SQLite`);
  const figures = Object.entries(run(`sqlite:${join(work, "console.db")}`, users, "console"));
  return figures.map(([page, { small, large }]) => [
    page,
    `${small.toFixed(1)} ms`,
    `${large.toFixed(1)} ms`,
    `${(large / small).toFixed(2)}x`,
  ]);
}

function run(address: string, users: number, kind: keyof ScaleSizes | "console"): Scale {
  const text = execFileSync(process.execPath, [join(work, "scale.mjs"), address, String(users), kind], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The output of `scale.ts` is one line.
  return JSON.parse(text) as Scale;
}
