import type { AdapterReport } from "@postern/adapter-tests";
import { schema, storedFields, type AnyRow, type Filter } from "@postern/core/adapter";
import { createD1Adapter, type D1Database, type D1Statement } from "@postern/kysely/d1";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { during } from "../../packages/kysely/test/databases.ts";
import { answersLikeCore } from "../../packages/kysely/test/reference.ts";
import { row, untypedCollection } from "../../packages/kysely/test/rows.ts";
import { bundleFile } from "./support/bundled.ts";
import { tryRegistry } from "./support/from-registry.ts";
import { installMiniflare, modern } from "./support/miniflare.ts";

const miniflare = await tryRegistry("Miniflare", installMiniflare);
const bindings = ["answers", "rows", "at-once", "broken", "wrangler", "default-wrangler", "faults"];

describe.skipIf("absent" in miniflare)(`D1 in Miniflare${"absent" in miniflare ? `: ${miniflare.absent}` : ""}`, () => {
  if ("absent" in miniflare) return test("is not installed", () => {});
  const { start } = miniflare.value;
  const folder = mkdtempSync(join(tmpdir(), "postern-d1-"));
  const worker = start({ modules: true, script: "export default {}", d1Databases: bindings });
  afterAll(async () => {
    await worker.dispose();
    rmSync(folder, { recursive: true });
  });
  const database = (name: string): Promise<D1Database> => worker.getD1Database(name);
  const adapterOf = async (name: string) => createD1Adapter({ database: await database(name) });

  test("fulfils the whole data contract in a Worker", async () => {
    const script = join(folder, "contract.mjs");
    await bundleFile(join(import.meta.dirname, "support/d1-contract-worker.ts"), script);
    const inside = start({ ...modern, modules: true, script: readFileSync(script, "utf8"), d1Databases: ["DB"] });
    const answer = await fetch(await inside.ready);
    const { results, text } = (await answer.json()) as Pick<AdapterReport, "results" | "text">;
    await inside.dispose();
    expect(results.length).toBeGreaterThan(200);
    expect(
      results.filter(({ outcome }) => outcome !== "passed" && outcome !== "skipped"),
      text,
    ).toEqual([]);
    const reasons = results.filter(({ outcome }) => outcome === "skipped").map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(["the adapter has no transactions"]));
  });

  // D1 uses the SQLite dialect, whose own tests run all queries.
  answersLikeCore(
    during(() => adapterOf("answers")),
    50,
  );

  describe("inserts of several rows", () => {
    const openRows = during(() => adapterOf("rows"));
    const users = () => untypedCollection(openRows(), "users");
    const userRows = (tenant_id: string): AnyRow[] =>
      Array.from({ length: 40 }, (_, i) => row("users", { tenant_id, user_id: `auth0|${i}`, connection: "c", email: `${i}@example.test` }));

    test("are split into statements within D1's limit of bound values", async () => {
      const on = await database("rows");
      const texts: string[] = [];
      const prepare = (text: string): D1Statement => (texts.push(text), on.prepare(text));
      const recorded = createD1Adapter({ database: { prepare, batch: (all) => on.batch(all) } });
      expect(await untypedCollection(recorded, "users").insert(userRows("many"))).toBe(true);
      expect(texts.map((text) => text.split("?").length - 1)).toEqual(Array.from({ length: 20 }, () => 88));
      const found = await users().find({ where: { tenant_id: "many" }, limit: 100 });
      expect(found.map(({ user_id: id }) => String(id)).toSorted()).toEqual(
        userRows("many")
          .map(({ user_id: id }) => String(id))
          .toSorted(),
      );
    });

    test("insert nothing if a row in the middle conflicts", async () => {
      const [existing] = userRows("middle").slice(24);
      await users().insert([row("users", { ...existing })]);
      expect(await users().insert(userRows("middle"))).toBe(false);
      expect(await users().count({ tenant_id: "middle" })).toBe(1);
    });

    test("need at most 100 bound values for a row of any table", () => {
      for (const description of Object.values(schema)) expect(Object.keys(storedFields(description)).length).toBeLessThanOrEqual(100);
    });
  });

  describe("more values than D1 binds in a statement", () => {
    const open = during(() => adapterOf("rows"));
    const users = () => untypedCollection(open(), "users");
    const names = Array.from({ length: 50 }, (_, i) => `name "${i}" ?`);
    const where = { tenant_id: "values", name: { in: names }, nickname: { in: names }, logins_count: { lte: 2 ** 53 - 1 } };
    beforeEach(async () => {
      await users().delete({ tenant_id: "values" });
      const user = (user_id: string, name: string) =>
        row("users", { tenant_id: "values", user_id, name, nickname: name, logins_count: 2 ** 53 - 1 });
      await users().insert([user("a", 'name "7" ?'), user("b", "name 7")]);
    });

    test("are accepted in a condition", async () => {
      expect(await users().find({ where, limit: 5 })).toMatchObject([{ user_id: "a", name: 'name "7" ?' }]);
      expect(await users().update(where, { set: { name: "é?", blocked: true, picture: null } })).toBe(1);
      expect(await users().find({ where: { tenant_id: "values", user_id: "a" }, limit: 1 })).toMatchObject([
        { name: "é?", blocked: true, picture: null, nickname: 'name "7" ?' },
      ]);
      expect(await users().delete(where)).toBe(0);
    });

    test("are accepted in the longest and in the deepest search filter", async () => {
      const leaf = (i: number): Filter => ({ field: "app_metadata", path: ["a", "b"], op: "prefix", value: `${i}` });
      const long: Filter = { or: [...Array.from({ length: 99 }, (_, i) => leaf(i)), { field: "name", op: "eq", value: "name 7" }] };
      const deep = Array.from({ length: 15 }).reduce<Filter>((inner, _, i) => ({ not: { or: [leaf(i), inner] } }), long);
      for (const filter of [long, { not: deep }]) {
        expect(await users().find({ where: { tenant_id: "values" }, filter, limit: 5 })).toMatchObject([{ user_id: "b" }]);
      }
    });
  });

  describe("migrations", () => {
    const folder = join(import.meta.dirname, "../../packages/kysely/src/migrations/sqlite");
    const names = readdirSync(folder)
      .map((file) => file.replace(/\.sql$/, ""))
      .toSorted();
    const statements = (file: string): string[] =>
      readFileSync(join(folder, file), "utf8")
        .replaceAll(/^--.*$/gm, "")
        .split(/;\n/)
        .map((text) => text.trim())
        .filter((text) => text !== "");
    const run = (on: D1Database, texts: readonly string[]) => on.batch(texts.map((text) => on.prepare(text)));
    /** Does what `wrangler d1 migrations apply` does. */
    const byWrangler = (on: D1Database, record: string) =>
      run(on, [
        `create table ${record} (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)`,
        ...names.flatMap((name) => [...statements(`${name}.sql`), `insert into ${record} (name) values ('${name}.sql')`]),
      ]);

    test("run in one of four concurrent calls, and the others find nothing to do", async () => {
      const adapters = await Promise.all(Array.from({ length: 4 }, () => adapterOf("at-once")));
      expect(await adapters[0]?.pending()).toEqual(names);
      const applied = await Promise.all(adapters.map((data) => data.migrate()));
      expect(applied.flatMap((each) => each.applied)).toEqual(names);
      await Promise.all(adapters.map((data) => data.check()));
      expect(await adapters[0]?.pending()).toEqual([]);
    });

    test("leave nothing behind if one fails", async () => {
      const on = await database("broken");
      await run(on, ["create table postern_logs (unrelated text)"]);
      const data = createD1Adapter({ database: on });
      await expect(data.migrate()).rejects.toThrow("Migration 0001_initial failed");
      const { results } = await on.prepare("select name from sqlite_master where type = 'table' and name like 'postern%'").all();
      expect(results).toEqual([{ name: "postern_logs" }]);
      await expect(data.check()).rejects.toThrow(/^table postern_tenants, .* more are missing in the database/);
    });

    test("that wrangler applied count as applied, and missing ones are left to wrangler", async () => {
      const on = await database("wrangler");
      await byWrangler(on, "postern_d1_migrations");
      const data = createD1Adapter({ database: on });
      await data.check();
      expect([await data.pending(), await data.migrate()]).toEqual([[], { applied: [] }]);
      await run(on, ["update postern_d1_migrations set name = '0000_older.sql' where name = '0001_initial.sql'"]);
      await expect(data.check()).rejects.toThrow(/^Migration 0001_initial has not run/);
      await expect(data.migrate()).rejects.toThrow(/wrangler migrates this database .*run wrangler d1 migrations apply$/);
    });

    test("that wrangler recorded in its default table pass the check", async () => {
      const on = await database("default-wrangler");
      await byWrangler(on, "d1_migrations");
      await createD1Adapter({ database: on }).check();
    });
  });

  describe("errors", () => {
    const errors: string[] = [];
    /** Wraps a database so that its next statements fail with `messages`. */
    const withErrors = (on: D1Database): D1Database => {
      const orFail = <T>(run: () => Promise<T>): Promise<T> => {
        const message = errors.shift();
        return message === undefined ? run() : Promise.reject(new Error(message));
      };
      const originals = new Map<D1Statement, D1Statement>();
      const wrapped = (statement: D1Statement): D1Statement => {
        const outside: D1Statement = {
          bind: (...values) => wrapped(statement.bind(...values)),
          all: () => orFail(() => statement.all()),
        };
        originals.set(outside, statement);
        return outside;
      };
      const batch = (all: D1Statement[]) => orFail(() => on.batch(all.map((each) => originals.get(each) ?? each)));
      return { prepare: (text) => wrapped(on.prepare(text)), batch };
    };
    const open = during(async () => {
      const on = await database("faults");
      await createD1Adapter({ database: on }).migrate();
      return createD1Adapter({ database: withErrors(on) });
    });
    beforeEach(() => void errors.splice(0));
    const count = () => untypedCollection(open(), "users").count({ tenant_id: "t" });

    test.for([
      "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
      "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
    ])("retries twice, then throws UnavailableError: %s", async (message) => {
      errors.push(message, message);
      expect(await count()).toBe(0);
      errors.push(message, message, message, "not reached");
      await expect(count()).rejects.toMatchObject({ name: "UnavailableError", cause: { message } });
      expect(errors).toEqual(["not reached"]);
    });

    test.for([
      "Network connection lost.",
      "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
      "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
      "D1_ERROR: D1 DB reset because its code was updated.",
      "D1_ERROR: Exceeded maximum DB size.",
    ])("throws UnavailableError without a retry, because the write may have been applied: %s", async (message) => {
      errors.push(message, "not reached");
      await expect(count()).rejects.toMatchObject({ name: "UnavailableError", cause: { message } });
      expect(errors).toEqual(["not reached"]);
    });

    test("retries a batch as a whole, and does not wrap programming errors", async () => {
      const roles = untypedCollection(open(), "roles");
      errors.push("D1_ERROR: D1 DB is overloaded. Too many requests queued.");
      const newRoles = Array.from({ length: 20 }, (_, i) => row("roles", { tenant_id: "t", id: `${i}`, name: `${i}` }));
      expect(await roles.insert(newRoles)).toBe(true);
      errors.push("D1_ERROR: no such table: postern_roles: SQLITE_ERROR");
      await expect(roles.count({ tenant_id: "t" })).rejects.toThrow(/^D1_ERROR: no such table/);
      expect(await roles.count({ tenant_id: "t" })).toBe(20);
    });

    test("throws ConflictError for a duplicate key that D1 reports", async () => {
      const roles = untypedCollection(open(), "roles");
      await roles.insert(["a", "b"].map((id) => row("roles", { tenant_id: "keys", id, name: id })));
      await expect(roles.update({ tenant_id: "keys", id: "b" }, { set: { name: "a" } })).rejects.toMatchObject({ name: "ConflictError" });
    });

    test("offers no transactions", () => {
      expect(open()).not.toHaveProperty("transaction");
    });
  });
});
