import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sqlite } from "../src/dialects/sqlite.ts";
import { openNodeSqlite } from "../src/drivers/load.ts";
import { keepsTheSqliteContract } from "./sqlite-contract.ts";

describe("node:sqlite", () => keepsTheSqliteContract((path) => new DatabaseSync(path)));

test("rejects a file that must exist and does not, and does not create it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-kysely-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "with space.db");
  await expect(openNodeSqlite(file, true)).rejects.toThrow("unable to open database file");
  expect(existsSync(file)).toBe(false);
  (await openNodeSqlite(file, false)).close();
  (await openNodeSqlite(file, true)).close();
});

test("classifies a locked database as retry and a taken name as conflict", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-kysely-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [one, other] = [new DatabaseSync(join(folder, "data.db")), new DatabaseSync(join(folder, "data.db"))];
  const faultOf = (text: string): unknown => {
    try {
      // The statement is prepared, like the adapter's statements, because Deno reports error codes only for prepared
      // statements.
      other.prepare(text).run();
    } catch (error) {
      return sqlite.classifyError(error);
    }
    return "none";
  };
  one.exec("create table a (id text primary key); insert into a values ('x'); begin immediate");
  other.exec("pragma busy_timeout = 0");
  expect(faultOf("insert into a values ('y')")).toBe("retry");
  one.exec("commit");
  expect(faultOf("insert into a values ('x')")).toBe("conflict");
  expect(faultOf("insert into b values ('x')")).toBeUndefined();
  one.close();
  other.close();
});
