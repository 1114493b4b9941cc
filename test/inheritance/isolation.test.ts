import { expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { jsonBody } from "../support/api.ts";
import { openInheritance } from "../support/inheritance.ts";

/**
 * Tests inheritance with a database for each tenant: inherited settings are read from the control plane's database, and
 * the tenant's database stores none of them.
 */

const identifier = "https://api.example.test";
const provider = { name: "sendgrid", default_from_address: "main@example.test", credentials: { api_key: "hush-of-main" } };

test("reads inherited settings from the control plane's database, and stores none of them in the tenant's database", async () => {
  const own = createMemoryAdapter({ strict: true });
  const mails: unknown[] = [];
  const { main, other, service } = await openInheritance({
    databaseIsolation: { getAdapters: async () => own },
    messages: { mail: { send: async (mail) => void mails.push(mail) } },
  });
  await main.create("/api/v2/resource-servers", { identifier, scopes: [{ value: "read" }] });
  await main.create("/api/v2/emails/provider", provider);
  const { client_id, client_secret } = await other.create("/api/v2/clients", { name: "M", app_type: "regular_web" });
  await other.create("/api/v2/client-grants", { client_id, audience: identifier, scope: ["read"] });
  const body = { grant_type: "client_credentials", client_id, client_secret, audience: identifier };
  expect(jsonBody(await service.call("POST", "/oauth/token", { body }))).toMatchObject({ scope: "read" });
  await other.create("/api/v2/connections", { name: "email", strategy: "email" });
  const start = { client_id, client_secret, connection: "email", email: "ann@example.test", send: "code" };
  jsonBody(await service.call("POST", "/passwordless/start", { body: start }));
  expect(mails).toMatchObject([{ from: "main@example.test", provider: { credentials: { api_key: "hush-of-main" } } }]);
  const where = { tenant_id: "other" };
  expect(await own.collections.resource_servers.count(where)).toBe(1);
  expect(await own.collections.email_providers.count(where)).toBe(0);
});

test("responds with 503 only to requests that read inherited settings while the control plane's database is unavailable", async () => {
  let [isThere, isDown] = [false, false];
  const adapters = new Map<string, DataAdapter>();
  const { main, other, service } = await openInheritance({
    databaseIsolation: {
      getAdapters: async (tenantId) => {
        if (isDown && tenantId === "parent") throw new Error("down");
        const adapter = adapters.get(tenantId) ?? createMemoryAdapter({ strict: true });
        adapters.set(tenantId, adapter);
        return adapter;
      },
      idleSeconds: 1,
      maxOpen: 1,
    },
    resolveControlPlane: ({ tenant_id }) => (isThere && tenant_id === "other" ? { tenantId: "parent" } : undefined),
    logger: { log: () => {} },
  });
  await service.postern.seed({ tenantId: "parent" });
  isThere = true;
  service.clock.advance("6s");
  let number = 0;
  const addUser = () =>
    other("POST", "/api/v2/users", { connection: "Username-Password-Authentication", email: `p${++number}@example.test` });
  expect(await addUser()).toMatchObject({ status: 201 });
  isDown = true;
  service.clock.advance("10s");
  // Opening another database closes the idle ones.
  expect(await other("GET", "/api/v2/clients")).toMatchObject({ status: 200 });
  service.clock.advance("10s");
  expect(await addUser()).toMatchObject({ status: 503 });
  expect(await main("GET", "/api/v2/connections")).toMatchObject({ status: 200 });
  expect(await other("GET", "/api/v2/connections")).toMatchObject({ status: 200 });
  isDown = false;
  // One second after a database could not be opened, the next call tries to open it again.
  service.clock.advance("2s");
  expect(await addUser()).toMatchObject({ status: 201 });
});
