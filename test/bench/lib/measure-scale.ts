import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Scale } from "../scale.ts";
import { work } from "./build.ts";
import { onPostgres } from "./on-postgres.ts";

/** What lists cost by the size of the tenant, on one kind of database. */
export interface ScaleFigures {
  readonly database: string;
  readonly users: number;
  readonly figures: Scale;
}

/** How many users the large tenant has. */
export interface ScaleSizes {
  readonly lists: number;
  readonly searches: number;
}

/** Measures lists and searches on SQLite, and lists on PostgreSQL where POSTERN_TEST_POSTGRES_URL names a server that databases may be made on. */
export async function measureScale({ lists: users, searches }: ScaleSizes, say: (text: string) => void): Promise<ScaleFigures[]> {
  say(`lists in a tenant of ${users.toLocaleString("en")} users, on SQLite`);
  const all = [{ database: "SQLite", users, figures: run(`sqlite:${join(work, "scale.db")}`, users, "lists") }];
  say(`searches in a tenant of ${searches.toLocaleString("en")} users, on SQLite`);
  all.push({ database: "SQLite", users: searches, figures: run(`sqlite:${join(work, "searches.db")}`, searches, "searches") });
  const onServer = onPostgres(1, ([address = ""]) => {
    say("the same, on PostgreSQL");
    return { database: "PostgreSQL", users, figures: run(address, users, "lists") };
  });
  if (onServer === undefined) say("POSTERN_TEST_POSTGRES_URL is not set: the same on PostgreSQL is left out");
  return onServer === undefined ? all : [...all, onServer];
}

function run(address: string, users: number, kind: keyof ScaleSizes): Scale {
  const text = execFileSync(process.execPath, [join(work, "scale.mjs"), address, String(users), kind], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The one line that `scale.ts` prints.
  return JSON.parse(text) as Scale;
}
