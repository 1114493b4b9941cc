import type { Collection, DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { newAccount } from "../../packages/core/src/identity/users/create-user.ts";
import { expectError, list, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { openService, type LoginService } from "../support/flow.ts";

const connection = "Username-Password-Authentication";
const users = "/api/v2/users";
const newestFirst = "sort=created_at:desc";
const encoded = encodeURIComponent;

/** The maximum size of a response if a user has at most 64 bytes of metadata: 100 times 64 bytes, plus 16 KiB. */
const smallestPageBytes = 1_644_800;

/** Metadata whose JSON has this number of bytes: `{"a":"é…"}`, with two bytes for each é. */
const metadataOf = (bytes: number) => ({ a: "é".repeat((bytes - 8) / 2) });

/** Inserts users whose metadata has this number of bytes, without validation. */
async function insertUsers({ data, clock }: LoginService, count: number, bytes: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const user_id = `auth0|big-${String(i).padStart(3, "0")}`;
    const account = newAccount({ name: connection, strategy: "auth0" }, clock.now() + 1 + i, { user_id }, "administrator");
    await data.collections.users.insert([{ ...account, tenant_id: "main", user_metadata: metadataOf(bytes) }]);
  }
}

/** A store that counts the user rows that it returns, and records the first user of each read after the first page. */
function countingRows(): { readonly data: DataAdapter; rows: number; readonly laterReads: string[] } {
  const inner = createMemoryAdapter({ strict: true });
  const users = inner.collections.users as unknown as Collection;
  const counted = {
    data: inner,
    rows: 0,
    laterReads: [] as string[],
  };
  const find: Collection["find"] = async (query) => {
    const rows = await users.find(query);
    counted.rows += rows.length;
    if (query.after !== undefined) counted.laterReads.push(String(rows[0]?.["user_id"]));
    return rows;
  };
  counted.data = { ...inner, collections: { ...inner.collections, users: { ...users, ...methodsOf(users), find } as never } };
  return counted;
}

function methodsOf(collection: Collection): Omit<Collection, "find"> {
  return {
    insert: (rows) => collection.insert(rows),
    count: (where, filter) => collection.count(where, filter),
    update: (where, change) => collection.update(where, change),
    delete: (where) => collection.delete(where),
    ...(collection.filters !== undefined && { filters: collection.filters }),
  };
}

test("limits the total metadata of a user, however it is written", async () => {
  const service = await openService({ limits: { userMetadataBytes: 1000 } });
  const { manage, ada, web, call, postern } = service;
  const withinLimit = { user_metadata: metadataOf(600), app_metadata: metadataOf(400) };
  const tooLarge = { user_metadata: metadataOf(602), app_metadata: metadataOf(400) };
  const error = /'user_metadata' is too large.*at most 1000 bytes together/;

  const created = await manage.create(users, { connection, email: "fits@example.test", ...withinLimit });
  expectError(await manage("POST", users, { connection, email: "large@example.test", ...tooLarge }), 400, "invalid_request", error);
  const own = `${users}/${encoded(ada.userId)}`;
  expectError(await manage("PATCH", own, tooLarge), 400, "invalid_request", error);
  expect(await manage("PATCH", own, withinLimit)).toMatchObject({ status: 200 });
  expectError(await manage("PATCH", own, { app_metadata: { more: "x" } }), 400, "invalid_request", /'app_metadata' is too large/);

  const sent = { client_id: web.clientId, connection, email: "new@example.test", password: "correct horse battery" };
  expectError(
    await call("POST", "/dbconnections/signup", { body: { ...sent, user_metadata: metadataOf(1002) } }),
    400,
    "invalid_request",
    /'user_metadata' is too large/,
  );

  const rejected: unknown[] = [];
  const counts = await postern.importUsers("main", [{ email: "imported@example.test", ...tooLarge }], {
    connection,
    onRejected: (_, faults) => void rejected.push(...faults),
  });
  expect([counts.failed, rejected]).toMatchObject([1, [{ message: expect.stringMatching(error) }]]);

  const organization = stringMember(await manage.create("/api/v2/organizations", { name: "acme" }), "id");
  const invitation = { inviter: { name: "Ann" }, invitee: { email: "x@example.test" }, client_id: web.clientId, ...tooLarge };
  expectError(await manage("POST", `/api/v2/organizations/${organization}/invitations`, invitation), 400, "invalid_request", error);
  expect(created["user_metadata"]).toEqual(withinLimit.user_metadata);
});

test("keeps metadata above the limit readable, and allows smaller metadata", async () => {
  const service = await openService();
  await insertUsers(service, 1, 900_000);
  const path = `${users}/${encoded("auth0|big-000")}`;
  const { manage } = service;
  expect(jsonBody(await manage("GET", path))["user_metadata"]).toEqual(metadataOf(900_000));
  expect(await manage("PATCH", path, { name: "Still here" })).toMatchObject({ status: 200 });
  expectError(await manage("PATCH", path, { user_metadata: { b: "x" } }), 400, "invalid_request", /'user_metadata' is too large/);
  expect(await manage("PATCH", path, { user_metadata: metadataOf(800_000) })).toMatchObject({ status: 200 });
  expect(await manage("PATCH", path, { user_metadata: metadataOf(60_000) })).toMatchObject({ status: 200 });
});

test("returns a page of 100 users at the metadata limit in both list styles", async () => {
  const service = await openService({ limits: { userMetadataBytes: 20_000 } });
  await insertUsers(service, 100, 20_000);
  const { manage } = service;
  const offset = list(await manage("GET", `${users}?per_page=100&${newestFirst}`));
  expect(offset).toHaveLength(100);
  const totals = jsonBody(await manage("GET", `${users}?per_page=100&${newestFirst}&include_totals=true`));
  expect([totals["total"], totals["length"]]).toEqual([102, 100]);
  const checkpoint = jsonBody(await manage("GET", `${users}?take=100&${newestFirst}`));
  expect(checkpoint["users"]).toEqual(offset);
  expect(
    jsonBody(await manage("GET", `${users}?take=100&${newestFirst}&from=${encoded(stringMember(checkpoint, "next"))}`))["users"],
  ).toHaveLength(2);
});

test("ends a checkpoint page early and rejects an offset page if the rows are too large for one response", async () => {
  const store = countingRows();
  const service = await openService({ data: store.data, limits: { userMetadataBytes: 64 } });
  await insertUsers(service, 60, 180_000);
  const { manage } = service;
  const ids: string[] = [];
  for (let next: string | undefined = "", pages = 0; next !== undefined && pages < 20; pages++) {
    store.rows = 0;
    const page = jsonBody(await manage("GET", `${users}?take=50${next && `&from=${encoded(next)}`}`));
    const items = page["users"] as readonly JsonBody[];
    expect(JSON.stringify(items).length).toBeLessThan(2 * smallestPageBytes);
    expect(store.rows).toBeLessThanOrEqual(25);
    ids.push(...items.map((item) => stringMember(item, "user_id")));
    next = typeof page["next"] === "string" ? page["next"] : undefined;
  }
  expect(ids).toHaveLength(62);
  expect(new Set(ids).size).toBe(62);

  for (const totals of ["", "&include_totals=true"]) {
    store.rows = 0;
    const rejectedPage = await manage("GET", `${users}?per_page=50${totals}`);
    expectError(rejectedPage, 400, "invalid_request", /larger than 1644800 bytes.*'take'.*'fields'/);
    expect(store.rows).toBeLessThanOrEqual(25);
  }
  // Members that `fields` leaves out do not count.
  expect(list(await manage("GET", `${users}?per_page=50&fields=user_id,name`))).toHaveLength(50);
  expect(list(await manage("GET", `${users}?per_page=50&fields=user_metadata&include_fields=false`))).toHaveLength(50);
});

test("limits a response to 8,192,000 bytes by default", async () => {
  const service = await openService();
  await insertUsers(service, 10, 900_000);
  const { manage } = service;
  expectError(await manage("GET", `${users}?per_page=10&${newestFirst}`), 400, "invalid_request", /larger than 8192000 bytes/);
  expect(list(await manage("GET", `${users}?per_page=9&${newestFirst}`))).toHaveLength(9);
});

test("limits the pages of other lists in the same way", async () => {
  const service = await openService({ limits: { userMetadataBytes: 64 } });
  const { manage, data } = service;
  await manage.create("/api/v2/organizations", { name: "acme" });
  const [acme] = await data.collections.organizations.find({ where: { tenant_id: "main", name: "acme" }, limit: 1 });
  if (acme === undefined) throw new Error("the organization was not created");
  const rows = Array.from({ length: 5 }, (_, i) => ({ ...acme, id: `org_${i}`, name: `large-${i}`, metadata: { a: "x".repeat(500_000) } }));
  await data.collections.organizations.insert(rows);
  expectError(await manage("GET", "/api/v2/organizations?per_page=6"), 400, "invalid_request", /'take'/);
  const page = jsonBody(await manage("GET", "/api/v2/organizations?take=6&sort=name:desc"));
  expect(page["organizations"]).toHaveLength(3);
});

test("builds large responses one after the other, and a small response of another tenant does not wait for all of them", async () => {
  const store = countingRows();
  const service = await openService({ data: store.data });
  await insertUsers(service, 100, 65_532);
  const [main, other] = [await service.token("main"), await service.token("other")];
  const finished: string[] = [];
  const read = async (size: string, path: string, token: string): Promise<void> => {
    expect(await service.call("GET", path, { token })).toMatchObject({ status: 200 });
    finished.push(size);
  };
  const large = Array.from({ length: 4 }, () => read("large", `${users}?per_page=100`, main));
  await Promise.all([...large, read("small", `${users}?per_page=1`, other)]);
  expect(finished.at(-1)).toBe("large");

  // Only the first page of rows is read before a response waits for the others.
  const readsOfOneResponse = store.laterReads.slice(0, store.laterReads.length / 4);
  expect(readsOfOneResponse.length).toBeGreaterThan(5);
  expect(new Set(readsOfOneResponse).size).toBe(readsOfOneResponse.length);
  expect(store.laterReads).toEqual([readsOfOneResponse, readsOfOneResponse, readsOfOneResponse, readsOfOneResponse].flat());
});
