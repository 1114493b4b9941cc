import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { SyncFigures, TenantFigures } from "../tenants.ts";
import { work } from "./build.ts";
import { onPostgres } from "./on-postgres.ts";

/** What an installation of few tenants and one of many cost, on one kind of database. */
export interface TenantScale {
  readonly database: string;
  readonly tenants: number;
  readonly few: readonly TenantFigures[];
  readonly many: readonly TenantFigures[];
  readonly sync: SyncFigures;
}

/** Tenants of the small installation. */
export const few = 10;

/** Measures on SQLite, and on PostgreSQL where there is a server. Each start is a process of its own; the two sizes take turns. */
export async function measureTenants(tenants: number, rounds: number, say: (text: string) => void): Promise<TenantScale[]> {
  say(`an installation of ${tenants.toLocaleString("en")} tenants, and one of ${few}, on SQLite`);
  const all = [compare("SQLite", tenants, rounds, `sqlite:${join(work, "few.db")}`, `sqlite:${join(work, "many.db")}`)];
  const onServer = onPostgres(2, ([small = "", large = ""]) => {
    say("the same, on PostgreSQL");
    return compare("PostgreSQL", tenants, rounds, small, large);
  });
  if (onServer === undefined) say("POSTERN_TEST_POSTGRES_URL is not set: the same on PostgreSQL is left out");
  return onServer === undefined ? all : [...all, onServer];
}

function compare(database: string, tenants: number, rounds: number, small: string, large: string): TenantScale {
  run("fill", small, few);
  run("fill", large, tenants);
  const figures: { few: TenantFigures[]; many: TenantFigures[] } = { few: [], many: [] };
  for (let round = 0; round < rounds; round++) {
    // What `measure` prints.
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
