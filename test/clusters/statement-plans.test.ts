import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyRow, CollectionDescription, CollectionName } from "@postern/core/adapter";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { untypedCollection } from "../../packages/kysely/test/rows.ts";
import { recordFolderVariable, type RecordedCall } from "../support/record-calls.ts";
import { compilerFor, distinctCalls, type SqlStatement } from "./plans/compile.ts";
import { openMariadb, openPostgres, openSqlite, type PlanDatabase } from "./plans/databases.ts";
import { exceptions } from "./plans/exceptions.ts";
import { fillStatement, largeStage, probedTenants, smallStage, tableDescriptions, type Stage } from "./plans/fill.ts";
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
    // A failed test is no reason to stop: `.ci/run` reports it.
    spawnSync("npx", ["-y", "pnpm@12", "vitest", "run", "--project", "across", "--reporter=dot"], {
      env: { ...process.env, [recordFolderVariable]: folder },
      stdio: "ignore",
    });
  }
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), "utf8").trim().split("\n"));
  calls = distinctCalls(lines.map((line) => JSON.parse(line) as RecordedCall));
  if (given === undefined) rmSync(folder, { recursive: true });
}, hour);

/** The plan of a statement in one situation. */
interface ExplainedPlan {
  /** The position of the call in `calls`. */
  readonly shape: number;
  readonly statement: SqlStatement;
  readonly tenant: string;
  readonly kind: string;
  readonly stage: Stage["name"];
  readonly statistics: "fresh" | "stale" | "no";
  readonly plan: Plan;
  /** The judgement of the plan in the large tables. Undefined for a plan that the database does not keep. */
  verdict?: Verdict | undefined;
}

async function fill(database: PlanDatabase, from: (name: CollectionName) => number, to: (name: CollectionName) => number): Promise<void> {
  for (const [table, description] of tableDescriptions) {
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
  for (const [table, { name, scope }] of tableDescriptions) {
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
  const description = tableDescriptions.get(`postern_${collection}`);
  if (description === undefined) throw new Error(`no collection ${collection}`);
  return description;
}

async function explainAll(
  database: PlanDatabase,
  stage: Stage,
  statistics: ExplainedPlan["statistics"],
): Promise<readonly ExplainedPlan[]> {
  const stored = await storedCalls(database, stage);
  const compile = compilerFor(database.name);
  const found: ExplainedPlan[] = [];
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

async function judgeAll(database: PlanDatabase, found: readonly ExplainedPlan[]): Promise<void> {
  const stored = await storedCalls(database, largeStage);
  const judge = new Judge((name) => untypedCollection(database.data, name as CollectionName));
  for (const each of found) {
    if (each.stage === "small" && each.kind !== "generic") continue;
    const call = stored(each.shape, each.tenant);
    each.verdict = await judge.verdict(each.plan, call, each.statement, descriptionOf(call));
  }
}

/** Returns a statement, its plan and the situation, for a failure message. */
function describePlan({ shape, statement, tenant, kind, stage, statistics, plan, verdict }: ExplainedPlan): string {
  const { collection, method } = calls[shape] ?? {};
  const situation = `${stage} tables, ${statistics} statistics, ${kind} plan, tenant ${tenant}`;
  return `${verdict ?? ""}: ${collection ?? ""}.${method ?? ""}; ${situation}\n${statement.sql}\n${plan.text}`;
}

/** Returns how many statements have the same index in all of these plans. */
function countStable(found: readonly ExplainedPlan[]): string {
  const indexes = new Map<string, Set<string>>();
  for (const { shape, statement, plan } of found) {
    const key = `${shape} ${statement.sql}`;
    const used = indexes.get(key) ?? new Set();
    indexes.set(key, used.add(plan.accesses.map(({ index }) => index ?? "none").join()));
  }
  return `${[...indexes.values()].filter(({ size }) => size === 1).length} of ${indexes.size}`;
}

describe.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
  ["MariaDB", openMariadb],
])("%s", (title, open) => {
  let database: PlanDatabase | undefined;
  const found: ExplainedPlan[] = [];

  beforeAll(async () => {
    const opened = (database = await open());
    const explain = async (stage: Stage, statistics: ExplainedPlan["statistics"]): Promise<void> => {
      found.push(...(await explainAll(opened, stage, statistics)));
    };
    const none = (): number => 0;
    const ten = (): number => 10;
    await fill(opened, none, ten);
    await opened.analyze();
    await fill(opened, ten, smallStage.rows);
    await explain(smallStage, "stale");
    await opened.deleteStatistics();
    await explain(smallStage, "no");
    await opened.analyze();
    await explain(smallStage, "fresh");
    const restore = await opened.saveStatistics();
    await fill(opened, smallStage.rows, largeStage.rows);
    await restore();
    await explain(largeStage, "stale");
    await opened.deleteStatistics();
    await explain(largeStage, "no");
    await opened.analyze();
    await explain(largeStage, "fresh");
    await judgeAll(opened, found);
  }, hour);

  afterAll(() => database?.close());

  test("no plan reads or sorts many rows that the statement does not need, except in the listed exceptions", () => {
    const bad = found.filter(({ verdict }) => verdict === "reads more" || verdict === "sorts");
    const excepted = new Map<string, Set<string>>();
    const faults = bad.filter((each) => {
      const call = calls[each.shape];
      if (call === undefined) return true;
      const exception = exceptions.find(({ applies }) =>
        applies({ ...each, call, description: descriptionOf(call), database: database?.name ?? "sqlite" }),
      );
      if (exception === undefined) return true;
      excepted.set(exception.reason, (excepted.get(exception.reason) ?? new Set()).add(each.statement.sql));
      return false;
    });
    const statements = new Set(found.map(({ statement }) => statement.sql)).size;
    const ofBig = found.filter(({ tenant, statistics }) => tenant === "big" && (title !== "PostgreSQL" || statistics !== "no"));
    console.log(`figures: ${title}: ${calls.length} shapes of calls, ${statements} statements, ${found.length} plans`);
    console.log(`figures: ${title}: the same index with all statistics: ${countStable(ofBig.filter(({ stage }) => stage === "large"))}`);
    console.log(`figures: ${title}: the same index with all statistics and sizes: ${countStable(ofBig)}`);
    for (const [reason, all] of excepted) console.log(`figures: ${title}: ${all.size} statements: ${reason}`);
    expect(faults.map(describePlan)).toEqual([]);
  });
});
