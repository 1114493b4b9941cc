import { UnavailableError, type AnyRow, type CallOptions, type Collection } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import type { SqlAdapter } from "@postern/kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepsTheContract } from "../../packages/kysely/test/contract.ts";
import { migrateInProcesses } from "../../packages/kysely/test/processes.ts";
import { row, untypedCollection } from "../../packages/kysely/test/rows.ts";
import { mysqlPool } from "../../packages/kysely/test/servers.ts";
import { mysql } from "../../packages/kysely/src/dialects/mysql.ts";

/*
 * The adapter on a MariaDB Galera cluster with three nodes. Run these tests with .ci/galera.sh. The last tests kill
 * nodes, so the order of the tests matters.
 */

const list = (name: string): string[] => (process.env[name] ?? "").split(" ").filter((part) => part !== "");
const urls = list("POSTERN_TEST_GALERA_URLS");
const pids = list("POSTERN_TEST_GALERA_PIDS").map(Number);

const openNode = (url: string): Promise<SqlAdapter> => openDatabase(url, { sessionVariables: { wsrep_sync_wait: 7 } });

/** Returns an adapter that sends each call to a random node, as a load balancer would. */
function onRandomNodes(nodes: readonly SqlAdapter[]): SqlAdapter {
  const [first] = nodes;
  if (first === undefined) throw new Error("no nodes");
  const anyNode = (): SqlAdapter => nodes[Math.floor(Math.random() * nodes.length)] ?? first;
  const collections = Object.keys(first.collections).map((name) => {
    // The row types differ between collections.
    const at = (): Collection<AnyRow> =>
      (anyNode().collections as unknown as Record<string, Collection<AnyRow>>)[name] as Collection<AnyRow>;
    const { filters } = at();
    const collection: Collection<AnyRow> = {
      ...(filters !== undefined && { filters }),
      insert: (rows, options) => at().insert(rows, options),
      find: (query, options) => at().find(query, options),
      count: (where, filter, options) => at().count(where, filter, options),
      update: (where, change, options) => at().update(where, change, options),
      delete: (where, options) => at().delete(where, options),
    };
    return [name, collection];
  });
  return {
    ...first,
    collections: Object.fromEntries(collections) as SqlAdapter["collections"],
    transaction: (run) => repeatConflicts(() => anyNode().transaction(run)),
  };
}

/**
 * Repeats a transaction that was rolled back because of a conflict with another node. The adapter itself cannot repeat
 * a transaction, because `run` may have other effects.
 */
async function repeatConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === 20 || !(error instanceof UnavailableError)) throw error;
    }
  }
}

const role = (id: string): AnyRow => row("roles", { tenant_id: "galera", id, name: id });
interface StoredRole {
  readonly id: string;
  readonly description: string | null;
  readonly revision: number;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const times = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe.skipIf(urls.length === 0)("a Galera cluster of three nodes (needs .ci/galera.sh)", () => {
  let nodes: SqlAdapter[] = [];

  beforeAll(async () => {
    nodes = await Promise.all(urls.map(openNode));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
  });

  test("six processes that migrate through three nodes at once all succeed", async () => {
    const applied = await migrateInProcesses([...urls, ...urls]);
    expect(Object.keys(mysql.migrations).filter((name) => !applied.flat().includes(name))).toEqual([]);
    await Promise.all(nodes.map((node) => node.check()));
  });

  keepsTheContract(
    () => onRandomNodes(nodes),
    () => openNode(urls[0] ?? ""),
  );

  test("one of 32 guarded updates on three nodes wins, in each of 50 rounds", async () => {
    for (const round of times(50)) {
      await untypedCollection(onRandomNodes(nodes), "roles").insert([role(`guard-${round}`)]);
      const results = await Promise.all(
        times(32).map((i) =>
          untypedCollection(onRandomNodes(nodes), "roles").update(
            { tenant_id: "galera", id: `guard-${round}`, revision: 0 },
            { set: { revision: 1, description: `won by ${i}` } },
          ),
        ),
      );
      expect(results.reduce((sum, count) => sum + count, 0)).toBe(1);
    }
  });

  test("640 increments of one row from three nodes all count", async () => {
    await untypedCollection(onRandomNodes(nodes), "roles").insert([role("counter")]);
    for (const _ of times(20)) {
      await Promise.all(
        times(32).map(() =>
          untypedCollection(onRandomNodes(nodes), "roles").update({ tenant_id: "galera", id: "counter" }, { add: { revision: 1 } }),
        ),
      );
    }
    const [counter] = await untypedCollection(onRandomNodes(nodes), "roles").find({
      where: { tenant_id: "galera", id: "counter" },
      limit: 1,
    });
    expect(counter?.["revision"]).toBe(640);
  });

  test("with wsrep_sync_wait 7, another node returns a new row at once; guarded updates have one winner with 0 as well", async () => {
    const loose = await Promise.all(urls.map((url) => openDatabase(url)));
    const countStale = async (on: readonly SqlAdapter[], prefix: string): Promise<number> => {
      let stale = 0;
      for (const i of times(500)) {
        const id = `${prefix}-${i}`;
        const [writer, reader] = [on[i % 3], on[(i + 1) % 3]];
        if (writer === undefined || reader === undefined) throw new Error("no nodes");
        await untypedCollection(writer, "roles").insert([role(id)]);
        if ((await untypedCollection(reader, "roles").count({ tenant_id: "galera", id })) === 0) stale++;
      }
      return stale;
    };
    const [synced, unsynced] = [await countStale(nodes, "synced"), await countStale(loose, "unsynced")];
    console.log("figures: rows of 500 that another node did not have yet", JSON.stringify({ sync_wait_7: synced, sync_wait_0: unsynced }));
    expect(synced).toBe(0);

    for (const round of times(50)) {
      const id = `loose-guard-${round}`;
      await untypedCollection(nodes[0] as SqlAdapter, "roles").insert([role(id)]);
      await untypedCollection(nodes[1] as SqlAdapter, "roles").count({ tenant_id: "galera", id });
      await untypedCollection(nodes[2] as SqlAdapter, "roles").count({ tenant_id: "galera", id });
      const results = await Promise.all(
        times(32).map((i) =>
          untypedCollection(onRandomNodes(loose), "roles").update(
            { tenant_id: "galera", id, revision: 0 },
            { set: { revision: 1, description: `won by ${i}` } },
          ),
        ),
      );
      expect(results.reduce((sum, count) => sum + count, 0)).toBe(1);
    }
    await Promise.all(loose.map((node) => node.close()));
  });

  test("a node that is isolated under load acknowledges no write that the others do not have, and works again afterwards", async () => {
    const isolated = mysqlPool(urls[2] ?? "", 1);
    const isolate = (value: 0 | 1) => isolated.promise().query("set global wsrep_provider_options = ?", [`gmcast.isolate=${value}`]);
    const reached = onRandomNodes(nodes);
    const stored: string[] = [];
    const rounds: { readonly id: string; readonly winners: readonly number[] }[] = [];
    const counted = { acknowledged: 0, unknown: 0 };
    const phases = { before: 0, during: 0, after: 0 };
    let phase: keyof typeof phases = "before";
    let isStopped = false;
    let failed = 0;
    /** Like a request of Postern, waits at most eight seconds. @returns undefined if the result is unknown. */
    const run = async <T>(call: (options: CallOptions) => Promise<T>): Promise<T | undefined> => {
      try {
        return await call({ signal: AbortSignal.timeout(8000) });
      } catch (error) {
        if (error instanceof Error && error.name === "UnavailableError") failed++;
        else expect(error).toMatchObject({ name: "TimeoutError" });
        return undefined;
      }
    };
    await untypedCollection(reached, "roles").insert([role("isolated-counter")]);
    const work = async (worker: number): Promise<void> => {
      for (let i = 0; !isStopped; i++) {
        const id = `isolated-${worker}-${i}`;
        if ((await run((options) => untypedCollection(reached, "roles").insert([role(id)], options))) !== true) continue;
        stored.push(id);
        phases[phase]++;
        const guard = { tenant_id: "galera", id, revision: 0 };
        const results = await Promise.all(
          times(4).map((n) =>
            run((options) =>
              untypedCollection(reached, "roles").update(guard, { set: { revision: 1, description: `won by ${n}` } }, options),
            ),
          ),
        );
        rounds.push({ id, winners: results.flatMap((count, n) => (count === 1 ? [n] : [])) });
        const where = { tenant_id: "galera", id: "isolated-counter" };
        const added = await run((options) => untypedCollection(reached, "roles").update(where, { add: { revision: 1 } }, options));
        counted[added === 1 ? "acknowledged" : "unknown"]++;
      }
    };
    const working = Promise.all(times(8).map(work));
    await pause(2000);
    phase = "during";
    await isolate(1);
    await pause(20_000);
    await isolate(0);
    await expect
      .poll(async () => (await isolated.promise().query("show status like 'wsrep_ready'"))[0], { timeout: 60_000 })
      .toMatchObject([{ Value: "ON" }]);
    phase = "after";
    await pause(5000);
    isStopped = true;
    await working;
    await isolated.promise().end();

    console.log(
      "figures: writes acknowledged before, during and after the isolation of a node",
      JSON.stringify({ ...phases, failed, increments: counted }),
    );
    expect(Math.min(...Object.values(phases))).toBeGreaterThan(0);
    for (const url of urls) {
      const node = mysqlPool(url, 1);
      const [rows] = await node
        .promise()
        .query(
          "select convert(id using utf8mb4) as id, convert(description using utf8mb4) as description, revision from postern_roles where tenant_id = 'galera'",
        );
      await node.promise().end();
      const found: readonly unknown[] = Array.isArray(rows) ? rows : [];
      // The columns are those of the statement.
      const byId = new Map((found as readonly StoredRole[]).map((one) => [one.id, one]));
      expect(stored.filter((id) => !byId.has(id))).toEqual([]);
      expect(rounds.filter(({ winners }) => winners.length > 1)).toEqual([]);
      const wrong = rounds.filter(({ id, winners }) => winners.some((n) => byId.get(id)?.description !== `won by ${n}`));
      expect(wrong).toEqual([]);
      const revision = Number(byId.get("isolated-counter")?.revision);
      expect(revision).toBeGreaterThanOrEqual(counted.acknowledged);
      expect(revision).toBeLessThanOrEqual(counted.acknowledged + counted.unknown);
    }
  });

  test("after kill -9 of a node, no acknowledged row is missing and the other nodes keep working", async () => {
    const acknowledged: string[] = [];
    const write = async (worker: number): Promise<void> => {
      for (const i of times(60)) {
        const id = `kill-${worker}-${i}`;
        // An error from the killed node does not acknowledge a write.
        const isStored = await untypedCollection(onRandomNodes(nodes), "roles")
          .insert([role(id)])
          .catch(() => false);
        if (isStored) acknowledged.push(id);
        if (worker === 0 && i === 20) process.kill(pids[2] ?? 0, "SIGKILL");
      }
    };
    await Promise.all(times(8).map(write));
    expect(acknowledged.length).toBeGreaterThan(200);
    const remaining = onRandomNodes(nodes.slice(0, 2));
    const missing: string[] = [];
    for (const id of acknowledged) {
      if ((await untypedCollection(remaining, "roles").count({ tenant_id: "galera", id })) !== 1) missing.push(id);
    }
    expect(missing).toEqual([]);
  });

  test("calls to a node without a quorum reject with an UnavailableError", async () => {
    process.kill(pids[1] ?? 0, "SIGKILL");
    const [first] = nodes;
    if (first === undefined) throw new Error("no nodes");
    const fails = async (): Promise<unknown> =>
      untypedCollection(first, "roles")
        .count({ tenant_id: "galera", id: "counter" })
        .then(
          () => undefined,
          (error: unknown) => error,
        );
    await expect.poll(fails, { timeout: 60_000 }).toBeInstanceOf(UnavailableError);
  });
});
