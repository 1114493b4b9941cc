import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ownPostgres } from "../../packages/kysely/test/servers.ts";
import { startEventReceiver } from "./support/event-receiver.ts";
import { openSoakDatabase } from "./support/soak-database.ts";
import { comparePlateau, growth } from "./support/soak-figures.ts";
import { prepareSoakLoad, soakManager, soakTenants, type SoakLoad } from "./support/soak-load.ts";
import { bundleSoak, type SoakMail, type SoakPrograms } from "./support/soak-processes.ts";
import { ownPart, type Stall } from "./support/stalls.ts";

/*
 * A server under mixed load for an hour, with sweeps, log streams, key rotation, and tenants that are created and
 * removed. Run this test with `.ci/nightly soak`. It prints the figures in test/clusters/README.md.
 *
 * The run consists of rounds. After each round the load pauses, the test measures, and the server's clock moves two days
 * forward. So rows expire during the run, and every table must reach a plateau: rows are stored for at most 40 days,
 * which is 20 rounds. A short run has shorter rounds, about 60 of them.
 */

/** Minutes of load. */
const minutes = Number(process.env["POSTERN_TEST_SOAK_MINUTES"] ?? 0);
const usesSqlite = process.env["POSTERN_TEST_SOAK_DATABASE"] === "sqlite";
/** A file to which the measurements of each round are appended. */
const samplesFile = process.env["POSTERN_TEST_SOAK_SAMPLES"];
/** Faults to inject, to check that the test detects them: a list of `leak`, `stall`, `drop` and `no-sweep`. */
const faults = process.env["POSTERN_TEST_SOAK_FAULTS"]?.split(",") ?? [];

const day = 86_400_000;
const clockStep = 2 * day;
const roundLength = Math.min(15_000, (minutes * 60_000) / 72);
/** Tasks and a sweep run once in this many rounds: once a minute in a run of an hour. */
const roundsPerTask = 4;

/**
 * The maximum growth of the live heap from the first quarter to the end, in bytes, without compiled code. V8 still
 * compiles functions after half an hour.
 */
const maximumHeapGrowth = 2 * 1024 * 1024;
/**
 * The maximum growth of the resident memory from the middle to the last quarter, in bytes. A password hash takes 19 MiB,
 * which the C library sometimes keeps after the hash was computed.
 */
const maximumRssGrowth = 24 * 1024 * 1024;
/** The maximum length of a stall in milliseconds. */
const maximumStall = 100;

/** Tables that grow, by the operation that adds one row. A key that is no longer used stays in the list of keys. */
const growingTables: { readonly [table: string]: string } = { signing_keys: "key rotated, previous key revoked" };

/**
 * Warnings of the server that the run causes: the receiver rejects deliveries, and a tenant of the benchmark has an API
 * with the same identifier as one of the control plane.
 */
const expectedWarnings = ["log_stream_failed", "copies_left_out"];

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Round {
  readonly heap: number;
  readonly code: number;
  readonly rss: number;
  readonly rows: ReadonlyMap<string, number>;
}

let programs: SoakPrograms | undefined;
beforeAll(async () => {
  if (minutes > 0) programs = await bundleSoak();
});
afterAll(() => programs?.close());

async function createDatabase(): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  if (!usesSqlite) return ownPostgres("soak");
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  return { url: `sqlite://${join(folder, "soak.db")}`, drop: async () => rmSync(folder, { recursive: true }) };
}

/** Returns the entries that differ, as `name: expected, received`. */
function differences(expected: ReadonlyMap<string, number>, received: ReadonlyMap<string, number>): string[] {
  const names = new Set([...expected.keys(), ...received.keys()]);
  return [...names]
    .filter((name) => expected.get(name) !== received.get(name))
    .map((name) => `${name}: ${expected.get(name) ?? 0} acknowledged, ${received.get(name) ?? 0} delivered`)
    .toSorted();
}

test(
  "an hour of mixed load keeps the live heap and the tables flat, stalls at most 100 ms and loses no event",
  { timeout: (minutes + 10) * 60_000 },
  async ({ skip }) => {
    if (programs === undefined) return skip("takes an hour: run it with .ci/nightly soak");
    const database = await createDatabase();
    onTestFinished(database.drop);
    const facts = programs.prepare(database.url);
    let load: SoakLoad | undefined;
    const server = await programs.startServer(
      {
        databaseUrl: database.url,
        issuer: facts.issuer,
        secret: facts.keyRing,
        manager: soakManager,
        sweepInterval: faults.includes("no-sweep") ? 0 : roundsPerTask * roundLength,
        faults,
      },
      (mail: SoakMail) => load?.receiveMail(mail),
    );
    const receiver = await startEventReceiver(faults.includes("drop") ? 1000 : 0);
    onTestFinished(receiver.close);
    const reader = await openSoakDatabase(database.url);
    onTestFinished(reader.close);

    load = await prepareSoakLoad(server, facts, receiver);
    await server.measure();

    const rounds: Round[] = [];
    let ahead = 0;
    const stalls: { readonly stall: Stall; readonly own: number }[] = [];
    /** The audit events that were in the database, by `<tenant> <log_id>`. */
    const stored = new Set<string>();
    let lastRead = load.streamsSince;
    const readEvents = async (): Promise<void> => {
      // Reads the last second twice, because an event may be stored after its date.
      const readAt = Date.now() + ahead - 1000;
      for (const { tenant_id: tenantId, log_id: logId } of await reader.eventsSince(soakTenants, lastRead))
        stored.add(`${tenantId} ${logId}`);
      lastRead = readAt;
    };
    let longestWait = 0;
    const began = performance.now();
    let cpu = 0;
    for (let i = 0; performance.now() - began < minutes * 60_000; i++) {
      await load.run(roundLength, i % roundsPerTask === 1);
      const [measured, rows] = [await server.measure(), await reader.countRows()];
      cpu = measured.cpu;
      const { heap, code, rss } = measured;
      rounds.push({ heap, code, rss, rows });
      for (const stall of measured.stalls) {
        stalls.push({ stall, own: ownPart(stall) });
        longestWait = Math.max(longestWait, stall.length);
      }
      await readEvents();
      if (samplesFile !== undefined) {
        const slow = measured.stalls.filter(({ length }) => length > 50).map((stall) => ({ ...stall, own: ownPart(stall) }));
        const sample = { round: i, heap, code, rss, cpu, requests: load.requests, failures: load.failures.length, slow };
        appendFileSync(samplesFile, `${JSON.stringify({ ...sample, rows: Object.fromEntries(rows) })}\n`);
      }
      await server.advance(clockStep);
      ahead += clockStep;
      await load.renewTokens(clockStep);
    }
    await readEvents();
    const seconds = (performance.now() - began) / 1000;

    // The last events are delivered a few seconds after they happened. Those of a rejected delivery are sent again.
    for (let i = 0; i < 6 && differences(load.acknowledged, receiver.types).length > 0; i++) await pause(10_000);
    await server.stop();

    const { operations, requests, failures, acknowledged } = load;
    const checked = rounds.slice(Math.floor(rounds.length / 4));
    const heapGrowth = growth(checked.map(({ heap }) => heap));
    const codeGrowth = growth(checked.map(({ code }) => code));
    const rss = comparePlateau(rounds.map((round) => round.rss));
    const tables = [...(rounds[0]?.rows.keys() ?? [])].map((name) => ({
      name,
      ...comparePlateau(rounds.map(({ rows }) => rows.get(name) ?? 0)),
    }));
    const slowest = stalls.toSorted((a, b) => b.own - a.own)[0];
    const delivered = [...receiver.accepted.values()].reduce((sum, events) => sum + events.size, 0);
    const figures = [
      `${usesSqlite ? "SQLite" : "PostgreSQL"}, ${(seconds / 60).toFixed(1)} minutes, ${rounds.length} rounds of ${(roundLength / 1000).toFixed(1)} s and two days`,
      `${requests} requests, ${(requests / seconds).toFixed(1)} per second, ${failures.length} failed; CPU of the server ${(cpu / seconds / 10).toFixed(0)} % of a core`,
      [...operations].map(([name, times]) => `${name} ${times}`).join(", "),
      `${stored.size} events stored, ${delivered} delivered; deliveries: ${receiver.requests.accepted} accepted, ${receiver.requests.rejected} rejected, ${receiver.requests.unanswered} unanswered`,
      `live heap ${mebibytes(rounds[0]?.heap ?? 0)} after the first round, ${mebibytes(checked[0]?.heap ?? 0)} after a quarter, ${mebibytes(rounds.at(-1)?.heap ?? 0)} at the end; growth of the last three quarters ${mebibytes(heapGrowth)}, of which compiled code ${mebibytes(codeGrowth)}`,
      `resident memory ${mebibytes(rss.middle)} in the middle, ${mebibytes(rss.last)} in the last quarter`,
      `longest stall ${slowest?.own.toFixed(0)} ms (${slowest?.stall.running.join(", ")}); with the time in which the machine was busy ${longestWait.toFixed(0)} ms`,
      `rows in the middle, in the last quarter: ${tables.flatMap(({ name, middle, last }) => (last > 0 || middle > 0 ? [`${name} ${middle.toFixed(0)}, ${last.toFixed(0)}`] : [])).join("; ")}`,
    ];
    for (const figure of figures) console.log(`figures: soak: ${figure}`);

    expect.soft(failures, "failed operations").toEqual([]);
    const unexpected = server.warnings.filter((line) => !expectedWarnings.some((event) => line.startsWith(`{"event":"${event}"`)));
    expect.soft(unexpected, "warnings and errors of the server").toEqual([]);
    expect.soft(heapGrowth - codeGrowth, "growth of the live heap in bytes").toBeLessThan(maximumHeapGrowth);
    expect.soft(rss.last - rss.middle, "growth of the resident memory in bytes").toBeLessThan(maximumRssGrowth);
    const growing = tables.filter(({ name, middle, last, tolerance }) => {
      const additions = operations.get(growingTables[name] ?? "") ?? 0;
      return last - middle > tolerance + additions;
    });
    expect.soft(growing, "tables that grow").toEqual([]);
    expect
      .soft(
        stalls.filter(({ own }) => own > maximumStall),
        "stalls",
      )
      .toEqual([]);

    expect.soft(receiver.faults, "faults of deliveries").toEqual([]);
    expect.soft(differences(acknowledged, receiver.types), "events of acknowledged requests").toEqual([]);
    const accepted = new Set([...receiver.accepted].flatMap(([tenantId, events]) => [...events.keys()].map((id) => `${tenantId} ${id}`)));
    expect
      .soft(
        [...stored].filter((event) => !accepted.has(event)),
        "events that were not delivered",
      )
      .toEqual([]);
    const repeated = [...receiver.accepted.values()].flatMap((events) => [...events].filter(([, times]) => times > 1));
    expect.soft(repeated, "events that were accepted more than once").toEqual([]);
    expect.soft(receiver.requests.rejected + receiver.requests.unanswered, "deliveries that were not accepted").toBeGreaterThan(0);
  },
);
