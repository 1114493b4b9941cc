import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyRow, CollectionDescription, CollectionName } from "@postern/core/adapter";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { untypedCollection } from "../../packages/kysely/test/rows.ts";
import { recordFolderVariable, type RecordedCall } from "../support/record-calls.ts";
import { compilerFor, distinctCalls, type SqlStatement } from "./plans/compile.ts";
import { openMariadb, openPostgres, openSqlite, type PlanDatabase } from "./plans/databases.ts";
import { fillStatement, full, probedTenants, small, tables, type Stage } from "./plans/fill.ts";
import { Judge, type Verdict } from "./plans/judge.ts";
import type { Plan } from "./plans/plan.ts";
import { withStoredValues } from "./plans/values.ts";

/*
 * The plans of every statement that the tests send, at two sizes of the tables and with fresh, old and no statistics.
 * Run with `.ci/nightly plans`.
 */

const hour = 3_600_000;
let calls: readonly RecordedCall[] = [];

beforeAll(() => {
  const given = process.env[recordFolderVariable];
  const folder = given ?? mkdtempSync(join(tmpdir(), "postern-calls-"));
  if (given === undefined) {
    execFileSync("npx", ["-y", "pnpm@12", "vitest", "run", "--project", "across", "--reporter=dot"], {
      env: { ...process.env, [recordFolderVariable]: folder },
      stdio: "ignore",
    });
  }
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), "utf8").trim().split("\n"));
  calls = distinctCalls(lines.map((line) => JSON.parse(line) as RecordedCall));
  if (given === undefined) rmSync(folder, { recursive: true });
}, hour);

/** The plan of a statement in one situation. */
interface Found {
  /** The position of the call in `calls`. */
  readonly shape: number;
  readonly statement: SqlStatement;
  readonly tenant: string;
  readonly kind: string;
  readonly stage: Stage["name"];
  readonly statistics: "fresh" | "stale" | "no";
  readonly plan: Plan;
  /** What the plan would read in the large tables. Undefined for a plan that the database does not keep. */
  verdict?: Verdict | undefined;
}

async function fill(database: PlanDatabase, from: (name: CollectionName) => number, to: (name: CollectionName) => number): Promise<void> {
  for (const [table, description] of tables) {
    const name = description.name as CollectionName;
    const [first, last] = [from(name), to(name)];
    if (last <= first) continue;
    const restore = last - first > 10_000 ? await database.dropIndexes(table) : async () => {};
    await database.run(fillStatement(database.name, description, first, last));
    await restore();
  }
}

async function samplesOf(database: PlanDatabase, stage: Stage): Promise<ReadonlyMap<string, readonly AnyRow[]>> {
  const samples = new Map<string, readonly AnyRow[]>();
  for (const [table, { name, scope }] of tables) {
    for (const tenant of probedTenants) {
      const where = scope === "tenant" ? `where tenant_id = '${tenant}'` : "";
      const offset = scope === "tenant" && tenant !== "big" ? 0 : Math.floor(stage.rows(name as CollectionName) / 2);
      const rows = await database.rows(`select * from ${table} ${where} limit 60 offset ${offset}`);
      const texts = rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([field, value]) => [field, value instanceof Uint8Array ? String(value) : value])),
      );
      samples.set(`${name} ${tenant}`, texts as AnyRow[]);
    }
  }
  return samples;
}

/** Returns the calls with values that exist in the tables. */
async function storedCalls(database: PlanDatabase, stage: Stage): Promise<(shape: number, tenant: string) => RecordedCall> {
  const samples = await samplesOf(database, stage);
  return (shape, tenant) => {
    const call = calls[shape];
    if (call === undefined) throw new Error(`no call ${shape}`);
    return withStoredValues(call, descriptionOf(call), samples.get(`${call.collection} ${tenant}`) ?? [], stage.now);
  };
}

function descriptionOf({ collection }: RecordedCall): CollectionDescription {
  const description = tables.get(`postern_${collection}`);
  if (description === undefined) throw new Error(`no collection ${collection}`);
  return description;
}

async function explainAll(database: PlanDatabase, stage: Stage, statistics: Found["statistics"]): Promise<readonly Found[]> {
  const stored = await storedCalls(database, stage);
  const compile = compilerFor(database.name);
  const found: Found[] = [];
  for (const shape of calls.keys()) {
    for (const tenant of probedTenants) {
      for (const statement of await compile(stored(shape, tenant))) {
        for (const kind of database.kinds) {
          if (kind === "generic" && !statement.isPrepared) continue;
          found.push({ shape, statement, tenant, kind, stage: stage.name, statistics, plan: await database.explain(statement, kind) });
        }
      }
    }
  }
  return found;
}

async function judgeAll(database: PlanDatabase, found: readonly Found[]): Promise<void> {
  const stored = await storedCalls(database, full);
  const judge = new Judge((name) => untypedCollection(database.data, name as CollectionName));
  for (const each of found) {
    if (each.stage === "small" && each.kind !== "generic") continue;
    const call = stored(each.shape, each.tenant);
    each.verdict = await judge.verdict(each.plan, call, each.statement, descriptionOf(call));
  }
}

describe.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
  ["MariaDB", openMariadb],
])("%s", (title, open) => {
  let database: PlanDatabase | undefined;
  const found: Found[] = [];

  beforeAll(async () => {
    const opened = (database = await open());
    const explain = async (stage: Stage, statistics: Found["statistics"]): Promise<void> => {
      const start = performance.now();
      found.push(...(await explainAll(opened, stage, statistics)));
      console.log(`${title} ${stage.name} ${statistics}: ${found.length} plans, ${Math.round(performance.now() - start)} ms`);
    };
    await fill(opened, () => 0, () => 10);
    await opened.analyze();
    await fill(opened, () => 10, small.rows);
    await explain(small, "stale");
    await opened.forget();
    await explain(small, "no");
    await opened.analyze();
    await explain(small, "fresh");
    const restore = await opened.saveStatistics();
    const start = performance.now();
    await fill(opened, small.rows, full.rows);
    console.log(`${title} filled in ${Math.round((performance.now() - start) / 1000)} s`);
    await restore();
    await explain(full, "stale");
    await opened.forget();
    await explain(full, "no");
    await opened.analyze();
    await explain(full, "fresh");
    const before = performance.now();
    await judgeAll(opened, found);
    console.log(`${title} judged in ${Math.round((performance.now() - before) / 1000)} s`);
    if (process.env["POSTERN_TEST_PLANS_FILE"]) writeFileSync(`${process.env["POSTERN_TEST_PLANS_FILE"]}-${title}.json`, JSON.stringify({ calls, found }));
  }, hour);

  afterAll(() => database?.close());

  test("dummy", () => {
    expect(found.length).toBeGreaterThan(0);
  });
});
