import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { createPostern } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createSqliteAdapter } from "@postern/kysely";
import { createMemoryAdapter } from "@postern/memory";
import { createTestPostern } from "../support/postern.ts";

const newUser = { connection: "Username-Password-Authentication", email: "ada@example.test", password: "correct horse battery" };

test("a transaction rejects if the audit event cannot be written, although the call succeeded", async () => {
  const data = createMemoryAdapter({ strict: true });
  const { postern } = await createTestPostern({ data, logger: { log: () => {} } });
  const failing: DataAdapter = {
    collections: { ...data.collections, logs: { ...data.collections.logs, insert: () => Promise.reject(new Error("the disk is full")) } },
  };
  let succeeded = false;
  const done = postern.inTransaction(failing, async (inside) => {
    await inside.tenant("main").users.create(newUser);
    succeeded = true;
  });
  await expect(done).rejects.toMatchObject({ code: "server_error" });
  expect(succeeded).toBe(true);
});

test("an error of the host's function takes precedence over the error of a failed call", async () => {
  const data = createMemoryAdapter({ strict: true });
  const { postern } = await createTestPostern({ data, logger: { log: () => {} } });
  const failing: DataAdapter = {
    collections: { ...data.collections, users: { ...data.collections.users, insert: () => Promise.reject(new Error("the disk is full")) } },
  };
  const done = postern.inTransaction(failing, async (inside) => {
    await inside
      .tenant("main")
      .users.create(newUser)
      .catch(() => {});
    throw new Error("the host's own");
  });
  await expect(done).rejects.toThrow("the host's own");
});

test("inTransaction is rejected if tenants have separate databases", async () => {
  const data = createMemoryAdapter();
  const postern = createPostern({
    issuer: "https://id.example.test/",
    data,
    crypto: { secret: "0123456789abcdef0123456789abcdef" },
    controlPlane: { tenantId: "main" },
    databaseIsolation: { getAdapters: () => createMemoryAdapter() },
  });
  const rejected = postern.inTransaction(data, () => Promise.reject(new Error("not to be called")));
  await expect(rejected).rejects.toMatchObject({ code: "configuration_error", message: expect.stringMatching(/databaseIsolation/) });
});

test("on SQLite, inTransaction joins the transaction of the adapter, and other writes wait", async () => {
  const database = new Database(":memory:");
  const data = createSqliteAdapter({ database, closes: true });
  await data.migrate();
  const { postern } = await createTestPostern({ data });
  database.exec("create table profiles (user_id text primary key)");
  const signUp = (email: string, fails: boolean) =>
    data.transaction((collections) =>
      postern.inTransaction({ collections }, async (inside) => {
        const user = await inside.tenant("main").users.create({ ...newUser, email });
        await expect(inside.tenant("main").users.create({ ...newUser, email })).rejects.toMatchObject({ code: "conflict" });
        database.prepare("insert into profiles values (?)").run(user.user_id);
        if (fails) throw new Error("the host's own");
      }),
    );
  const rolledBack = expect(signUp("grace@example.test", true)).rejects.toThrow("the host's own");
  const concurrent = postern.tenant("main").users.create({ ...newUser, email: "edsger@example.test" });
  await Promise.all([rolledBack, concurrent, signUp("ada@example.test", false)]);
  const users = await postern.tenant("main").users.list({ sort: "email:1" });
  expect(users.map(({ email }) => email)).toEqual(["ada@example.test", "edsger@example.test"]);
  expect(database.prepare("select * from profiles").all()).toHaveLength(1);
  await data.close();
});
