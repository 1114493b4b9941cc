import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { createPostern } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createSqliteAdapter } from "@postern/kysely";
import { createMemoryAdapter } from "@postern/memory";
import { createTestPostern } from "../support/postern.ts";

const person = { connection: "Username-Password-Authentication", email: "ada@example.test", password: "correct horse battery" };

test("where the audit log cannot be written the transaction is spoiled, though the call has its answer", async () => {
  const data = createMemoryAdapter({ strict: true });
  const { postern } = await createTestPostern({ data, logger: { log: () => {} } });
  const failing: DataAdapter = {
    collections: { ...data.collections, logs: { ...data.collections.logs, insert: () => Promise.reject(new Error("the disk is full")) } },
  };
  let answered = false;
  const done = postern.inTransaction(failing, async (inside) => {
    await inside.tenant("main").users.create(person);
    answered = true;
  });
  await expect(done).rejects.toMatchObject({ code: "server_error" });
  expect(answered).toBe(true);
});

test("what the host's function rejects with comes before what spoiled the transaction", async () => {
  const data = createMemoryAdapter({ strict: true });
  const { postern } = await createTestPostern({ data, logger: { log: () => {} } });
  const failing: DataAdapter = {
    collections: { ...data.collections, users: { ...data.collections.users, insert: () => Promise.reject(new Error("the disk is full")) } },
  };
  const done = postern.inTransaction(failing, async (inside) => {
    await inside
      .tenant("main")
      .users.create(person)
      .catch(() => {});
    throw new Error("the host's own");
  });
  await expect(done).rejects.toThrow("the host's own");
});

test("with a database for each tenant there is no such transaction", async () => {
  const data = createMemoryAdapter();
  const postern = createPostern({
    issuer: "https://id.example.test/",
    data,
    crypto: { secret: "0123456789abcdef0123456789abcdef" },
    controlPlane: { tenantId: "main" },
    databaseIsolation: { getAdapters: () => createMemoryAdapter() },
  });
  const refused = postern.inTransaction(data, () => Promise.reject(new Error("not to be called")));
  await expect(refused).rejects.toMatchObject({ code: "configuration_error", message: expect.stringMatching(/databaseIsolation/) });
});

test("on SQLite it is the adapter's own transaction, for which others wait", async () => {
  const database = new Database(":memory:");
  const data = createSqliteAdapter({ database, closes: true });
  await data.migrate();
  const { postern } = await createTestPostern({ data });
  database.exec("create table profiles (user_id text primary key)");
  const signUp = (email: string, fails: boolean) =>
    data.transaction((collections) =>
      postern.inTransaction({ collections }, async (inside) => {
        const user = await inside.tenant("main").users.create({ ...person, email });
        await expect(inside.tenant("main").users.create({ ...person, email })).rejects.toMatchObject({ code: "conflict" });
        database.prepare("insert into profiles values (?)").run(user.user_id);
        if (fails) throw new Error("the host's own");
      }),
    );
  const undone = expect(signUp("grace@example.test", true)).rejects.toThrow("the host's own");
  const beside = postern.tenant("main").users.create({ ...person, email: "edsger@example.test" });
  await Promise.all([undone, beside, signUp("ada@example.test", false)]);
  const users = await postern.tenant("main").users.list({ sort: "email:1" });
  expect(users.map(({ email }) => email)).toEqual(["ada@example.test", "edsger@example.test"]);
  expect(database.prepare("select * from profiles").all()).toHaveLength(1);
  await data.close();
});
