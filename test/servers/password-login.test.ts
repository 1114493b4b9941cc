import Database from "better-sqlite3";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteAdapter, type SqlAdapter } from "@postern/kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countingHasher, createLogins, rightPassword, type CountingHasher, type Logins } from "../../packages/core/test/password-logins.ts";
import { mysqlAt, ownMysql, ownPostgres, postgresAt } from "../../packages/kysely/test/servers.ts";

/** Password logins of two services on one database, each with connections of its own: what one process promises, two must keep. */
function keepsCount(open: () => SqlAdapter, drop: () => unknown): void {
  const adapters: SqlAdapter[] = [];
  const hashers: CountingHasher[] = [];
  const services: Logins[] = [];

  beforeAll(async () => {
    for (let i = 0; i < 2; i++) {
      const adapter = open();
      if (i === 0) await adapter.migrate();
      const hasher = countingHasher();
      hasher.delay = 20;
      adapters.push(adapter);
      hashers.push(hasher);
      services.push(await createLogins(hasher, { collections: adapter.collections }));
    }
    for (const email of ["ann@example.com", "bob@example.com"]) await services[0]?.addUser({ email });
  });
  afterAll(async () => {
    for (const adapter of adapters) await adapter.close();
    await drop();
  });

  /** So many tries at once, half of them at each service. @returns how many had which answer. */
  const tryAll = async (count: number, identifier: string, password: string): Promise<{ [kind: string]: number }> => {
    const tries = Array.from({ length: count / 2 }, () => services.map((service) => service.login(identifier, password)));
    const kinds = (await Promise.all(tries.flat())).map(({ kind }) => kind);
    return Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((other) => other === kind).length]));
  };

  test("of 50 wrong passwords three are evaluated", async () => {
    expect(await tryAll(50, "ann@example.com", "wrong")).toEqual({ "wrong-credentials": 3, throttled: 47 });
    expect(hashers.flatMap(({ verified }) => verified)).toHaveLength(3);
  });

  test("of 50 with an unknown identifier three are answered as wrong", async () => {
    expect(await tryAll(50, "nobody@example.com", "wrong")).toEqual({ "wrong-credentials": 3, throttled: 47 });
  });

  test("of eight right passwords all succeed", async () => {
    expect(await tryAll(8, "bob@example.com", rightPassword)).toEqual({ "signed-in": 8 });
    const [user] = (await services[0]?.data.users.find({ where: { connection: "Users", email_key: "bob@example.com" }, limit: 1 })) ?? [];
    expect(user?.logins_count).toBe(8);
  });
}

describe("PostgreSQL", async () => {
  const database = await ownPostgres("password_login");
  keepsCount(() => postgresAt(database.url), database.drop);
});

describe("MariaDB or MySQL", async () => {
  const database = await ownMysql("password_login");
  keepsCount(() => mysqlAt(database.url), database.drop);
});

describe("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-"));
  keepsCount(
    () => createSqliteAdapter({ database: new Database(join(folder, "test.db")), closes: true }),
    () => rmSync(folder, { recursive: true }),
  );
});
