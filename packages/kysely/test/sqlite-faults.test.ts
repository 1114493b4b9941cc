import Database from "better-sqlite3";
import { expect, test, vi } from "vitest";
import { createSqliteAdapter, type BetterSqliteDatabase } from "@postern/kysely";
import { row, untypedCollection } from "./rows.ts";

/** Wraps a database so that its next statements fail with the given codes. */
function failing(database: Database.Database) {
  const codes: string[] = [];
  const fail = (): void => {
    const code = codes.shift();
    if (code !== undefined) throw Object.assign(new Error("made to fail"), { code });
  };
  const wrapped: BetterSqliteDatabase = {
    pragma: (text) => database.pragma(text),
    close: () => database.close(),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        reader: statement.reader,
        all: (values: unknown[]) => (fail(), statement.all(values)),
        run: (values: unknown[]) => (fail(), statement.run(values)),
        iterate: (values: unknown[]) => statement.iterate(values),
        safeIntegers: (on) => statement.safeIntegers(on),
      };
    },
  };
  return { adapter: createSqliteAdapter({ database: wrapped }), codes };
}

async function opened() {
  const { adapter, codes } = failing(new Database(":memory:"));
  await adapter.migrate();
  return { adapter, codes, assertions: untypedCollection(adapter, "used_assertions") };
}

const assertion = (jti_hash: string) => row("used_assertions", { tenant_id: "t", jti_hash });

test("attempts a statement ten times if it conflicts with another statement", async () => {
  const { codes, assertions } = await opened();
  codes.push("SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT");
  expect(await assertions.insert([assertion("a")])).toBe(true);
  codes.push(...Array.from({ length: 10 }, () => "SQLITE_BUSY"));
  await expect(assertions.count({ tenant_id: "t" })).rejects.toMatchObject({ name: "UnavailableError" });
  expect(codes).toEqual([]);
});

test("retries an insert of several statements as a whole", async () => {
  const { codes, assertions } = await opened();
  // Three rows are inserted by two statements, one with two rows and one with one row, between begin and commit.
  codes.push(...["", "", "SQLITE_BUSY"].filter(Boolean));
  expect(await assertions.insert(["a", "b", "c"].map(assertion))).toBe(true);
  expect(await assertions.insert(["d", "e", "a"].map(assertion))).toBe(false);
  expect(await assertions.count({ tenant_id: "t" })).toBe(3);
});

test("does not retry a statement that waited a second for its lock", async () => {
  const { codes, assertions } = await opened();
  const now = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(1500);
  codes.push("SQLITE_BUSY", "SQLITE_BUSY");
  await expect(assertions.count({ tenant_id: "t" })).rejects.toMatchObject({ name: "UnavailableError" });
  now.mockRestore();
  expect(codes).toEqual(["SQLITE_BUSY"]);
});

test("reports a full disk as unavailable without a retry, and rethrows other errors unchanged", async () => {
  const { codes, assertions } = await opened();
  codes.push("SQLITE_FULL");
  await expect(assertions.insert([assertion("a")])).rejects.toMatchObject({ name: "UnavailableError", cause: { code: "SQLITE_FULL" } });
  codes.push("SQLITE_CORRUPT");
  await expect(assertions.insert([assertion("a")])).rejects.toMatchObject({ code: "SQLITE_CORRUPT" });
});

test("rejects an aborted transaction even if the caller caught the error", async () => {
  const { adapter, codes } = await opened();
  const work = adapter.transaction(async (tx) => {
    const inside = untypedCollection({ collections: tx }, "used_assertions");
    await inside.insert([assertion("a")]);
    codes.push("SQLITE_BUSY");
    await inside.insert([assertion("b")]).catch(() => {});
    await expect(inside.insert([assertion("c")])).rejects.toMatchObject({ name: "UnavailableError" });
    return "done";
  });
  await expect(work).rejects.toMatchObject({ name: "UnavailableError" });
  expect(await untypedCollection(adapter, "used_assertions").count({ tenant_id: "t" })).toBe(0);
});

test("does not affect the host's own queries on the same database", async () => {
  const database = new Database(":memory:").defaultSafeIntegers(true);
  const adapter = createSqliteAdapter({ database });
  await adapter.migrate();
  await untypedCollection(adapter, "used_assertions").insert([assertion("a")]);
  expect(await untypedCollection(adapter, "used_assertions").find({ where: { tenant_id: "t" }, limit: 1 })).toEqual([assertion("a")]);
  expect(database.prepare("select 1 as one").get()).toEqual({ one: 1n });
  await adapter.close();
  expect(database.open).toBe(true);
});

test("runs a statement outside of an open transaction after that transaction ends", async () => {
  const { adapter, assertions } = await opened();
  let beside: Promise<boolean> | undefined;
  const work = adapter.transaction(async (tx) => {
    await untypedCollection({ collections: tx }, "used_assertions").insert([assertion("inside")]);
    beside = assertions.insert([assertion("beside")]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error("undone");
  });
  await expect(work).rejects.toThrow("undone");
  expect(await beside).toBe(true);
  expect((await assertions.find({ where: { tenant_id: "t" }, limit: 10 })).map(({ jti_hash }) => jti_hash)).toEqual(["beside"]);
});
