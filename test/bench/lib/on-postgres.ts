import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { work } from "./build.ts";

/**
 * Runs a function on new databases of the server in POSTERN_TEST_POSTGRES_URL, and drops them afterwards.
 * @returns `undefined` if the variable is not set.
 */
export async function onPostgres<T>(databases: number, run: (addresses: readonly string[]) => T | Promise<T>): Promise<T | undefined> {
  const server = process.env["POSTERN_TEST_POSTGRES_URL"];
  if (server === undefined) return undefined;
  const sql = (text: string): void => void execFileSync(process.execPath, [join(work, "sql.mjs"), server, text], { stdio: "inherit" });
  const names = Array.from({ length: databases }, () => `postern_bench_${randomBytes(4).toString("hex")}`);
  for (const name of names) sql(`create database ${name}`);
  try {
    return await run(names.map((name) => Object.assign(new URL(server), { pathname: `/${name}` }).href));
  } finally {
    for (const name of names) sql(`drop database ${name} with (force)`);
  }
}
