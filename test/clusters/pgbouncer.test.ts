import { UnavailableError } from "@postern/core/adapter";
import type { SqlAdapter } from "@postern/kysely";
import { openDatabase } from "@postern/kysely/url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepsTheContract } from "../../packages/kysely/test/contract.ts";
import { postgres } from "../../packages/kysely/src/dialects/postgres.ts";
import { migrateInProcesses } from "../../packages/kysely/test/processes.ts";
import { row, untypedCollection } from "../../packages/kysely/test/rows.ts";
import { withSignals } from "../../packages/kysely/test/servers.ts";

/*
 * The adapter on PostgreSQL behind PgBouncer in transaction mode, with a pool of two connections. Run these tests with
 * .ci/pgbouncer.sh.
 */

const url = process.env["POSTERN_TEST_PGBOUNCER_URL"] ?? "";
const directUrl = process.env["POSTERN_TEST_PGBOUNCER_DIRECT_URL"] ?? "";

const role = (id: string) => row("roles", { tenant_id: "pgbouncer", id, name: id });
const times = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe.skipIf(url === "")("PgBouncer in transaction mode with a pool of two (needs .ci/pgbouncer.sh)", () => {
  let data: SqlAdapter;
  let direct: pg.Client;

  beforeAll(async () => {
    data = await openDatabase(url, { connections: 32, prepare: false });
    direct = new pg.Client({ connectionString: directUrl });
    await direct.connect();
  });
  afterAll(async () => {
    await data.close();
    await direct.end();
  });

  const count = async (query: string): Promise<number> => Number((await direct.query<{ count: string }>(query)).rows[0]?.count);

  test("six processes that migrate at once all succeed, and each migration runs once", async () => {
    const applied = await migrateInProcesses(times(6).map(() => url));
    expect(applied.flat().toSorted()).toEqual(Object.keys(postgres.migrations).toSorted());
    await data.check();
  });

  test("a migration leaves no advisory lock on the shared connections", async () => {
    expect(await count("select count(*) from pg_locks where locktype = 'advisory'")).toBe(0);
  });

  keepsTheContract(
    () => withSignals(data),
    () => openDatabase(url, { prepare: false }),
  );

  test("uses no more than two connections to the server", async () => {
    await Promise.all(times(64).map((i) => untypedCollection(data, "roles").insert([role(`pool-${i}`)])));
    const connections = await count(
      "select count(*) from pg_stat_activity where datname = 'postern' and pid <> pg_backend_pid() and backend_type = 'client backend'",
    );
    expect(connections).toBeGreaterThan(0);
    expect(connections).toBeLessThanOrEqual(2);
  });

  test("one of 32 guarded updates wins, in each of 50 rounds", async () => {
    for (const round of times(50)) {
      await untypedCollection(data, "roles").insert([role(`guard-${round}`)]);
      const results = await Promise.all(
        times(32).map((i) =>
          untypedCollection(data, "roles").update(
            { tenant_id: "pgbouncer", id: `guard-${round}`, revision: 0 },
            { set: { revision: 1, description: `won by ${i}` } },
          ),
        ),
      );
      expect(results.reduce((sum, updated) => sum + updated, 0)).toBe(1);
    }
  });

  test("a statement whose call was aborted while it waited for a lock has no effect after the lock is released", async () => {
    await untypedCollection(data, "roles").insert([role("locked")]);
    await direct.query("begin");
    await direct.query("select 1 from postern_roles where tenant_id = 'pgbouncer' and id = 'locked' for update");
    const controller = new AbortController();
    const update = untypedCollection(data, "roles").update(
      { tenant_id: "pgbouncer", id: "locked" },
      { add: { revision: 1 } },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(new UnavailableError("the caller no longer waits")), 300);
    await expect(update).rejects.toThrow("the caller no longer waits");
    const waiting = "select count(*) from pg_stat_activity where datname = 'postern' and wait_event_type = 'Lock'";
    await expect.poll(() => count(waiting), { timeout: 10_000 }).toBe(0);
    await direct.query("commit");
    const [locked] = await untypedCollection(data, "roles").find({ where: { tenant_id: "pgbouncer", id: "locked" }, limit: 1 });
    expect(locked?.["revision"]).toBe(0);
  });

  test("a parameter in the URL switches prepared statements off", async () => {
    const byUrl = await openDatabase(`${url}?prepare=false`);
    await Promise.all(
      times(200).map((i) => untypedCollection(byUrl, "roles").find({ where: { tenant_id: "pgbouncer", id: `pool-${i}` }, limit: 1 })),
    );
    await byUrl.close();
  });

  test("with prepared statements, calls reject with an error that names the setting to change", async () => {
    const preparing = await openDatabase(url, { connections: 8 });
    const roles = untypedCollection(preparing, "roles");
    const calls = times(200).flatMap((i) => [
      roles.find({ where: { tenant_id: "pgbouncer", id: `pool-${i % 64}` }, limit: 1 }),
      roles.count({ tenant_id: "pgbouncer" }),
      roles.update({ tenant_id: "pgbouncer", id: `pool-${i % 64}` }, { add: { revision: 1 } }),
    ]);
    const results = await Promise.allSettled(calls);
    await preparing.close();
    const messages = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages)
      expect(message).toContain("Set `prepare: false`, or `max_prepared_statements` in PgBouncer 1.21 or later");
  });
});
