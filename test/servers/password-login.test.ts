import Database from "better-sqlite3";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteAdapter, type SqlAdapter } from "@postern/kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countingHasher, createLogins, rightPassword, type CountingHasher, type Logins } from "../../packages/core/test/password-logins.ts";
import { mysqlAt, ownMysql, ownPostgres, postgresAt } from "../../packages/kysely/test/servers.ts";

/**
 * Password logins of two services on one database, each with its own connections. The limits of failed attempts must
 * hold across both processes.
 */
function limitsAttempts(open: () => SqlAdapter, drop: () => unknown): void {
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

  /** Attempts `count` logins in parallel, half of them at each service. @returns the number of attempts by outcome. */
  const tryAll = async (count: number, identifier: string, password: string): Promise<{ [kind: string]: number }> => {
    const attempts = Array.from({ length: count / 2 }, () => services.map((service) => service.login(identifier, password)));
    const kinds = (await Promise.all(attempts.flat())).map(({ kind }) => kind);
    return Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((other) => other === kind).length]));
  };

  test("verifies three of 50 parallel wrong passwords and throttles the rest", async () => {
    expect(await tryAll(50, "ann@example.com", "wrong")).toEqual({ "wrong-credentials": 3, throttled: 47 });
    expect(hashers.flatMap(({ verified }) => verified)).toHaveLength(3);
  });

  test("rejects three of 50 parallel logins with an unknown identifier as wrong and throttles the rest", async () => {
    expect(await tryAll(50, "unknown@example.com", "wrong")).toEqual({ "wrong-credentials": 3, throttled: 47 });
  });

  test("accepts eight parallel logins with the right password", async () => {
    expect(await tryAll(8, "bob@example.com", rightPassword)).toEqual({ "signed-in": 8 });
    const [user] = (await services[0]?.data.users.find({ where: { connection: "Users", email_key: "bob@example.com" }, limit: 1 })) ?? [];
    expect(user?.logins_count).toBe(8);
  });
}

describe("PostgreSQL", async () => {
  const database = await ownPostgres("password_login");
  limitsAttempts(() => postgresAt(database.url), database.drop);
});

describe("MariaDB or MySQL", async () => {
  const database = await ownMysql("password_login");
  limitsAttempts(() => mysqlAt(database.url), database.drop);
});

describe("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-"));
  limitsAttempts(
    () => createSqliteAdapter({ database: new Database(join(folder, "test.db")), closes: true }),
    () => rmSync(folder, { recursive: true }),
  );
});
