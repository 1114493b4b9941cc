import { isPosternError, type Postern } from "@postern/core";
import type { ListCheckpoint, Session, User } from "@postern/core/api";
import { beforeEach, expect, expectTypeOf, test } from "vitest";
import { managerOf, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

const connection = "Username-Password-Authentication";

let service: TestPostern;
let postern: Postern;
let manage: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  ({ postern } = service);
  manage = await managerOf(service);
});

/** Returns the code and the message of the error that a call rejects with. */
async function refusalOf(call: Promise<unknown>): Promise<readonly [code: string, message: string]> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isPosternError(error)) throw new Error(`the call must reject with a PosternError: ${String(error)}`);
  return [error.code, error.message];
}

test("the HTTP API returns resources that the in-process API created, in the same shape", async () => {
  const { users } = postern.tenant("main");
  const created = await users.create({ connection, email: "ada@example.test", password: "correct horse battery", user_metadata: { a: 1 } });
  expectTypeOf(created).toEqualTypeOf<User>();
  expect((await manage("GET", `/api/v2/users/${encodeURIComponent(created.user_id)}`)).body).toEqual(created);

  expect(await users.get(created.user_id)).toEqual(created);
  expect((await users.update(created.user_id, { name: "Ada" })).name).toBe("Ada");
  expect(await users.list({ q: "email:ada@example.test" })).toMatchObject([{ name: "Ada" }]);
  expect(await users.list({ per_page: 1, include_totals: true })).toMatchObject({ total: 1, length: 1, limit: 1 });
  expect(await users.list({ take: 1 })).toMatchObject({ users: [{ name: "Ada" }] });
  expect(await users.delete(created.user_id)).toBeUndefined();
  expect(await refusalOf(users.get(created.user_id))).toEqual(["not_found", "The user does not exist."]);
});

test("the type of a list depends on its query", async () => {
  const { users } = postern.tenant("main");
  expectTypeOf(await users.list()).toEqualTypeOf<readonly User[]>();
  expectTypeOf(await users.list({ q: "name:Ada", per_page: 5 })).toEqualTypeOf<readonly User[]>();
  expectTypeOf((await users.list({ include_totals: true })).total).toEqualTypeOf<number>();
  expectTypeOf((await users.list({ take: 5 })).next).toEqualTypeOf<string | undefined>();

  const { user_id: id } = await users.create({ connection, email: "ada@example.test", password: "correct horse battery" });
  expectTypeOf((await users.sessions.list(id)).sessions).toEqualTypeOf<readonly Session[]>();
  expectTypeOf((await users.sessions.list(id, { include_totals: true })).total).toEqualTypeOf<number>();
  expectTypeOf(await users.sessions.list(id, { per_page: 5 })).not.toExtend<ListCheckpoint>();

  const unknownShape: { readonly take?: number } = {};
  expectTypeOf(await users.list(unknownShape)).not.toExtend<readonly User[]>();
  // @ts-expect-error: a misspelled member does not compile.
  expect((await refusalOf(users.list({ per_pag: 5 })))[0]).toBe("invalid_request");
});

test("any text that is passed as an id is one path segment, and cannot reach another operation", async () => {
  const { users, organizations } = postern.tenant("main");
  for (const id of ["a/b", "auth0|ä?#%", "%2e%2e", "../clients", "x/../../clients"]) {
    expect(await refusalOf(users.get(id)), id).toEqual(["not_found", "The user does not exist."]);
  }
  for (const id of [".", "..", "", "\uD800", undefined, 7]) {
    expect((await refusalOf(users.delete(id as string)))[0], String(id)).toBe("invalid_request");
  }
  const organization = await organizations.create({ name: "acme" });
  expect(await organizations.getByName("acme")).toEqual(organization);
});

test("arguments are validated as in the route, and the error names the field", async () => {
  const { users, clients } = postern.tenant("main");
  expect(await refusalOf(users.create({ connection, email: "no address", password: "x" }))).toEqual([
    "invalid_request",
    expect.stringContaining("'email'"),
  ]);
  expect(await refusalOf(users.list({ per_page: 101 }))).toEqual(["invalid_request", expect.stringContaining("'per_page'")]);
  expect(await refusalOf(clients.create({ name: "A", nonsense: true } as { name: string }))).toEqual([
    "invalid_request",
    expect.stringContaining("'nonsense'"),
  ]);
  const endless: { self?: object } = {};
  endless.self = endless;
  expect(await refusalOf(users.create({ connection, user_metadata: { endless } }))).toEqual([
    "invalid_request",
    "body: cannot be converted to JSON",
  ]);
  // A member that is `undefined` counts as missing, as in JSON.
  expect(await clients.create({ name: "Web", description: undefined })).toMatchObject({ name: "Web" });
});

test("calls for one tenant see no data of another, and an unknown tenant responds with not_found", async () => {
  const { user_id: userId } = await postern
    .tenant("main")
    .users.create({ connection, email: "ada@example.test", password: "correct horse battery" });
  expect((await refusalOf(postern.tenant("other").users.get(userId)))[0]).toBe("not_found");
  expect(await postern.tenant("other").users.list()).toEqual([]);
  expect(await refusalOf(postern.tenant("nowhere").users.list())).toEqual(["not_found", "the tenant 'nowhere' does not exist"]);
});

test("a caller with limited scopes cannot use other scopes or grant permissions that it lacks", async () => {
  const reader = postern.tenant("main", { scopes: ["read:users", "update:users"] });
  expect(await reader.users.list()).toEqual([]);
  expect((await refusalOf(reader.users.create({ connection, email: "a@example.test", password: "correct horse battery" })))[0]).toBe(
    "insufficient_scope",
  );
  const { user_id: userId } = await postern
    .tenant("main")
    .users.create({ connection, email: "a@example.test", password: "correct horse battery" });
  const permissions = [{ resource_server_identifier: `${postern.issuer}api/v2/`, permission_name: "delete:users" }];
  expect((await refusalOf(reader.users.permissions.add(userId, { permissions })))[0]).toBe("insufficient_scope");
  await postern.tenant("main").users.permissions.add(userId, { permissions });
  expect(() => postern.tenant("main", { scopes: ["read:everything" as "read:users"] })).toThrow("'read:everything' is not a scope");
});

test("audit events contain the caller's name for changes and rejections, and no password", async () => {
  const nightly = postern.tenant("main", { name: "nightly import" });
  await nightly.users.create({ connection, email: "ada@example.test", password: "correct horse battery" });
  await refusalOf(nightly.users.create({ connection, email: "ada@example.test", password: "correct horse battery" }));
  service.clock.advance(10_000);
  const events = await postern.tenant("main").logs.list({ q: "type:sapi OR type:fapi", sort: "date:1" });
  expect(events.map(({ type, client_name: name }) => [type, name])).toEqual([
    ["sapi", "nightly import"],
    ["fapi", "nightly import"],
  ]);
  expect(JSON.stringify(events)).not.toContain("correct horse");
});

test("a result is a copy, so changing it does not change cached data", async () => {
  const api = postern.tenant("main");
  const [connectionOfMain] = (await api.connections.list()) as unknown as [{ name: string; options: { [name: string]: unknown } }];
  connectionOfMain.options["disable_signup"] = true;
  connectionOfMain.name = "changed";
  expect(await api.connections.list()).toMatchObject([{ name: connection }]);
});

test("the control plane can create and delete tenants and use them at once", async () => {
  const { tenants } = postern.tenant("main");
  await tenants.create({ id: "acme", name: "Acme" });
  await postern.tenant("acme").users.create({ connection, email: "ada@example.test", password: "correct horse battery" });
  expect(await tenants.delete("acme")).toEqual({ success: true });
  expect((await refusalOf(postern.tenant("acme").users.list()))[0]).toBe("not_found");
  expect((await refusalOf(postern.tenant("other").tenants.list()))[0]).toBe("forbidden");
});

test("the option `prefer` takes effect, and links use the host in the option `host`", async () => {
  const api = postern.tenant("main");
  const [first, second] = await Promise.all(
    ["ada@example.test", "bea@example.test"].map((email) => api.users.create({ connection, email, password: "correct horse battery" })),
  );
  if (first === undefined || second === undefined) throw new Error("no users");
  await api.users.identities.link(first.user_id, { provider: "auth0", user_id: second.user_id.split("|")[1] ?? "" });
  expect((await refusalOf(api.users.get(second.user_id)))[0]).toBe("not_found");
  expect(await postern.tenant("main", { prefer: "include-linked" }).users.get(second.user_id)).toMatchObject({ linked_to: first.user_id });

  await postern.seed({ tenantId: "main", domains: ["login.main.example"] });
  const body = { user_id: first.user_id };
  expect((await api.tickets.passwordChange.create(body)).ticket).toMatch(/^https:\/\/id\.example\.test\//);
  const named = postern.tenant("main", { host: "login.main.example" });
  expect((await named.tickets.passwordChange.create(body)).ticket).toMatch(/^https:\/\/login\.main\.example\//);
  expect((await refusalOf(postern.tenant("other", { host: "login.main.example" }).users.list()))[0]).toBe("invalid_request");
});
