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
import { list, object, text, type Json } from "../support/api.ts";
import { sharedClientId, openInheritance, type Inheritance } from "../support/lending.ts";

/** What a connection asks its provider with: opened where it is used, and shown to nobody. */

const secret = "0123456789abcdef0123456789abcdef";
const sealer = createSealer(toKeyRing(secret));
const service = testServiceContext();
const theirs = { client_id: "main-at-provider", client_secret: "hush-of-main", token_endpoint: "https://idp.example.test/token" };

let data: DataAdapter;
let lending: Inheritance;
beforeEach(async () => {
  data = createMemoryAdapter({ strict: true });
  lending = await openInheritance({ data, crypto: { secret } });
  await lending.main.create("/api/v2/connections", { name: "shared", strategy: "oidc", options: theirs });
});

const create = async (options: Json = {}, strategy = "oidc", name = "shared"): Promise<string> =>
  text(await lending.other.create("/api/v2/connections", { name, strategy, options }), "id");

/** The secrets that a connection of the tenant would be asked with, as another process reads them. */
async function opened(connectionId: string): Promise<Json> {
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

test("a connection without a provider of its own is asked with the control plane's secret", async () => {
  expect(await opened(await create())).toEqual({ "/client_secret": "hush-of-main" });
});

test("one with a secret of its own is asked with that", async () => {
  expect(await opened(await create({ client_secret: "hush-of-other" }))).toEqual({ "/client_secret": "hush-of-other" });
});

describe("an endpoint of the tenant's own never gets it", () => {
  test.each([
    { token_endpoint: "https://evil.example.test/token" },
    { discovery_url: "https://evil.example.test/.well-known/openid-configuration" },
    { client_id: "other-at-provider" },
    { tenant_domain: "evil.example.test" },
    { oidc_metadata: { token_endpoint: "https://evil.example.test/token" } },
    { option_of_tomorrow: "https://evil.example.test/token" },
  ])("%j, from the beginning or later", async (options) => {
    const id = await create(options);
    expect(await opened(id)).toEqual({});
    await lending.other("PATCH", `/api/v2/connections/${id}`, { options: {} });
    expect(await opened(id)).toEqual({ "/client_secret": "hush-of-main" });
    await lending.other("PATCH", `/api/v2/connections/${id}`, { options });
    expect(await opened(id)).toEqual({});
  });

  test("nor does another strategy or name", async () => {
    expect(await opened(await create({}, "oauth2"))).toEqual({});
    expect(await opened(await create({}, "oidc", "another"))).toEqual({});
  });
});

test("what the control plane keeps to itself is not lent, and what it changes is", async () => {
  const id = await create();
  const [connection] = list(await lending.main("GET", "/api/v2/connections?name=shared"));
  const path = `/api/v2/connections/${String(connection?.["id"])}`;
  object(await lending.main("PATCH", path, { options: { ...theirs, client_secret: "hush-anew" } }));
  expect(await opened(id)).toEqual({ "/client_secret": "hush-anew" });
  object(await lending.main("PATCH", path, { metadata: { sync: "false" } }));
  expect(await opened(id)).toEqual({});
  object(await lending.main("PATCH", path, { metadata: { sync: null } }));
  expect(await lending.main("DELETE", path)).toMatchObject({ status: 204 });
  expect(await opened(id)).toEqual({});
});

test("the tenant sees what it set itself and nothing else, wherever it looks, and cannot carry it off", async () => {
  const id = await create();
  const shown = object(await lending.other("GET", `/api/v2/connections/${id}`));
  expect(shown["options"]).toEqual({
    type: "back_channel",
    attribute_map: { mapping_mode: "bind_all" },
    connection_settings: { pkce: "auto" },
  });
  // Written back as it was read, it is what it was.
  const { id: _, name: _name, strategy: _strategy, ...body } = shown;
  object(await lending.other("PATCH", `/api/v2/connections/${id}`, body));
  expect(await opened(id)).toEqual({ "/client_secret": "hush-of-main" });
  const client = text(await lending.other.create("/api/v2/clients", { name: "App" }), "client_id");
  const places = ["connections", `connections/${id}`, `clients/${client}/connections`, `connections/${id}/clients`, "logs?per_page=100"];
  for (const place of places) {
    const said = JSON.stringify(await lending.other("GET", `/api/v2/${place}`));
    for (const theirsAlone of Object.values(theirs)) expect(said).not.toContain(theirsAlone);
  }
  // Nor is a sealed text of the control plane's in the tenant's records.
  const rows = await tenantData(data.collections, "other").connections.find({
    where: {},
    orderBy: { fields: ["id"], direction: "asc" },
    limit: 50,
  });
  expect(rows.find((row) => row.id === id)).toMatchObject({ secrets: {}, seal: "" });
});
