import { ManagementClient } from "auth0";
import { exportPKCS8, exportSPKI, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientSecret } from "../support/postern.ts";
import type { ServedPostern } from "../support/http.ts";
import { collectPages, rejectionOf } from "../support/sdk.ts";
import { serveTls } from "../support/tls.ts";

/**
 * Runs Auth0's unmodified Node SDK against Postern. The SDK builds https URLs from a domain, requests its token and
 * pages through lists itself.
 */

const connection = "Username-Password-Authentication";

let service: ServedPostern;
let domain: string;
let sdk: ManagementClient;

beforeAll(async () => {
  service = await serveTls();
  domain = service.origin.slice("https://".length);
  sdk = new ManagementClient({ domain, clientId: "main-manager", clientSecret });
});

afterAll(async () => {
  await service.close();
  expect(service.faults).toEqual([]);
});

describe("users", () => {
  test("can be created, read, updated, searched and deleted", async () => {
    const user = await sdk.users.create({
      connection,
      email: "sdk@example.test",
      password: "Correct-horse-1",
      user_metadata: { a: 1, b: 2 },
      app_metadata: { plan: "pro" },
    });
    const id = user.user_id ?? "";
    expect(id).toMatch(/^Username-Password-Authentication\|/);
    expect(await sdk.users.get(id)).toMatchObject({
      email: "sdk@example.test",
      identities: [{ connection, provider: "auth0", isSocial: false }],
    });
    expect(await sdk.users.get(id, { fields: "email", include_fields: true })).toEqual({ email: "sdk@example.test" });
    expect(await sdk.users.update(id, { user_metadata: { b: null, c: 3 } })).toMatchObject({
      user_metadata: { a: 1, c: 3 },
      app_metadata: { plan: "pro" },
    });
    const found = await sdk.users.list({ q: `email:"sdk@example.test"`, search_engine: "v3" });
    expect(found.data.map((one) => one.user_id)).toEqual([id]);
    await sdk.users.delete(id);
    expect(await rejectionOf(sdk.users.get(id))).toMatchObject({
      statusCode: 404,
      body: { errorCode: "inexistent_user", statusCode: 404 },
    });
    await sdk.users.delete(id);
  });

  test("are paged by the SDK, each once", async () => {
    const emails = Array.from({ length: 23 }, (_, i) => `page-${String(i).padStart(2, "0")}@example.test`);
    for (const email of emails) await sdk.users.create({ connection, email });
    for (const per_page of [5, 23, 50]) {
      const found = await collectPages(sdk.users.list({ per_page, sort: "email:1", q: "email:page-*" }));
      expect(found.map(({ email }) => email)).toEqual(emails);
    }
    const page = await sdk.users.list({ per_page: 10, page: 1, include_totals: true, sort: "email:1", q: "email:page-*" });
    expect(page.data.map(({ email }) => email)).toEqual(emails.slice(10, 20));
    expect(page.hasNextPage()).toBe(true);
  });

  test("with ids that contain slashes, pipes and percent signs work with the SDK's encoding", async () => {
    for (const user_id of ["samlp|corp|x@y.z/1", "waad|%2F+&?#", "custom|a b".replace(" ", "_")]) {
      await sdk.users.create({ connection, email: `${Math.random()}@example.test`, user_id });
      expect(await sdk.users.get(user_id)).toMatchObject({ user_id });
      await sdk.users.delete(user_id);
    }
  });
});

describe("clients", () => {
  test("can be created, read, updated, rotated and deleted, and their secret is returned once", async () => {
    const client = await sdk.clients.create({ name: "From the SDK", app_type: "regular_web", callbacks: ["https://a.example.test/cb"] });
    const id = client.client_id ?? "";
    expect(client.client_secret).toMatch(/^.{48,}$/);
    expect(await sdk.clients.get(id)).not.toHaveProperty("client_secret");
    expect(await sdk.clients.update(id, { name: "Renamed" })).toMatchObject({ name: "Renamed", callbacks: ["https://a.example.test/cb"] });
    expect((await sdk.clients.rotateSecret(id)).client_secret).not.toBe(client.client_secret);
    await sdk.clients.delete(id);
    expect(await rejectionOf(sdk.clients.get(id))).toMatchObject({ statusCode: 404, body: { errorCode: "inexistent_client" } });
  });

  test("are paged by the SDK", async () => {
    for (let i = 0; i < 12; i++) await sdk.clients.create({ name: `Paged ${i}` });
    const found = await collectPages(sdk.clients.list({ per_page: 5 }));
    const names = found.map(({ name }) => name);
    for (let i = 0; i < 12; i++) expect(names.filter((name) => name === `Paged ${i}`)).toHaveLength(1);
  });
});

test("resource servers and client grants can be created, read by identifier, listed, updated and deleted", async () => {
  const identifier = "https://sdk-api.example.test/v1/";
  const api = await sdk.resourceServers.create({ identifier, name: "SDK API", scopes: [{ value: "read:a" }, { value: "read:b" }] });
  expect(await sdk.resourceServers.get(identifier)).toMatchObject({ id: api.id, identifier });
  expect(await sdk.resourceServers.update(identifier, { token_lifetime: 300 })).toMatchObject({ token_lifetime: 300, name: "SDK API" });
  expect((await collectPages(sdk.resourceServers.list({ per_page: 1 }))).map((one) => one.identifier)).toEqual(
    expect.arrayContaining([identifier, `${service.origin}/api/v2/`]),
  );

  const client = await sdk.clients.create({ name: "Granted", app_type: "non_interactive" });
  const client_id = client.client_id ?? "";
  const grant = await sdk.clientGrants.create({ client_id, audience: identifier, scope: ["read:a"] });
  expect((await collectPages(sdk.clientGrants.list({ client_id, take: 1 }))).map(({ id }) => id)).toEqual([grant.id]);
  expect((await collectPages(sdk.clientGrants.list({ audience: identifier }))).map(({ id }) => id)).toEqual([grant.id]);
  expect(await sdk.clientGrants.update(grant.id ?? "", { scope: ["read:a", "read:b"] })).toMatchObject({ scope: ["read:a", "read:b"] });
  await sdk.clientGrants.delete(grant.id ?? "");
  expect(await collectPages(sdk.clientGrants.list({ client_id }))).toEqual([]);
  await sdk.resourceServers.delete(api.id ?? "");
  expect(await rejectionOf(sdk.resourceServers.get(identifier))).toMatchObject({ statusCode: 404 });
});

test("connections, tenant settings and logs can be read with the SDK", async () => {
  const names = (await collectPages(sdk.connections.list({ take: 1 }))).map(({ name }) => name);
  expect(names).toContain(connection);
  expect(await sdk.tenants.settings.get()).toMatchObject({ friendly_name: "main", session_lifetime: 168 });
  expect(await sdk.tenants.settings.update({ friendly_name: "Renamed" })).toMatchObject({
    friendly_name: "Renamed",
    session_lifetime: 168,
  });
  const logs = await sdk.logs.list({ per_page: 5, search: "type:sapi", sort: "date:-1" });
  expect(logs.data.length).toBeGreaterThan(0);
  expect(await sdk.logs.get(logs.data[0]?.log_id ?? "")).toMatchObject({ type: "sapi" });
});

test("errors are instances of the SDK's error class with status and body", async () => {
  await sdk.users.create({ connection, email: "twice@example.test" });
  const conflict = await rejectionOf(sdk.users.create({ connection, email: "twice@example.test" }));
  expect(conflict).toMatchObject({ statusCode: 409, body: { statusCode: 409, errorCode: "auth0_idp_error", message: expect.any(String) } });
  const invalid = await rejectionOf(sdk.users.create({ connection: "nowhere", email: "x@example.test" }));
  expect(invalid).toMatchObject({ statusCode: 400 });
  const narrow = new ManagementClient({ domain, token: "nonsense" });
  expect(await rejectionOf(narrow.users.get("x"))).toMatchObject({ statusCode: 401 });
  const wrong = new ManagementClient({ domain, clientId: "main-manager", clientSecret: "wrong" });
  await expect(wrong.users.get("x")).rejects.toThrow();
});

test("the SDK can authenticate with a private key", async () => {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const client = await sdk.clients.create({
    name: "Keyed",
    app_type: "non_interactive",
    client_authentication_methods: {
      private_key_jwt: { credentials: [{ credential_type: "public_key", pem: await exportSPKI(publicKey), alg: "RS256" }] },
    },
  });
  await sdk.clientGrants.create({ client_id: client.client_id ?? "", audience: `${service.origin}/api/v2/`, scope: ["read:clients"] });
  const keyed = new ManagementClient({
    domain,
    clientId: client.client_id ?? "",
    clientAssertionSigningKey: await exportPKCS8(privateKey),
  });
  expect(await keyed.clients.get("main-manager")).toMatchObject({ name: "Manager" });
  expect(await rejectionOf(keyed.users.get("x"))).toMatchObject({ statusCode: 403, body: { errorCode: "insufficient_scope" } });
});
