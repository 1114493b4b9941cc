import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, expect, test } from "vitest";
import type { Collection } from "./contract.ts";
import { findByIds, splitIntoParts, readAllByIds } from "./by-ids.ts";
import { schema, type Row } from "./schema.ts";
import { tenantData, type TenantData } from "./tenant-data.ts";

let data: TenantData;

/** Ids for more than two parts, of which the last is incomplete. */
const ids = Array.from({ length: 120 }, (_, number) => `usr_${number}`);

beforeEach(async () => {
  data = tenantData(createMemoryAdapter({ strict: true }).collections, "a");
  await data.organization_members.insert(ids.map((id) => member("org_1", id)));
  await data.consents.insert(ids.map((id) => consent(id)));
});

const member = (organization: string, user: string) => ({ organization_id: organization, user_id: user, created_at: 0 });

const consent = (id: string): Row<"consents"> => ({
  id,
  user_id: "usr_1",
  client_id: id,
  audience: "",
  audience_hash: "",
  scope: [],
  may_act: false,
  revision: 0,
  created_at: 0,
  updated_at: 0,
});

test("splits a list into parts of 50", () => {
  expect(splitIntoParts(ids).map((part) => part.length)).toEqual([50, 50, 20]);
  expect(splitIntoParts(ids).flat()).toEqual(ids);
  expect(splitIntoParts(ids.slice(0, 100)).map((part) => part.length)).toEqual([50, 50]);
});

test("returns rows in the order of the ids, each once, and ignores unknown ids", async () => {
  // Without an order, a store may return the rows in any order.
  const store: Pick<Collection<Row<"consents">>, "find"> = { find: async (query) => (await data.consents.find(query)).toReversed() };
  const found = await findByIds(store, "id", ["gone", ...ids, "usr_7", "usr_7"]);
  expect(found.map(({ id }) => id)).toEqual(ids);
});

test("reads the remaining parts after an incomplete page", async () => {
  for (let number = 0; number < 600; number++) await data.organization_members.insert([member(`org_${number + 2}`, "usr_3")]);
  const order = schema.organization_members.key;
  const all = await readAllByIds(data.organization_members, order, "user_id", ids);
  expect(all).toHaveLength(720);
  const inOne = await readAllByIds(data.organization_members, order, "user_id", ids, { organization_id: "org_1" });
  expect(inOne.map(({ user_id: id }) => id).toSorted()).toEqual(ids.toSorted());
});

test("sends no query without ids", async () => {
  const failing: Pick<Collection<Row<"consents">>, "find"> = { find: () => Promise.reject(new Error("unexpected query")) };
  expect(await findByIds(failing, "id", [])).toEqual([]);
  expect(await readAllByIds({ ...data.consents, ...failing }, schema.consents.key, "id", [])).toEqual([]);
});
