import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { SyncFigures, TenantFigures } from "../tenants.ts";
import { work } from "./build.ts";
import { onPostgres } from "./on-postgres.ts";

/** The cost of requests in an installation with few tenants and in one with many, on one kind of database. */
export interface TenantScale {
  readonly database: string;
  readonly tenants: number;
  readonly few: readonly TenantFigures[];
  readonly many: readonly TenantFigures[];
  readonly sync: SyncFigures;
}

/** The number of tenants of the small installation. */
export const few = 10;

/**
 * Measures on SQLite, and on PostgreSQL if a server is configured. Each start is a separate process, and the two sizes
 * alternate.
 */
export async function measureTenants(tenants: number, rounds: number, report: (text: string) => void): Promise<TenantScale[]> {
  report(`an installation of ${tenants.toLocaleString("en")} tenants, and one of ${few}, on SQLite`);
  const all = [compare("SQLite", tenants, rounds, `sqlite:${join(work, "few.db")}`, `sqlite:${join(work, "many.db")}`)];
  const onServer = await onPostgres(2, ([small = "", large = ""]) => {
    report("the same, on PostgreSQL");
    return compare("PostgreSQL", tenants, rounds, small, large);
  });
  if (onServer === undefined) report("POSTERN_TEST_POSTGRES_URL is not set: skipping PostgreSQL");
  return onServer === undefined ? all : [...all, onServer];
}

function compare(database: string, tenants: number, rounds: number, small: string, large: string): TenantScale {
  run("fill", small, few);
  run("fill", large, tenants);
  // PostgreSQL's autovacuum would run some time after this number of inserts.
  if (large.startsWith("postgres")) execFileSync(process.execPath, [join(work, "sql.mjs"), large, "vacuum analyze"]);
  const figures: { few: TenantFigures[]; many: TenantFigures[] } = { few: [], many: [] };
  for (let round = 0; round < rounds; round++) {
    // The output of `measure`.
    figures.few.push(JSON.parse(run("measure", small)) as TenantFigures);
    figures.many.push(JSON.parse(run("measure", large)) as TenantFigures);
  }
  return { database, tenants, ...figures, sync: JSON.parse(run("sync", large)) as SyncFigures };
}

function run(mode: string, address: string, tenants = 0): string {
  return execFileSync(process.execPath, ["--expose-gc", join(work, "tenants.mjs"), mode, address, String(tenants)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}
