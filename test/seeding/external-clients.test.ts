import { expect, test } from "vitest";
import { createTestPostern } from "../support/postern.ts";

const audience = "https://mcp.example.test/mcp";
const seed = {
  tenantId: "agents",
  apis: [{ identifier: audience, scopes: [{ value: "tools:read" }, { value: "tools:write" }] }],
  externalClients: {
    metadataDocuments: true,
    documentHosts: ["claude.ai"],
    registration: true,
    passwords: true,
    grants: { [audience]: ["tools:read"] },
  },
};

test("a seed lets clients register themselves with a new tenant, and seeding again writes nothing", async () => {
  const { postern } = await createTestPostern();
  const { created } = await postern.seed(seed);
  expect(created).toEqual(expect.arrayContaining(["external clients", `grant of external clients for '${audience}'`]));
  const tenant = postern.tenant("agents");
  expect(await tenant.settings.get()).toMatchObject({
    client_id_metadata_document_supported: true,
    client_id_metadata_document_domains: ["claude.ai"],
    flags: { enable_dynamic_client_registration: true },
  });
  expect(await tenant.connections.list({ name: "Username-Password-Authentication" })).toMatchObject([{ is_domain_connection: true }]);
  expect(await tenant.clientGrants.list({ default_for: "third_party_clients" })).toMatchObject([
    { default_for: "third_party_clients", audience, scope: ["tools:read"], subject_type: "user" },
  ]);
  expect(await postern.seed(seed)).toEqual({ created: [], changed: [], differences: [] });
});

test("an existing tenant keeps its settings, the seed reports the differences, and 'sync' applies them", async () => {
  const { postern } = await createTestPostern();
  await postern.seed(seed);
  const other = { ...seed, externalClients: { ...seed.externalClients, registration: false, grants: { [audience]: ["tools:write"] } } };
  const { differences } = await postern.seed(other);
  expect(differences.map(({ subject, field }) => `${subject}: ${field}`)).toEqual([
    "external clients: registration",
    `grant of external clients for '${audience}': scope`,
  ]);
  const { changed } = await postern.seed({ ...other, externalClients: { ...other.externalClients, sync: true } });
  expect(changed).toEqual(["external clients", `grant of external clients for '${audience}'`]);
  const { flags } = await postern.tenant("agents").settings.get();
  expect(flags).toMatchObject({ enable_dynamic_client_registration: false });
});
