import type { CreateClient } from "@postern/core/api";
import { beforeEach, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { allRows, organizationOf, tokenFor } from "../support/child-tenants.ts";
import { openBrowser } from "../support/browser.ts";
import { claimsOf, fakeHasher } from "../support/flow.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";
import { clientSecret, createTestPostern, managementAudience, type ApiResponse, type TestPostern } from "../support/postern.ts";

/**
 * A tenant is deleted and created again with the same id by the same code of the host application: the same client ids
 * and secrets, the same domain, and the same user email. No token or link that the deleted tenant issued is valid in
 * the new tenant.
 */

const domain = "login.acme.test";
const user = { email: "ada@acme.test", password: "correct horse battery" };
let service: TestPostern;
let main: Manager;
let outbox: Outbox;

beforeEach(async () => {
  outbox = createOutbox();
  service = await createTestPostern({ messages: { mail: outbox.mail }, crypto: { hasher: fakeHasher } });
  main = await managerOf(service);
  await make();
});

async function make(): Promise<void> {
  await main.create("/tenants", { id: "acme", name: "Acme" });
  const settings = { name: "Backend", app_type: "non_interactive" } as const;
  const app = {
    name: "App",
    app_type: "native",
    grant_types: ["password", "refresh_token"],
    token_endpoint_auth_method: "none",
  } satisfies CreateClient;
  await service.postern.seed({
    tenantId: "acme",
    clients: [
      { clientId: "acme-manager", secret: clientSecret, settings, managesTenant: true },
      { clientId: "acme-app", settings: app },
    ],
    domains: [domain],
    user,
  });
}

async function recreate(): Promise<void> {
  jsonBody(await main("DELETE", "/tenants/acme"));
  service.clock.advance("2s");
  await make();
}

const form = (path: string, body: Record<string, string>): Promise<ApiResponse> =>
  service.call("POST", path, {
    body: new URLSearchParams(body).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

async function machineToken(): Promise<string> {
  const body = { grant_type: "client_credentials", client_id: "acme-manager", client_secret: clientSecret, audience: managementAudience };
  return stringMember(jsonBody(await form("/oauth/token", body)), "access_token");
}

async function signIn(): Promise<JsonBody> {
  const body = { grant_type: "password", client_id: "acme-app", username: user.email, password: user.password };
  return jsonBody(await form("/oauth/token", { ...body, scope: "openid profile email offline_access" }));
}

test("a client's token from the deleted tenant is invalid in the new tenant, even if a client there has the same id and secret", async () => {
  const token = await machineToken();
  expect(await service.call("GET", "/api/v2/clients", { token })).toMatchObject({ status: 200 });
  await recreate();
  expectError(await service.call("GET", "/api/v2/clients", { token }), 401, "invalid_token");
  expect(await service.call("GET", "/api/v2/clients", { token: await machineToken() })).toMatchObject({ status: 200 });
});

test("a user's tokens from the deleted tenant are invalid in the new tenant, even if a user there has the same email address and password", async () => {
  const tokens = await signIn();
  const [access, refresh] = [stringMember(tokens, "access_token"), stringMember(tokens, "refresh_token")];
  expect(await service.call("GET", "/userinfo", { token: access })).toMatchObject({ status: 200 });
  await recreate();
  const repeated = await signIn();
  expectError(await service.call("GET", "/userinfo", { token: access }), 401, "invalid_token");
  expectError(
    await form("/oauth/token", { grant_type: "refresh_token", client_id: "acme-app", refresh_token: refresh }),
    400,
    "invalid_grant",
  );
  expect(claimsOf(stringMember(repeated, "access_token"))["sub"]).not.toBe(claimsOf(access)["sub"]);
  expect(await service.call("GET", "/userinfo", { token: stringMember(repeated, "access_token") })).toMatchObject({ status: 200 });
});

test("a link in an email from the deleted tenant is invalid in the new tenant", async () => {
  const connection = "Username-Password-Authentication";
  const body = { client_id: "acme-app", email: user.email, connection };
  expect(await service.call("POST", "/dbconnections/change_password", { body })).toMatchObject({ status: 200 });
  const { link = "" } = outbox.take(user.email);
  await recreate();
  const page = await openBrowser(service.postern).get(link);
  expect(page.status).toBe(400);
});

test("the custom domain serves no tenant after the deletion, and then the new tenant", async () => {
  const at = (path: string) => service.postern.fetch(new Request(`https://${domain}${path}`), { clientAddress: "192.0.2.1" });
  const keys = async () => (await at("/.well-known/jwks.json")).text();
  const before = await keys();
  jsonBody(await main("DELETE", "/tenants/acme"));
  expect((await service.data.collections.directory.find({ where: { tenant_id: "acme" }, limit: 10 })).length).toBe(0);
  service.clock.advance("2s");
  await make();
  const after = await keys();
  expect((await at("/.well-known/openid-configuration")).status).toBe(200);
  expect(before).toBe(after);
});

test("a control plane token for the deleted tenant's organization cannot access the new tenant", async () => {
  const first = await organizationOf(main, "acme");
  const token = await tokenFor(service, main, ["read:clients"], first);
  expect(await service.call("GET", "/api/v2/clients", { token })).toMatchObject({ status: 200 });
  await recreate();
  expect(await organizationOf(main, "acme")).not.toBe(first);
  expect([401, 403]).toContain((await service.call("GET", "/api/v2/clients", { token })).status);
  expect(await service.call("GET", "/api/v2/clients", { token, headers: { "tenant-id": "acme" } })).not.toMatchObject({ status: 200 });
});

test("rows that a concurrent request wrote after the deletion are not part of the new tenant", async () => {
  const { directory, connections, logs } = service.data.collections;
  const [connection] = await connections.find({ where: { tenant_id: "acme" }, limit: 1 });
  const [row] = await logs.find({ where: { tenant_id: "main" }, orderBy: { fields: ["log_id"], direction: "asc" }, limit: 1 });
  if (connection === undefined || row === undefined) throw new Error("nothing to copy");
  jsonBody(await main("DELETE", "/tenants/acme"));
  await directory.insert([{ kind: "host", value: "old.acme.test", tenant_id: "acme", created_at: 0 }]);
  await connections.insert([{ ...connection, id: "con_old", name: "old" }]);
  await logs.insert([{ ...row, log_id: "old", tenant_id: "acme" }]);
  await make();
  expect((await allRows(service.data)).filter((stored) => stored.includes("old"))).toEqual([]);
  expect(await logs.count({ tenant_id: "acme", log_id: "old" })).toBe(0);
});
