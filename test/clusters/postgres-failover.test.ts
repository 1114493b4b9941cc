import { readFileSync } from "node:fs";
import { UnavailableError } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import type { SqlAdapter } from "@postern/kysely";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { row, untypedCollection } from "../../packages/kysely/test/rows.ts";
import { startCheckedLoad, type CheckedLoad } from "./support/checked-load.ts";
import { startTcpProxy } from "./support/tcp-proxy.ts";

/*
 * Postern on a PostgreSQL primary and its standby behind HAProxy, while the standby is promoted. Run these tests with
 * .ci/postgres-failover.sh. Each test uses another pair of servers. The tests print the figures in test/clusters/README.md.
 */

/** Maximum time from the promotion until the service acknowledges writes again, in milliseconds. */
const maxRecovery = 5000;

interface Pair {
  /** The service's connections go through HAProxy. */
  readonly data: SqlAdapter;
  readonly primary: pg.Client;
  readonly standby: pg.Client;
  readonly primaryUrl: string;
  readonly primaryPid: number;
}

const variables = (name: string): string[] => (process.env[`POSTERN_TEST_FAILOVER_${name}`] ?? "").split(" ").filter((part) => part !== "");
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const times = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const role = (id: string) => row("roles", { tenant_id: "failover", id, name: id });

async function openPair(name: string): Promise<Pair> {
  const [url = "", primaryUrl = "", standbyUrl = "", pid] = variables(name);
  const data = await openDatabase(url);
  const connect = async (connectionString: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const primary = await connect(primaryUrl);
  await data.migrate();
  await expect.poll(async () => (await connectIfReady(standbyUrl)) !== undefined).toBe(true);
  const standby = await connect(standbyUrl);
  onTestFinished(async () => {
    await Promise.all([primary.end().catch(() => {}), standby.end(), data.close()]);
  });
  return { data, primary, standby, primaryUrl, primaryPid: Number(pid) };
}

/**
 * Connects to the database, or returns undefined if the database does not exist yet. It exists on the standby as soon
 * as its creation was replicated.
 */
async function connectIfReady(connectionString: string): Promise<true | undefined> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return undefined;
  }
}

/** Promotes the standby. Returns the time at which it accepts writes. */
async function promote({ standby }: Pair): Promise<number> {
  await standby.query("select pg_promote(true, 30)");
  return performance.now();
}

/** Starts callers that contend for one guarded update after the other, and stores the acknowledged winner of each. */
function startGuards({ data }: Pair) {
  const roles = untypedCollection(data, "roles");
  const winners = new Map<string, string[]>();
  let isStopped = false;
  const contend = async (): Promise<void> => {
    for (let guard = 0; !isStopped; guard++) {
      const id = `guard-${guard}`;
      const isStored = await roles.insert([role(id)]).catch(() => false);
      if (!isStored) continue;
      const attempts = times(8).map(async (i) => {
        const won = await roles
          .update({ tenant_id: "failover", id, revision: 0 }, { set: { revision: 1, description: `won by ${i}` } })
          .catch(() => 0);
        if (won > 0) winners.set(id, [...(winners.get(id) ?? []), `won by ${i}`]);
      });
      await Promise.all(attempts);
    }
  };
  const running = contend();
  return {
    winners,
    stop: async () => {
      isStopped = true;
      await running;
    },
    /** Returns the number of guards whose acknowledged winner is not stored. */
    countMissing: async () => {
      let missing = 0;
      for (const [id, [winner]] of winners) {
        const [stored] = await roles.find({ where: { tenant_id: "failover", id }, limit: 1 });
        if (stored?.["description"] !== winner) missing++;
      }
      return missing;
    },
  };
}

/** Waits until writes succeed after `since`. Returns how many milliseconds that took. */
async function recoveryTime(load: CheckedLoad, since: number): Promise<number> {
  const first = (): number | undefined => load.successes.find((at) => at > since);
  await expect.poll(first, { timeout: 30_000 }).toBeDefined();
  return Math.round((first() ?? 0) - since);
}

/** Kills a server and the processes that it started, as a power failure would. */
function killWithChildren(pid: number): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  for (const each of [pid, ...children.trim().split(" ").map(Number)]) process.kill(each, "SIGKILL");
}

/**
 * Kills the primary under load, promotes the standby, and checks every acknowledged write.
 * @param onKill called immediately before the primary is killed.
 */
async function failOver(pair: Pair, onKill: () => void = () => {}) {
  const load = await startCheckedLoad(pair.data, 6);
  const guards = startGuards(pair);
  await pause(4000);
  onKill();
  killWithChildren(pair.primaryPid);
  const killed = performance.now();
  await pause(300);
  const promoted = await promote(pair);
  const recovery = await recoveryTime(load, promoted);
  await pause(4000);
  await Promise.all([load.stop(), guards.stop()]);
  const lateFailures = load.failures.filter(({ at }) => at > promoted + maxRecovery);
  const { users, codes, rotated, revoked } = load.acknowledged;
  const figures = {
    acknowledged: { users: users.length, codes: codes.length, rotated: rotated.length, revoked: revoked.length },
    missing: { ...(await load.findMissing()), guards: await guards.countMissing() },
    wonTwice: load.wonTwice + [...guards.winners.values()].filter((winners) => winners.length > 1).length,
    guards: guards.winners.size,
    failed: load.failures.length,
    statuses: [...new Set(load.failures.map(({ status }) => status))],
    lateFailures: lateFailures.length,
    recovery,
    outage: Math.round(promoted + recovery - killed),
  };
  return figures;
}

const nothing = { users: 0, codesRedeemedAgain: 0, rotatedTokensAccepted: 0, revokedTokensAlive: 0, duplicates: 0, guards: 0 };

describe.skipIf(variables("SYNC").length === 0)("PostgreSQL failover behind HAProxy (needs .ci/postgres-failover.sh)", () => {
  test("a write that times out while it waits for a synchronous standby stays invisible until it no longer has to wait", async () => {
    const { data, primary } = await openPair("ASYNC");
    const roles = untypedCollection(data, "roles");
    await primary.query("alter system set synchronous_standby_names = 'absent'");
    await primary.query("select pg_reload_conf()");
    onTestFinished(async () => {
      await primary.query("alter system reset synchronous_standby_names");
      await primary.query("select pg_reload_conf()");
    });
    const controller = new AbortController();
    const waiting = async (): Promise<number> => {
      const { rows } = await primary.query<{ count: string }>("select count(*) from pg_stat_activity where wait_event = 'SyncRep'");
      return Number(rows[0]?.count);
    };
    // Writes wait as soon as the server has read its configuration again. The first ones may commit before that.
    let insert: Promise<boolean>;
    let id: string;
    let written = 0;
    do {
      id = `waiting-${written++}`;
      insert = roles.insert([role(id)], { signal: controller.signal });
    } while (
      await Promise.race([
        insert,
        expect
          .poll(waiting)
          .toBe(1)
          .then(() => false),
      ])
    );
    controller.abort(new UnavailableError("the caller no longer waits"));
    await expect(insert).rejects.toThrow(UnavailableError);
    await pause(1000);
    expect([await waiting(), await roles.count({ tenant_id: "failover", id })]).toEqual([1, 0]);
    await primary.query("alter system reset synchronous_standby_names");
    await primary.query("select pg_reload_conf()");
    await expect.poll(() => roles.count({ tenant_id: "failover", id })).toBe(1);
  });

  test("failover to a synchronous standby loses no acknowledged write, and no code, token or guard succeeds twice", async () => {
    const figures = await failOver(await openPair("SYNC"));
    console.log("figures: synchronous standby", JSON.stringify(figures));
    expect(figures).toMatchObject({ missing: nothing, wonTwice: 0, lateFailures: 0 });
    expect(figures.acknowledged.codes).toBeGreaterThan(50);
    expect(figures.statuses.filter((status) => status !== 503)).toEqual([]);
    expect(figures.recovery).toBeLessThan(maxRecovery);
  });

  test("failover to an asynchronous standby that lags by 20 ms may lose the last writes, but duplicates nothing", async () => {
    const pair = await openPair("ASYNC");
    const link = await startTcpProxy(pair.primaryUrl);
    onTestFinished(() => link.close());
    link.delay(20);
    const { port } = new URL(link.url);
    await pair.standby.query(`alter system set primary_conninfo = 'host=127.0.0.1 port=${port} user=postern application_name=standby'`);
    await pair.standby.query("select pg_reload_conf()");
    await expect.poll(() => link.connections, { timeout: 20_000 }).toBeGreaterThan(0);
    // Data that is on its way to the standby when the primary's machine fails never arrives.
    const figures = await failOver(pair, () => {
      link.refuse(true);
      link.end("reset");
    });
    console.log("figures: asynchronous standby", JSON.stringify(figures));
    expect(figures).toMatchObject({ missing: { duplicates: 0 }, lateFailures: 0 });
    expect(figures.statuses.filter((status) => status !== 503)).toEqual([]);
    expect(figures.recovery).toBeLessThan(maxRecovery);
  });

  test("the service stops using a primary that was demoted and is still running", async () => {
    const pair = await openPair("DEMOTE");
    const load = await startCheckedLoad(pair.data, 6);
    await pause(2000);
    const sessions = async (): Promise<number> => {
      const { rows } = await pair.primary.query<{ count: string }>(
        "select count(*) from pg_stat_activity where datname = 'postern' and pid <> pg_backend_pid() and backend_type = 'client backend'",
      );
      return Number(rows[0]?.count);
    };
    const before = await sessions();
    expect(before).toBeGreaterThan(0);
    await pair.primary.query("alter system set default_transaction_read_only = on");
    await pair.primary.query("select pg_reload_conf()");
    const demoted = performance.now();
    const { rows } = await pair.primary.query<{ lsn: string }>("select pg_current_wal_lsn() as lsn");
    const replayed = async (): Promise<boolean> => {
      const result = await pair.standby.query<{ done: boolean }>("select pg_last_wal_replay_lsn() >= $1::pg_lsn as done", [rows[0]?.lsn]);
      return result.rows[0]?.done === true;
    };
    await expect.poll(replayed).toBe(true);
    const promoted = await promote(pair);
    const recovery = await recoveryTime(load, promoted);
    await expect.poll(sessions, { timeout: maxRecovery }).toBe(0);
    const left = Math.round(performance.now() - promoted);
    await pause(2000);
    await load.stop();
    const missing = await load.findMissing();
    const late = load.failures.filter(({ at }) => at > promoted + maxRecovery);
    const figures = {
      before,
      failed: load.failures.length,
      statuses: [...new Set(load.failures.map(({ status }) => status))],
      recovery,
      left,
    };
    console.log("figures: demoted primary", JSON.stringify({ ...figures, outage: Math.round(promoted + recovery - demoted), missing }));
    const { guards: _, ...none } = nothing;
    expect(missing).toEqual(none);
    expect(late).toEqual([]);
    expect(figures.statuses.filter((status) => status !== 503)).toEqual([]);
    expect(recovery).toBeLessThan(maxRecovery);
  });
});
