import { beforeEach, describe, expect, test } from "vitest";
import { tenantData, type DataAdapter } from "@postern/core/adapter";
import { createManualClock } from "@postern/core/testing";
import { createMemoryAdapter } from "@postern/memory";
import { createSealer } from "../../packages/core/src/crypto/sealer.ts";
import { toKeyRing } from "../../packages/core/src/crypto/key-ring.ts";
import { testServiceContext } from "../../packages/core/test/service-context.ts";
import { createCache } from "../../packages/core/src/tenants/cache.ts";
import { Connections } from "../../packages/core/src/tenants/connections.ts";
import { TenantSettingsCache } from "../../packages/core/src/tenants/settings-cache.ts";
import { list, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { sharedClientId, openInheritance, type InheritanceSetup } from "../support/inheritance.ts";

/**
 * Tests the client secret that a connection sends to its identity provider. It is decrypted when it is used, and is
 * never returned.
 */

const secret = "0123456789abcdef0123456789abcdef";
const sealer = createSealer(toKeyRing(secret));
const service = testServiceContext();
const mainOptions = { client_id: "main-at-provider", client_secret: "hush-of-main", token_endpoint: "https://idp.example.test/token" };

let data: DataAdapter;
let inheritance: InheritanceSetup;
beforeEach(async () => {
  data = createMemoryAdapter({ strict: true });
  inheritance = await openInheritance({ data, crypto: { secret } });
  await inheritance.main.create("/api/v2/connections", { name: "shared", strategy: "oidc", options: mainOptions });
});

const create = async (options: JsonBody = {}, strategy = "oidc", name = "shared"): Promise<string> =>
  stringMember(await inheritance.other.create("/api/v2/connections", { name, strategy, options }), "id");

/** Returns the decrypted secrets that a connection of the tenant sends, as another process loads them. */
async function opened(connectionId: string): Promise<JsonBody> {
  const scopes = { cache: createCache(createManualClock(0)), scope: (tenantId: string) => tenantData(data.collections, tenantId) };
  const source = { tenantId: "main", own: new TenantSettingsCache(scopes, "main"), clientId: sharedClientId };
  const connections = new Connections({
    context: { ...service, secrets: { ...service.secrets, sealer } },
    own: new TenantSettingsCache(scopes, "other"),
    inherited: async () => source,
    organizationConnections: async () => [],
  });
  return connections.secretsOf(connectionId);
}

test("uses the control plane's secret for a connection without its own identity provider settings", async () => {
  expect(await opened(await create())).toEqual({ "/client_secret": "hush-of-main" });
});

test("uses the connection's own secret if it has one", async () => {
  expect(await opened(await create({ client_secret: "hush-of-other" }))).toEqual({ "/client_secret": "hush-of-other" });
});

describe("a connection with its own endpoint never gets the control plane's secret", () => {
  test.each([
    { token_endpoint: "https://evil.example.test/token" },
    { discovery_url: "https://evil.example.test/.well-known/openid-configuration" },
    { client_id: "other-at-provider" },
    { tenant_domain: "evil.example.test" },
    { oidc_metadata: { token_endpoint: "https://evil.example.test/token" } },
    { option_of_tomorrow: "https://evil.example.test/token" },
  ])("withholds the control plane's secret from %j, at creation and after an update", async (options) => {
    const id = await create(options);
    expect(await opened(id)).toEqual({});
    await inheritance.other("PATCH", `/api/v2/connections/${id}`, { options: {} });
    expect(await opened(id)).toEqual({ "/client_secret": "hush-of-main" });
    await inheritance.other("PATCH", `/api/v2/connections/${id}`, { options });
    expect(await opened(id)).toEqual({});
  });

  test("withholds the control plane's secret from a connection with another strategy or name", async () => {
    expect(await opened(await create({}, "oauth2"))).toEqual({});
    expect(await opened(await create({}, "oidc", "another"))).toEqual({});
  });
});

test("applies changes to the control plane's secret, and withholds it if the control plane excludes the connection from sync or deletes it", async () => {
  const id = await create();
  const [connection] = list(await inheritance.main("GET", "/api/v2/connections?name=shared"));
  const path = `/api/v2/connections/${String(connection?.["id"])}`;
  jsonBody(await inheritance.main("PATCH", path, { options: { ...mainOptions, client_secret: "hush-changed" } }));
  expect(await opened(id)).toEqual({ "/client_secret": "hush-changed" });
  jsonBody(await inheritance.main("PATCH", path, { metadata: { sync: "false" } }));
  expect(await opened(id)).toEqual({});
  jsonBody(await inheritance.main("PATCH", path, { metadata: { sync: null } }));
  expect(await inheritance.main("DELETE", path)).toMatchObject({ status: 204 });
  expect(await opened(id)).toEqual({});
});

test("returns only the tenant's own options to the tenant, and never stores or returns the inherited secret there", async () => {
  const id = await create();
  const shown = jsonBody(await inheritance.other("GET", `/api/v2/connections/${id}`));
  expect(shown["options"]).toEqual({
    type: "back_channel",
    attribute_map: { mapping_mode: "bind_all" },
    connection_settings: { pkce: "auto" },
  });
  // Sending the returned values back changes nothing.
  const { id: _, name: _name, strategy: _strategy, ...body } = shown;
  jsonBody(await inheritance.other("PATCH", `/api/v2/connections/${id}`, body));
  expect(await opened(id)).toEqual({ "/client_secret": "hush-of-main" });
  const client = stringMember(await inheritance.other.create("/api/v2/clients", { name: "App" }), "client_id");
  const places = ["connections", `connections/${id}`, `clients/${client}/connections`, `connections/${id}/clients`, "logs?per_page=100"];
  for (const place of places) {
    const serialized = JSON.stringify(await inheritance.other("GET", `/api/v2/${place}`));
    for (const theirsAlone of Object.values(mainOptions)) expect(serialized).not.toContain(theirsAlone);
  }
  // The tenant's rows contain no encrypted secret of the control plane either.
  const rows = await tenantData(data.collections, "other").connections.find({
    where: {},
    orderBy: { fields: ["id"], direction: "asc" },
    limit: 50,
  });
  expect(rows.find((row) => row.id === id)).toMatchObject({ secrets: {}, seal: "" });
});
