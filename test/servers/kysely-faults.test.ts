import type { SqlAdapter } from "@postern/kysely";
import { createPostgresAdapter } from "@postern/kysely";
import { openDatabase } from "@postern/kysely/url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { row, untypedCollection } from "../../packages/kysely/test/rows.ts";
import { mysqlAt, mysqlPool, ownMysql, ownPostgres, postgresAt, postgresPool } from "../../packages/kysely/test/servers.ts";

const assertion = (jti_hash: string) => row("used_assertions", { tenant_id: "t", jti_hash });
const role = (id: string) => row("roles", { tenant_id: "t", id, name: id });

/** Returns a function whose promise resolves after its second call. */
function barrier(): () => Promise<void> {
  let missing = 2;
  let arrive = (): void => {};
  const bothArrived = new Promise<void>((resolve) => (arrive = resolve));
  return () => {
    if (--missing === 0) arrive();
    return bothArrived;
  };
}

function sharedFaults(open: () => SqlAdapter): void {
  test("a deadlock rolls one of two transactions back completely, even if its error is swallowed", async () => {
    const roles = untypedCollection(open(), "roles");
    await roles.insert([role("a"), role("b")]);
    const arrive = barrier();
    const updateCrosswise = (first: string, second: string) =>
      open().transaction(async (tx) => {
        const inside = untypedCollection({ collections: tx }, "roles");
        await inside.update({ tenant_id: "t", id: first }, { set: { description: first } });
        await arrive();
        await inside.update({ tenant_id: "t", id: second }, { add: { revision: 1 } }).catch(() => {});
        await inside.update({ tenant_id: "t", id: second }, { add: { revision: 1 } }).catch(() => {});
      });
    const results = await Promise.allSettled([updateCrosswise("a", "b"), updateCrosswise("b", "a")]);
    expect(results.map(({ status }) => status).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(["fulfilled", "rejected"]);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ name: "UnavailableError" });
    const rows = await roles.find({ where: { tenant_id: "t" }, limit: 5 });
    expect(rows.map(({ revision }) => Number(revision)).toSorted((a, b) => a - b)).toEqual([0, 2]);
    expect(rows.filter(({ description }) => description !== "")).toHaveLength(1);
  });

  test("a conflict in an insert of several rows rolls back that insert, not the transaction", async () => {
    await open().transaction(async (tx) => {
      const inside = untypedCollection({ collections: tx }, "used_assertions");
      expect(await inside.insert([assertion("a")])).toBe(true);
      expect(await inside.insert(["b", "c", "a"].map(assertion))).toBe(false);
      expect(await inside.insert(["d", "e", "f"].map(assertion))).toBe(true);
    });
    const rows = await untypedCollection(open(), "used_assertions").find({
      where: { tenant_id: "t" },
      orderBy: { fields: ["jti_hash"], direction: "asc" },
      limit: 9,
    });
    expect(rows.map(({ jti_hash }) => jti_hash)).toEqual(["a", "d", "e", "f"]);
  });

  test("32 parallel inserts of overlapping rows all settle", async () => {
    const roles = untypedCollection(open(), "roles");
    const names = Array.from({ length: 20 }, (_, i) => `many-${i}`);
    const inserts = await Promise.all(
      Array.from({ length: 32 }, (_, i) =>
        roles.insert(names.slice(i % 10, (i % 10) + 10).map((name) => ({ ...role(`${name}-${i}`), name }))),
      ),
    );
    expect(inserts.filter(Boolean).length).toBeGreaterThan(0);
    const count = await roles.count({ tenant_id: "t", name: { prefix: "many-" } });
    expect(count).toBe(10 * inserts.filter(Boolean).length);
  });
}

describe("PostgreSQL", async () => {
  const database = await ownPostgres("faults");
  const pool = postgresPool(database.url);
  const data = createPostgresAdapter({ pool, closes: true });
  beforeAll(() => data.migrate());
  afterAll(async () => {
    await data.close();
    await database.drop();
  });
  sharedFaults(() => data);

  test("a call on a terminated connection throws UnavailableError, and the next call uses another connection", async () => {
    const other = postgresPool(database.url, 1);
    const interrupted = data.transaction(async (tx) => {
      await tx.used_assertions.count({ tenant_id: "t" });
      await other.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      await tx.used_assertions.count({ tenant_id: "t" });
    });
    await expect(interrupted).rejects.toMatchObject({ name: "UnavailableError" });
    await other.end();
    // The pool replaces a connection that was terminated while idle at its next use, before a statement runs.
    expect(await data.collections.used_assertions.count({ tenant_id: "none" })).toBe(0);
  });

  test("the adapter keeps the host's int8 parser, and can send unprepared statements", async () => {
    const shared = postgresPool(database.url, 1);
    const unprepared = createPostgresAdapter({ pool: shared, prepare: false });
    expect(await unprepared.collections.used_assertions.count({ tenant_id: "none" })).toBe(0);
    const { rows } = await shared.query<{ n: string; names: string }>(
      "select count(*) as n, (select count(*) from pg_prepared_statements) as names from postern_logs",
    );
    expect(rows).toEqual([{ n: "0", names: "0" }]);
    const prepared = createPostgresAdapter({ pool: shared });
    for (let i = 0; i < 3; i++) await prepared.collections.used_assertions.count({ tenant_id: "none" });
    const again = await shared.query<{ names: string }>("select count(*) as names from pg_prepared_statements");
    expect(again.rows).toEqual([{ names: "1" }]);
    await unprepared.close();
    await prepared.close();
    await shared.end();
  });

  test("drops a connection to a server that became read-only", async () => {
    const own = await ownPostgres("read_only");
    const pool = postgresPool(own.url, 1);
    const written = createPostgresAdapter({ pool, closes: true });
    await written.migrate();
    const name = new URL(own.url).pathname.slice(1);
    await pool.query(`alter database ${name} set default_transaction_read_only = on`);
    await pool.query("select pg_terminate_backend(pg_backend_pid())").catch(() => {});
    const { signal } = new AbortController();
    for (const options of [undefined, { signal }]) {
      const rejected = written.collections.used_assertions.insert([{ tenant_id: "t", jti_hash: "h", expires_at: 1 }], options);
      await expect(rejected).rejects.toMatchObject({ name: "UnavailableError" });
    }
    const admin = postgresPool(database.url, 1);
    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    await admin.end();
    // The pool has one connection. It is still read-only unless the adapter closed it.
    expect(await written.collections.used_assertions.insert([{ tenant_id: "t", jti_hash: "h", expires_at: 1 }])).toBe(true);
    await written.close();
    await own.drop();
  });

  test("names the option to set when a proxy lost a prepared statement", async () => {
    const shared = postgresPool(database.url, 1);
    const prepared = createPostgresAdapter({ pool: shared });
    for (let i = 0; i < 3; i++) await prepared.collections.used_assertions.count({ tenant_id: "none" });
    await shared.query("deallocate all");
    await expect(prepared.collections.used_assertions.count({ tenant_id: "none" })).rejects.toThrow(/Set `prepare: false`/);
    await shared.end();
  });

  test("sets session variables on each connection", async () => {
    const readOnly = await openDatabase(database.url, { sessionVariables: { default_transaction_read_only: "on" } });
    const rejected = readOnly.collections.used_assertions.insert([{ tenant_id: "t", jti_hash: "session", expires_at: 1 }]);
    await expect(rejected).rejects.toMatchObject({ name: "UnavailableError", cause: { code: "25006" } });
    await readOnly.close();
  });

  test("text with a NUL character matches no row", async () => {
    expect(await data.collections.roles.count({ tenant_id: "t", name: "a\0" })).toBe(0);
    expect(await data.collections.roles.count({ tenant_id: "t", name: { prefix: "\0" } })).toBe(0);
  });

  test("a pool of one connection serves transactions, statements and migrations", async () => {
    const one = postgresAt(database.url, 1);
    await one.migrate();
    await one.check();
    await Promise.all(
      Array.from({ length: 8 }, () => one.transaction(async (tx) => expect(await tx.used_assertions.count({ tenant_id: "none" })).toBe(0))),
    );
    await one.close();
  });
});

describe("MySQL or MariaDB", async () => {
  const database = await ownMysql("faults");
  const data = mysqlAt(database.url);
  beforeAll(() => data.migrate());
  afterAll(async () => {
    await data.close();
    await database.drop();
  });
  sharedFaults(() => data);

  test("a call on a terminated connection throws UnavailableError, and the next call uses another connection", async () => {
    const other = mysqlPool(database.url, 1).promise();
    const interrupted = data.transaction(async (tx) => {
      await tx.used_assertions.count({ tenant_id: "t" });
      const [processes] = await other.query(
        "select id from information_schema.processlist where db = database() and id <> connection_id()",
      );
      for (const { id } of processes as { id: number }[]) await other.query("kill ?", [id]).catch(() => {});
      await tx.used_assertions.count({ tenant_id: "t" });
    });
    await expect(interrupted).rejects.toMatchObject({ name: "UnavailableError" });
    await other.end();
    await expect.poll(() => data.collections.used_assertions.count({ tenant_id: "none" }).catch(() => undefined)).toBe(0);
  });

  test("sets session variables on each connection", async () => {
    const unsafe = await openDatabase(database.url, { sessionVariables: { sql_mode: "NO_BACKSLASH_ESCAPES" } });
    await expect(unsafe.check()).rejects.toThrow(/NO_BACKSLASH_ESCAPES/);
    await unsafe.close();
  });

  test("a pool of one connection serves transactions, statements and migrations", async () => {
    const one = mysqlAt(database.url, 1);
    await one.migrate();
    await one.check();
    await Promise.all(
      Array.from({ length: 8 }, () => one.transaction(async (tx) => expect(await tx.used_assertions.count({ tenant_id: "none" })).toBe(0))),
    );
    await one.close();
  });
});
