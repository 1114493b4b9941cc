import { ConflictError, schema, type DataAdapter } from "@postern/core/adapter";
import { expect, test } from "vitest";
import { createMemoryAdapter } from "../src/index.ts";
import { Table } from "../src/table.ts";

// adapter-tests/test/memory.test.ts tests the contract of all adapters. This file tests what is specific to this
// adapter.

const role = (id: string, name = id) => ({
  tenant_id: "t",
  id,
  name,
  description: "",
  name_folded: "",
  metadata: {},
  is_system: false,
  origin: null,
  revision: 1,
  created_at: 1,
  updated_at: 1,
  deleting_at: null,
});

const names = async (data: DataAdapter) =>
  (await data.collections.roles.find({ where: { tenant_id: "t" }, limit: 9 })).map(({ name }) => name);

test("stored rows are frozen copies", async () => {
  const { clients } = createMemoryAdapter().collections;
  const callbacks = ["https://one.example"];
  await clients.insert([
    {
      tenant_id: "t",
      client_id: "c",
      name: "",
      description: "",
      app_type: "",
      is_first_party: true,
      token_endpoint_auth_method: "",
      secret_hash: null,
      grant_types: [],
      callbacks,
      allowed_logout_urls: [],
      web_origins: [],
      allowed_origins: [],
      organization_usage: null,
      connections: null,
      may_administer: false,
      external_client_id: null,
      external_metadata_type: null,
      external_metadata_created_by: null,
      registration_token_hash: null,
      unused_since: null,
      consents_since: null,
      blocked_at: null,
      settings: JSON.parse('{"__proto__":{"a":1}}'),
      revision: 1,
      created_at: 1,
      updated_at: 1,
      deleting_at: null,
    },
  ]);
  callbacks.push("https://two.example");
  const [found] = await clients.find({ where: { tenant_id: "t", client_id: "c" }, limit: 1 });
  expect(found?.callbacks).toEqual(["https://one.example"]);
  expect(Object.isFrozen(found) && Object.isFrozen(found?.callbacks)).toBe(true);
  expect(JSON.stringify(found?.settings)).toBe('{"__proto__":{"a":1}}');
});

test("an update changes nothing if a later row causes a conflict", async () => {
  const data = createMemoryAdapter();
  await data.collections.roles.insert([role("1"), role("2"), role("3")]);
  const all = { tenant_id: "t", id: { in: ["1", "2"] } };
  await expect(data.collections.roles.update(all, { set: { name: "4" } })).rejects.toThrow(ConflictError);
  expect(await names(data)).toHaveLength(3);
  // The indexes contain the freed and the unchanged names as before.
  expect(await data.collections.roles.insert([role("5", "1")])).toBe(false);
  expect(await data.collections.roles.insert([role("5", "4")])).toBe(true);
});

test("rolls back a failed transaction, and makes calls from outside wait until it has ended", async () => {
  const data = createMemoryAdapter();
  await data.collections.roles.insert([role("1"), role("2")]);
  const failing = data.transaction?.(async (tx) => {
    await tx.roles.delete({ tenant_id: "t", id: "1" });
    await tx.roles.insert([role("3", "1")]);
    await tx.roles.update({ tenant_id: "t", id: "2" }, { set: { name: "two" } });
    throw new Error("no");
  });
  const outside = names(data);
  await expect(failing).rejects.toThrow("no");
  expect((await outside).toSorted()).toEqual(["1", "2"]);
  expect(await data.collections.roles.insert([role("3", "1")])).toBe(false);
});

test("runs transactions one after another", async () => {
  const data = createMemoryAdapter();
  const order: string[] = [];
  const turn = async (name: string): Promise<void> =>
    data.transaction?.(async (tx) => {
      order.push(`${name} begins`);
      await tx.roles.insert([role(name)]);
      order.push(`${name} ends`);
    });
  await Promise.all([turn("a"), turn("b")]);
  expect(order).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});

test("in strict mode, each method that takes a condition rejects a condition without an index", async () => {
  const { users } = createMemoryAdapter({ strict: true }).collections;
  const where = { tenant_id: "t", nickname: "n" };
  await expect(users.find({ where, limit: 1 })).rejects.toThrow("no index of users");
  await expect(users.count(where)).rejects.toThrow("no index of users");
  await expect(users.update(where, { set: { name: "" } })).rejects.toThrow("no index of users");
  await expect(users.delete(where)).rejects.toThrow("no index of users");
  await expect(createMemoryAdapter().collections.users.count(where)).resolves.toBe(0);
});

test("a query by key or unique key does not read other rows", () => {
  const table = new Table(schema.roles);
  const rows = [role("1", "one"), role("2", "two"), role("3", "three")];
  table.replace([], rows);
  expect(table.candidates({ tenant_id: "t", id: "2" })).toEqual([rows[1]]);
  expect(table.candidates({ tenant_id: "t", name: { in: ["three", "none"] } })).toEqual([rows[2]]);
  expect(table.candidates({ tenant_id: "t", origin: null })).toEqual(rows);
});
