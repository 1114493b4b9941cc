import { createAdapterCases } from "@postern/adapter-tests";
import { createPostern } from "@postern/core";
import { createSqliteAdapter } from "@postern/kysely";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { originalTable, tables, upgradeCustomers } from "./customers.ts";

const realmGrant = "http://auth0.com/oauth/grant-type/password-realm";

/** Creates an app's database with two customers, and adds Postern's tables and columns. */
async function openApp({ unique = true } = {}) {
  const database = new Database(":memory:");
  // The tests of the data contract insert the same email address more than once. Only the app requires it to be unique.
  database.exec(unique ? originalTable : originalTable.replace(" unique", ""));
  database.exec(
    "insert into customers (mail, full_name, plan) values ('Ada@example.test', 'Ada', 'gold'), ('bob@example.test', 'Bob', 'free')",
  );
  upgradeCustomers(database);
  const data = createSqliteAdapter({ database, tables, closes: true });
  await data.migrate();
  await data.check();
  return { database, data };
}

describe("the data contract", async () => {
  const { data } = await openApp({ unique: false });
  const openToClose = async () => (await openApp({ unique: false })).data;
  for (const { name, run } of createAdapterCases({ open: () => data, openToClose, collections: ["users"] })) test(name, run);
});

test("Postern finds, updates and signs in the app's customers, and the app reads the changes", async () => {
  const { database, data } = await openApp();
  const crypto = { secret: "0123456789abcdef0123456789abcdef" };
  const postern = createPostern({ issuer: "https://id.example.test/", data, crypto, defaultTenantId: "main" });
  await postern.seed({
    tenantId: "main",
    clients: [{ clientId: "app", settings: { name: "App", app_type: "native", grant_types: [realmGrant] } }],
  });
  const { users } = postern.tenant("main");

  expect((await users.list({ sort: "name:1" })).map(({ email, name, user_id: id }) => [email, name, id])).toEqual([
    ["ada@example.test", "Ada", "auth0|1"],
    ["bob@example.test", "Bob", "auth0|2"],
  ]);
  expect(await users.list({ q: "email:ada@example.test" })).toMatchObject([{ user_id: "auth0|1" }]);
  await users.update("auth0|1", { name: "Ada Lovelace", password: "Correct-horse-battery-7" });
  const signIn = (username: string): Promise<Response> =>
    postern.fetch(
      new Request("https://id.example.test/oauth/token", {
        method: "POST",
        body: new URLSearchParams({
          grant_type: realmGrant,
          realm: "Username-Password-Authentication",
          client_id: "app",
          username,
          password: "Correct-horse-battery-7",
        }),
      }),
    );
  expect([(await signIn("ADA@example.test")).status, (await signIn("bob@example.test")).status]).toEqual([200, 403]);
  expect(await users.get("auth0|1")).toMatchObject({ logins_count: 1 });
  const created = await users.create({
    connection: "Username-Password-Authentication",
    email: "grace@example.test",
    password: "Correct-horse-battery-7",
  });
  await expect(
    users.create({ connection: "Username-Password-Authentication", email: "BOB@example.test", password: "Correct-horse-battery-7" }),
  ).rejects.toThrow(/exists/);

  const rows = database.prepare("select mail, full_name, plan from customers order by id").all();
  expect(rows).toEqual([
    { mail: "ada@example.test", full_name: "Ada Lovelace", plan: "gold" },
    { mail: "bob@example.test", full_name: "Bob", plan: "free" },
    { mail: "grace@example.test", full_name: "grace@example.test", plan: "free" },
  ]);
  expect(database.prepare("select count(*) as n from postern_users").get()).toEqual({ n: 0 });
  await users.delete(created.user_id);
  expect(database.prepare("select count(*) as n from customers").get()).toEqual({ n: 2 });
  await postern.close();
  await data.close();
});

test("a customer that the app inserts becomes a user of Postern", async () => {
  const { database, data } = await openApp();
  const crypto = { secret: "0123456789abcdef0123456789abcdef" };
  const postern = createPostern({ issuer: "https://id.example.test/", data, crypto, defaultTenantId: "main" });
  await postern.seed({ tenantId: "main", clients: [] });
  const began = Math.floor(Date.now() / 1000) * 1000;
  database.exec("insert into customers (mail, full_name) values ('Carl@example.test', 'Carl')");
  const [carl] = await postern.tenant("main").users.list({ q: "email:carl@example.test" });
  expect(carl).toMatchObject({ user_id: "auth0|3", email: "carl@example.test", name: "Carl" });
  expect(Date.parse(String(carl?.created_at))).toBeGreaterThanOrEqual(began);
  await postern.close();
  await data.close();
});

test("data.check() rejects with an error that names the missing column", async () => {
  const { database } = await openApp();
  database.exec("alter table customers drop column last_ip");
  const data = createSqliteAdapter({ database, tables });
  await expect(data.check()).rejects.toThrow(/customers cannot hold its collection: .*last_ip/);
});

const invalidTables: readonly (readonly [tables: object, message: string])[] = [
  [{ people: { table: "customers" } }, "no collection 'people'"],
  [{ users: { table: "customers", columns: { mail: "email" } } }, "no field 'mail'"],
  [{ users: { table: "customers", columns: { email: "name" } } }, "'name' of 'customers' stands for two fields"],
  [{ users: { table: "customers", columns: { email: "mail", name: "mail" } } }, "'mail' of 'customers' stands for two fields"],
];
test.each(invalidTables)("rejects the tables %j", (invalid, message) => {
  expect(() => createSqliteAdapter({ database: new Database(":memory:"), tables: invalid })).toThrow(message);
});
