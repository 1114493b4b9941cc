import { createPostern, type Seed } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { countingAdapter } from "./support/counting-adapter.ts";
import { createTestPostern, issuer } from "./support/postern.ts";

const secret = "0123456789abcdef0123456789abcdef";

/** The error that a host application can catch by its code. */
const configurationError = expect.objectContaining({ name: "PosternError", code: "configuration_error" }) as Error;

test("a wrong secret is reported by check(), not at the first login", async () => {
  const { data } = await createTestPostern();
  const other = createPostern({ issuer, data, crypto: { secret: "another-secret-than-it-was-made-with" }, defaultTenantId: "main" });
  await expect(other.check()).rejects.toThrow("the secret cannot decrypt");
  await expect(createPostern({ issuer, data, crypto: { secret }, defaultTenantId: "main" }).check()).resolves.toBeUndefined();
});

test("without check(), the first request reports a wrong secret, and succeeds with the right one", async () => {
  const { data } = await createTestPostern();
  const errors: unknown[] = [];
  const open = (text: string) =>
    createPostern({
      issuer,
      data,
      crypto: { secret: text },
      defaultTenantId: "main",
      logger: { log: ({ level, error }) => void (level === "error" && errors.push(error)) },
    });
  const discovery = () => new Request(`${issuer}.well-known/openid-configuration`);
  const other = open("another-secret-than-it-was-made-with");
  for (let requests = 0; requests < 2; requests++) expect((await other.fetch(discovery())).status).toBe(503);
  expect(inspect(errors[0])).toContain("the secret cannot decrypt this data store (signing_keys, sealed by the key '1')");
  expect(inspect(errors[0])).toContain("the value was encrypted with another secret");
  expect((await other.ready()).status).toBe(503);
  await expect(other.tenant("main").users.list()).rejects.toMatchObject({ code: "temporarily_unavailable" });
  await expect(other.jobs.sweep()).rejects.toThrow("the secret cannot decrypt");
  await expect(other.seed({ tenantId: "main" })).rejects.toThrow("the secret cannot decrypt");
  expect((await open(secret).fetch(discovery())).status).toBe(200);
});

test("the first request checks the secret once, and later requests cost no such queries", async () => {
  const data = countingAdapter(createMemoryAdapter());
  await createTestPostern({ data });
  const postern = createPostern({ issuer, data, crypto: { secret }, defaultTenantId: "main" });
  const discover = () => data.costOf(() => postern.fetch(new Request(`${issuer}.well-known/openid-configuration`)));
  expect((await discover()).statements).toContain("invitations.find");
  expect((await discover()).statements).toEqual([]);
});

test("a replaced secret still opens values while it is in the key ring", async () => {
  const { data } = await createTestPostern();
  const ring = [
    { id: "2", secret: "a-newer-secret-than-the-one-before-it" },
    { id: "1", secret },
  ] as const;
  await expect(createPostern({ issuer, data, crypto: { secret: ring }, defaultTenantId: "main" }).check()).resolves.toBeUndefined();
});

test("createPostern rejects options that cannot work", () => {
  const data = createMemoryAdapter();
  expect(() => createPostern({ issuer: "nonsense", data, crypto: { secret } })).toThrow();
  expect(() => createPostern({ issuer: "https://id.example.test/?a=1", data, crypto: { secret } })).toThrow(configurationError);
  expect(() => createPostern({ issuer, data, crypto: { secret: "short" } })).toThrow(configurationError);
  expect(() => createPostern({ issuer, data, crypto: { secret: "a".repeat(32) } })).toThrow(
    "the secret with the id '1' has fewer than 8 different characters",
  );
  expect(() => createPostern({ issuer, data, crypto: { secret: [{ id: "1.2", secret }] } })).toThrow("'1.2' is not a valid key id");
  const twice = [
    { id: "1", secret },
    { id: "1", secret: "another-secret-of-the-same-name-0123" },
  ] as const;
  expect(() => createPostern({ issuer, data, crypto: { secret: twice } })).toThrow("two keys with the id '1'");
  expect(() => createPostern({ issuer, data, crypto: { secret }, trustedProxies: ["nonsense"] })).toThrow();
  for (const retentionDays of [0, -1, Number.NaN, 1e9]) {
    expect(() => createPostern({ issuer, data, crypto: { secret }, logs: { retentionDays } })).toThrow("'logs.retentionDays'");
  }
});

test("processes that seed the same tenant in parallel create everything once", async () => {
  const data = createMemoryAdapter();
  const seed = {
    tenantId: "main",
    clients: [{ clientId: "c", secret: "a-secret-that-is-long-enough", settings: { name: "C" }, managesTenant: true }],
    user: { email: "admin@example.test", password: "a-long-password" },
  } as const;
  const processes = Array.from({ length: 4 }, () =>
    createPostern({ issuer, data, crypto: { secret, signingAlgorithm: "ES256" }, defaultTenantId: "main" }),
  );
  await Promise.all(processes.map((postern) => postern.seed(seed)));
  const scope = { tenant_id: "main" };
  expect(await data.collections.users.count({ ...scope, linked_to: "" })).toBe(1);
  expect(await data.collections.clients.count({ ...scope, client_id: "c" })).toBe(1);
  expect(await data.collections.connections.count({ ...scope, name: "Username-Password-Authentication" })).toBe(1);
  expect(await data.collections.client_grants.count({ ...scope, client_id: "c" })).toBe(1);
});

test("a seed restores the grant of a client that manages the tenant after it was narrowed or deleted", async () => {
  const service = await createTestPostern();
  const { call } = service;
  const token = await service.token();
  const [grant] = (await call("GET", "/api/v2/client-grants?client_id=main-manager", { token })).body as readonly { readonly id: string }[];
  const seed = { tenantId: "main", clients: [{ clientId: "main-manager", settings: { name: "Manager" }, managesTenant: true }] } as const;
  const path = `/api/v2/client-grants/${grant?.id}`;
  expect(await call("PATCH", path, { token, body: { allow_all_scopes: null, scope: ["delete:client_grants"] } })).toMatchObject({
    status: 200,
  });
  await service.postern.seed(seed);
  expect(await call("GET", "/api/v2/users", { token: await service.token() })).toMatchObject({ status: 200 });
  expect(await call("DELETE", path, { token })).toMatchObject({ status: 204 });
  await service.postern.seed(seed);
  expect(await call("GET", "/api/v2/users", { token: await service.token() })).toMatchObject({ status: 200 });
  // A removal that a crashed process left unfinished.
  const grantRow = { tenant_id: "main", client_id: "main-manager" };
  expect(await service.data.collections.client_grants.update(grantRow, { set: { deleting_at: service.clock.now() } })).toBe(1);
  service.clock.advance("6s");
  await service.postern.seed(seed);
  expect(await call("GET", "/api/v2/users", { token: await service.token() })).toMatchObject({ status: 200 });
});

test("the settings of a new tenant are stored, so that changed defaults in a later version do not affect it", async () => {
  const { data } = await createTestPostern();
  const [tenant] = await data.collections.tenants.find({ where: { id: "main" }, limit: 1 });
  expect(tenant?.settings).toMatchObject({
    default_directory: "Username-Password-Authentication",
    session_lifetime_in_minutes: 168 * 60,
    session_cookie: { mode: "persistent" },
    flags: { enable_client_connections: true },
  });
});

test("a seed does not recreate a connection that an administrator deleted", async () => {
  const { postern, data, call, token } = await createTestPostern();
  const [connection] = await data.collections.connections.find({
    where: { tenant_id: "main", name: "Username-Password-Authentication" },
    limit: 1,
  });
  expect((await call("DELETE", `/api/v2/connections/${connection?.id}`, { token: await token() })).status).toBe(204);
  await postern.seed({ tenantId: "main" });
  expect(await data.collections.connections.count({ tenant_id: "main", name: "Username-Password-Authentication" })).toBe(0);
});

test.each(["", "Main", "-main", "ma in", "a".repeat(64), "api", "tenants"])("'%s' is rejected as a tenant id", async (tenantId) => {
  const postern = createPostern({ issuer, data: createMemoryAdapter(), crypto: { secret } });
  await expect(postern.seed({ tenantId })).rejects.toThrow(configurationError);
});

const invalidSeeds: readonly (readonly [reason: string, part: Omit<Seed, "tenantId">])[] = [
  ["'two words' is not a valid client id", { clients: [{ clientId: "two words", settings: { name: "A" } }] }],
  ["is not a valid client id", { clients: [{ clientId: "a".repeat(65), settings: { name: "A" } }] }],
  ["the secret of client 'a' is shorter", { clients: [{ clientId: "a", secret: "short", settings: { name: "A" } }] }],
  ["the secret of client 'a' has fewer", { clients: [{ clientId: "a", secret: "a".repeat(16), settings: { name: "A" } }] }],
  ["'callbacks[1]' must not", { clients: [{ clientId: "a", settings: { name: "A", callbacks: ["https://a.test/", "javascript:x()"] } }] }],
  ["is not a valid email address for a user", { user: { email: "jürgen@example.test", password: "A-long-password-1" } }],
  ["the user 'a@example.test' cannot be used: 'password'", { user: { email: "a@example.test", password: "Aa1-".repeat(2000) } }],
];

test.each(invalidSeeds)("a seed rejects what the API rejects: %s", async (reason, part) => {
  const data = createMemoryAdapter();
  const seeding = createPostern({ issuer, data, crypto: { secret, signingAlgorithm: "ES256" } }).seed({ tenantId: "main", ...part });
  await expect(seeding).rejects.toThrow(configurationError);
  await expect(seeding).rejects.toThrow(reason);
  for (const collection of [data.collections.clients, data.collections.users])
    expect(await collection.count({ tenant_id: "main" })).toBe(0);
});

test("a body without Content-Length is read only up to the limit", async () => {
  const { postern, token } = await createTestPostern({ limits: { bodyBytes: 1000 } });
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 500;
      controller.enqueue(new Uint8Array(500).fill(32));
      if (sent > 1_000_000) controller.close();
    },
  });
  const headers = { "content-type": "application/json", authorization: `Bearer ${await token()}` };
  // Streams need `duplex`, which the browser's types for fetch do not contain.
  const init = { method: "POST", headers, body, duplex: "half" };
  const response = await postern.fetch(new Request(`${issuer}api/v2/users`, init));
  expect(response.status).toBe(413);
  expect(sent).toBeLessThan(10_000);
});
