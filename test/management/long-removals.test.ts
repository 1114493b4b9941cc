import type { PasswordHasher } from "@postern/core";
import type { Collection, DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { expect, test } from "vitest";
import { newAccount } from "../../packages/core/src/identity/users/create-user.ts";
import { expectError, list, jsonBody, stringMember } from "../support/api.ts";
import { fakeHasher, openService, type LoginService } from "../support/flow.ts";

const crowdSize = 3000;
const slowTest = { timeout: 120_000 };

/**
 * The maximum number of statements and rows in one turn of the event loop. A chunk of 500 rows in parts of 50 needs
 * eleven statements.
 */
const maxStatements = 60;
const maxRows = 1100;

interface WatchedAdapter extends DataAdapter {
  /** The highest number of statements and of rows in one turn of the event loop since the last `reset`. */
  readonly most: { statements: number; rows: number };
  reset(): void;
}

/** Opens SQLite in this process and counts statements and rows per turn of the event loop. */
async function watchedSqlite(): Promise<WatchedAdapter> {
  const inner = await openDatabase("sqlite::memory:");
  await inner.migrate();
  const most = { statements: 0, rows: 0 };
  let turn = { statements: 0, rows: 0 };
  const tick = (): void => {
    turn = { statements: 0, rows: 0 };
    setImmediate(tick).unref();
  };
  tick();
  const counted = async <T>(run: () => Promise<T>, rowsOf: (result: T) => number): Promise<T> => {
    const during = turn;
    const result = await run();
    during.statements++;
    during.rows += rowsOf(result);
    most.statements = Math.max(most.statements, during.statements);
    most.rows = Math.max(most.rows, during.rows);
    return result;
  };
  const wrapped = (collection: Collection): Collection => ({
    ...(collection.filters !== undefined && { filters: collection.filters }),
    insert: (rows) =>
      counted(
        () => collection.insert(rows),
        () => rows.length,
      ),
    find: (query) =>
      counted(
        () => collection.find(query),
        (rows) => rows.length,
      ),
    count: (where, filter) =>
      counted(
        () => collection.count(where, filter),
        () => 1,
      ),
    update: (where, change) =>
      counted(
        () => collection.update(where, change),
        (rows) => rows,
      ),
    delete: (where) =>
      counted(
        () => collection.delete(where),
        (rows) => rows,
      ),
  });
  const all: [string, Collection][] = Object.entries(inner.collections as unknown as { readonly [name: string]: Collection });
  return {
    ...inner,
    // Each entry keeps its name, and with it the type of its rows.
    collections: Object.fromEntries(all.map(([name, each]) => [name, wrapped(each)])) as unknown as DataAdapter["collections"],
    most,
    reset() {
      turn = { statements: 0, rows: 0 };
      Object.assign(most, turn);
    },
  };
}

async function openWatched(): Promise<{ readonly service: LoginService; readonly data: WatchedAdapter }> {
  const data = await watchedSqlite();
  return { data, service: await openService({ data, sync: false }) };
}

const encoded = encodeURIComponent;

/** Creates a connection with users. @returns its id. */
async function connectionWith(service: LoginService, name: string, users: number): Promise<string> {
  const { manage, data, clock } = service;
  const enabled = { name, strategy: "auth0", enabled_clients: [service.web.clientId] };
  const id = stringMember(await manage.create("/api/v2/connections", enabled), "id");
  for (let from = 0; from < users; from += 500) {
    const rows = Array.from({ length: Math.min(500, users - from) }, (_, i) => {
      const email = `${name}-${from + i}@example.test`;
      const account = newAccount({ name, strategy: "auth0" }, clock.now(), { user_id: `${name}|${from + i}`, email }, "administrator");
      return { ...account, email_key: email, tenant_id: "main" };
    });
    expect(await data.collections.users.insert(rows)).toBe(true);
  }
  return id;
}

/** Sends a removal, and then a request for another tenant. @returns the order of the responses. */
async function removeDuringRequest(service: LoginService, path: string): Promise<readonly string[]> {
  const [token, other] = [await service.token("main"), await service.token("other")];
  const order: string[] = [];
  const removed = service.call("DELETE", path, { token }).then(({ status }) => order.push(`removal ${status}`));
  const read = service.call("GET", "/api/v2/connections", { token: other }).then(({ status }) => order.push(`other ${status}`));
  await Promise.all([removed, read]);
  return order;
}

/** Calls `sweep` until nothing is left. @returns the number of calls. */
async function sweepAll({ postern, clock }: LoginService): Promise<number> {
  clock.advance("2m");
  for (let calls = 1; calls < 100; calls++) if ((await postern.jobs.sweep({ budget: 2000 })).finished) return calls;
  throw new Error("sweep does not finish");
}

test("another tenant gets its response while a connection with thousands of users is deleted", slowTest, async () => {
  const { service, data } = await openWatched();
  const { manage } = service;
  const id = await connectionWith(service, "crowd", crowdSize);
  data.reset();
  expect(await removeDuringRequest(service, `/api/v2/connections/${id}`)).toEqual(["other 200", "removal 204"]);
  expect(data.most.statements).toBeLessThanOrEqual(maxStatements);
  expect(data.most.rows).toBeLessThanOrEqual(maxRows);

  expect(await data.collections.users.count({ tenant_id: "main", deleting_at: { exists: true } })).toBeGreaterThan(0);
  data.reset();
  expect(await sweepAll(service)).toBeGreaterThan(1);
  expect(data.most.statements).toBeLessThanOrEqual(maxStatements);
  expect(data.most.rows).toBeLessThanOrEqual(maxRows);
  // Ada and Bob remain.
  expect(await data.collections.users.count({ tenant_id: "main" })).toBe(2);
  expect(await data.collections.connections.count({ tenant_id: "main", id })).toBe(0);
  expect(jsonBody(await manage("GET", "/api/v2/users?include_totals=true"))["total"]).toBe(2);
});

test("the deletion of a connection hides all of its users at once, and a new connection with the name starts empty", slowTest, async () => {
  const { service, data } = await openWatched();
  const { manage } = service;
  const id = await connectionWith(service, "crowd", crowdSize);
  const userElsewhere = stringMember(
    await manage.create("/api/v2/users", { connection: "Username-Password-Authentication", email: "in@example.test" }),
    "user_id",
  );
  const link = (primary: string, user_id: string) =>
    manage("POST", `/api/v2/users/${encoded(primary)}/identities`, { provider: "auth0", user_id });
  // One linked account belongs to a primary user of another connection, and one primary user has a linked account of
  // another connection.
  expect(await link(service.ada.userId, "crowd|7")).toMatchObject({ status: 201 });
  expect(await link("crowd|8", userElsewhere)).toMatchObject({ status: 201 });

  expect(await manage("DELETE", `/api/v2/connections/${id}`)).toMatchObject({ status: 204 });
  expect(jsonBody(await manage("GET", "/api/v2/users?include_totals=true"))["total"]).toBe(2);
  expect(list(await manage("GET", "/api/v2/users?q=crowd*"))).toEqual([]);
  expect(list(await manage("GET", "/api/v2/users?q=connection:crowd"))).toEqual([]);
  expect(list(await manage("GET", "/api/v2/users-by-email?email=crowd-2999@example.test"))).toEqual([]);
  for (const user of ["crowd|2999", "crowd|7", userElsewhere])
    expect(await manage("GET", `/api/v2/users/${encoded(user)}`)).toMatchObject({ status: 404 });
  expect(jsonBody(await manage("GET", `/api/v2/users/${encoded(service.ada.userId)}`))["identities"]).toHaveLength(1);
  const [ada] = await data.collections.users.find({ where: { tenant_id: "main", user_id: service.ada.userId }, limit: 1 });
  expect(ada?.linked_count).toBe(0);

  const again = stringMember(await manage.create("/api/v2/connections", { name: "crowd", strategy: "auth0" }), "id");
  expect(list(await manage("GET", "/api/v2/users?q=connection:crowd"))).toEqual([]);
  // The same id and email address as before.
  const body = { connection: "crowd", email: "crowd-2999@example.test", user_id: "2999" };
  expect(stringMember(await manage.create("/api/v2/users", body), "user_id")).toBe("crowd|2999");
  await sweepAll(service);
  expect(list(await manage("GET", "/api/v2/users?q=connection:crowd"))).toMatchObject([{ user_id: "crowd|2999" }]);
  expect(await manage("GET", `/api/v2/connections/${again}`)).toMatchObject({ status: 200 });
});

test("the deletion of a connection ends the sign-ins of its users before their rows are deleted", slowTest, async () => {
  const { service, data } = await openWatched();
  const { manage, exchange, userinfo, register } = service;
  const id = await connectionWith(service, "crowd", crowdSize);
  const { clientId } = await register({
    app_type: "native",
    grant_types: ["password", "http://auth0.com/oauth/grant-type/password-realm", "refresh_token"],
  });
  // This user is the last of the connection by email address, so the row still exists after the response.
  const username = "zoe@example.test";
  const user = { connection: "crowd", email: username, password: "Correct horse battery 1", email_verified: true };
  await manage.create("/api/v2/users", user);
  const credentials = { grant_type: "password", client_id: clientId, username, password: "Correct horse battery 1", realm: "crowd" };
  const signIn = { ...credentials, grant_type: "http://auth0.com/oauth/grant-type/password-realm", scope: "openid offline_access" };
  const tokens = jsonBody(await exchange(signIn), 200);
  const refresh = { grant_type: "refresh_token", client_id: clientId, refresh_token: stringMember(tokens, "refresh_token") };
  expect(await userinfo(stringMember(tokens, "access_token"))).toMatchObject({ status: 200 });

  expect(await manage("DELETE", `/api/v2/connections/${id}`)).toMatchObject({ status: 204 });
  expect(await data.collections.sessions.count({ tenant_id: "main", user_id: { prefix: "crowd|" } })).toBe(1);
  expect(await userinfo(stringMember(tokens, "access_token"))).toMatchObject({ status: 401 });
  expectError(await exchange(refresh), 400, "invalid_grant");
  expect((await exchange(signIn)).status).toBeGreaterThanOrEqual(400);
});

test("a sign-up that runs during the deletion of its connection leaves no account", async () => {
  const started = Promise.withResolvers<void>();
  const finishHash = Promise.withResolvers<void>();
  const hash: PasswordHasher["hash"] = async (password) => {
    if (password === "Slow horse battery 1") {
      started.resolve();
      await finishHash.promise;
    }
    return fakeHasher.hash(password, "");
  };
  const service = await openService({ crypto: { hasher: { ...fakeHasher, hash } } });
  const { manage, web, call } = service;
  const id = await connectionWith(service, "crowd", 3);
  const body = { client_id: web.clientId, connection: "crowd", email: "late@example.test", password: "Slow horse battery 1" };
  const signUp = call("POST", "/dbconnections/signup", { body });
  await started.promise;
  expect(await manage("DELETE", `/api/v2/connections/${id}`)).toMatchObject({ status: 204 });
  await manage.create("/api/v2/connections", { name: "crowd", strategy: "auth0" });
  finishHash.resolve();
  expect((await signUp).status).toBe(404);
  expect(list(await manage("GET", "/api/v2/users?q=connection:crowd"))).toEqual([]);
});

test("accounts that another process creates after the deletion of their connection are deleted, and a new connection with the name keeps its accounts", async () => {
  const service = await openService();
  const { manage, data, clock } = service;
  const id = await connectionWith(service, "crowd", 3);
  expect(await manage("DELETE", `/api/v2/connections/${id}`)).toMatchObject({ status: 204 });
  clock.advance("1s");
  const account = newAccount(
    { name: "crowd", strategy: "auth0" },
    clock.now(),
    { user_id: "crowd|late", email: "late@example.test" },
    "administrator",
  );
  await data.collections.users.insert([{ ...account, email_key: "late@example.test", tenant_id: "main" }]);
  clock.advance("1s");
  await manage.create("/api/v2/connections", { name: "crowd", strategy: "auth0" });
  await manage.create("/api/v2/users", { connection: "crowd", email: "new@example.test" });
  await sweepAll(service);
  expect(list(await manage("GET", "/api/v2/users?q=connection:crowd"))).toMatchObject([{ email: "new@example.test" }]);
  expect(await data.collections.users.count({ tenant_id: "main" })).toBe(3);
});

test.each(["organizations", "roles"])(
  "the deletion of %s with thousands of users runs in bounded steps, and frees the name at once",
  slowTest,
  async (what) => {
    const { service, data } = await openWatched();
    const { manage } = service;
    const id = stringMember(await manage.create(`/api/v2/${what}`, { name: "crowd" }), "id");
    const members = 6000;
    for (let from = 0; from < members; from += 500) {
      const common = Array.from({ length: 500 }, (_, i) => ({ tenant_id: "main", user_id: `auth0|${from + i}`, created_at: 0 }));
      if (what === "roles") await data.collections.user_roles.insert(common.map((row) => ({ ...row, organization_id: "", role_id: id })));
      else await data.collections.organization_members.insert(common.map((row) => ({ ...row, organization_id: id })));
    }
    data.reset();
    expect(await removeDuringRequest(service, `/api/v2/${what}/${id}`)).toEqual(["other 200", "removal 204"]);
    expect(data.most.rows).toBeLessThanOrEqual(maxRows);
    expect(await manage("GET", `/api/v2/${what}/${id}`)).toMatchObject({ status: 404 });
    await manage.create(`/api/v2/${what}`, { name: "crowd" });
    await sweepAll(service);
    const rows = what === "roles" ? data.collections.user_roles : data.collections.organization_members;
    expect(await rows.count({ tenant_id: "main" })).toBe(0);
  },
);
