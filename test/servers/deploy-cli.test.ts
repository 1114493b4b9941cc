import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { auditEvents, list, managerOf, jsonBody, type JsonBody, type Manager } from "../support/api.ts";
import { deployCliFor, filesIn, type DeployCli } from "../support/deploy-cli.ts";
import { fillTenant } from "../support/rich-tenant.ts";
import { serveTls, type TlsPostern } from "../support/tls.ts";

/** Exports a tenant to files with Auth0's unmodified Deploy CLI and imports them into another tenant. */

let service: TlsPostern;
let cli: DeployCli;
let source: Manager;
let target: Manager;
/** The folder that the first tenant was exported to. */
let exported: string;

beforeAll(async () => {
  // Both tenants inherit nothing from the control plane. A tenant does not import what it inherits.
  service = await serveTls(() => ({ controlPlane: { tenantId: "head" } }));
  await service.postern.seed({ tenantId: "head" });
  cli = deployCliFor(service);
  source = await managerOf(service, "main");
  target = await managerOf(service, "other");
  const pem = await fillTenant(source);
  // The system role of administrators, which no route can change.
  await service.postern.seed({
    tenantId: "main",
    user: { email: "admin@example.test", password: "a-long-Password-1", managesTenant: true },
  });
  exported = await cli.export("main");
  // Exports contain no key material. An import of a client with `private_key_jwt` needs its public key added to the
  // file.
  const signed = join(exported, "clients/Signed job.json");
  writeFileSync(signed, readFileSync(signed, "utf8").replace(`"name": "First"`, `"name": "First", "pem": ${JSON.stringify(pem)}`));
}, 300_000);

afterAll(async () => {
  await service.close();
  cli.close();
  expect(service.faults).toEqual([]);
});

/** One file of each resource type. */
const files = [
  "attack-protection/brute-force-protection.json",
  "branding/branding.json",
  "clients/Signed job.json",
  "connections/Partner.json",
  "custom-domains/custom-domains.json",
  "database-connections/Staff/database.json",
  "emails/provider.json",
  "emails/verify_email.html",
  "grants/Job-Orders.json",
  "organizations/acme.json",
  "pages/login.html",
  "prompts/custom-text.json",
  "resource-servers/Orders.json",
  "roles/Writer.json",
  "tenant.json",
];

test("an export imported into an empty tenant and exported again yields the same files", async () => {
  expect(Object.keys(filesIn(exported))).toEqual(expect.arrayContaining(files));
  expect(filesIn(exported)["organizations/acme.json"]).toMatchObject({ client_grants: [{ client_id: "Signed job" }] });
  const { exitCode, output } = await cli.import("other", exported);
  expect({ exitCode, output }).toMatchObject({ exitCode: 0, output: expect.stringContaining("Import Successful") });
  expect(comparable(filesIn(await cli.export("other")))).toEqual(comparable(filesIn(exported)));
}, 300_000);

test("an export has empty lists of unsupported entities, and omits entities whose list is refused", () => {
  expect(filesIn(exported)["phone-providers/provider.json"]).toEqual([]);
  const folders = ["phone-templates", "forms", "flows", "self-service-profiles", "rules", "hooks", "event-streams"];
  expect(folders.filter((folder) => existsSync(join(exported, folder)))).toEqual(folders.slice(0, 4));
});

test("an import gives each client that its files enable for connections exactly these, and other clients no list", async () => {
  const { connections = [], clients = [], "client-connections": lists = [] } = await configuration("other");
  const nameOf = (id: unknown) => connections.find((one) => one["id"] === id)?.["name"];
  const named = lists.map(({ client_id: id, ids }) => [
    clients.find((one) => one["client_id"] === id)?.["name"],
    Array.isArray(ids) ? ids.map(nameOf).toSorted(byText) : ids,
  ]);
  expect(Object.fromEntries(named)).toEqual({
    Shop: ["Staff", "google"],
    "Back office": ["Partner", "Staff"],
    App: null,
    Job: null,
    "Signed job": null,
    Manager: null,
  });
}, 300_000);

test("importing an export into its own tenant does not change role permissions or the connections of clients", async () => {
  const before = await configuration("main");
  expect(before["roles"]).toContainEqual(expect.objectContaining({ name: "Administrator", is_system: true }));
  expect(before["permissions"]).toContainEqual(expect.objectContaining({ permissions: ["read:orders", "write:orders"] }));

  const { exitCode, output } = await cli.import("main", exported, { AUTH0_ALLOW_DELETE: "true" });
  expect({ exitCode, output }).toMatchObject({ exitCode: 0, output: expect.stringContaining("Import Successful") });
  expect(comparable(await configuration("main"))).toEqual(comparable(before));
  expect(comparable(filesIn(await cli.export("main")))).toEqual(comparable(filesIn(exported)));
}, 300_000);

test("a second import creates and deletes nothing, and enables and disables no connection", async () => {
  const [before, known] = [await configuration(), await writes()];
  const { exitCode, output } = await cli.import("other", exported, { AUTH0_ALLOW_DELETE: "true" });
  expect({ exitCode, output }).toMatchObject({ exitCode: 0, output: expect.stringContaining("Import Successful") });
  expect(await configuration()).toEqual(before);
  const sent = await writesAfter(known);
  expect(sent.filter((write) => !/^(PATCH|PUT) /.test(write) || write.endsWith("/clients"))).toEqual([]);
}, 300_000);

test("an import with AUTH0_ALLOW_DELETE deletes only what its files lack", async () => {
  const reduced = `${exported}-fewer`;
  cpSync(exported, reduced, { recursive: true });
  const deletedFiles = [
    "clients/App.json",
    "grants/Job-Orders.json",
    "connections/Corp.json",
    "roles/Reader.json",
    "organizations/umbrella.json",
  ];
  for (const file of deletedFiles) rmSync(join(reduced, file));
  const [before, known] = [await configuration(), await writes()];
  const { exitCode, output } = await cli.import("other", reduced, { AUTH0_ALLOW_DELETE: "true" });
  expect({ exitCode, output }).toMatchObject({ exitCode: 0, output: expect.stringContaining("Import Successful") });

  const deletions = (await writesAfter(known)).filter((write) => write.startsWith("DELETE "));
  expect(deletions.map((write) => write.split("/")[3]).toSorted(byText)).toEqual([
    "client-grants",
    "clients",
    "connections",
    "organizations",
    "roles",
  ]);
  const after = await configuration();
  for (const [key, items] of Object.entries(before)) {
    const missing = items.filter(
      ({ id, client_id: clientId }) => !after[key]?.some((item) => (id === undefined ? item["client_id"] === clientId : item["id"] === id)),
    );
    expect(missing, key).toMatchObject(expectedDeletions[key] ?? []);
    expect(after[key], key).toEqual(items.filter((item) => !missing.includes(item)));
  }
}, 300_000);

const expectedDeletions: { readonly [key: string]: readonly JsonBody[] } = {
  clients: [{ name: "App" }],
  "client-connections": [{ ids: null }],
  permissions: [{ permissions: ["read:orders"] }],
  "client-grants": [{ scope: ["read:orders"] }],
  connections: [{ name: "Corp" }],
  roles: [{ name: "Reader" }],
  organizations: [{ name: "umbrella" }],
  "organization-grants": [{ grants: [expect.any(String)] }],
};

test("an import with an invalid file fails before any write", async () => {
  const broken = `${exported}-broken`;
  cpSync(exported, broken, { recursive: true });
  writeFileSync(join(broken, "roles/Writer.json"), JSON.stringify({ name: ["no", "text"] }));
  const [before, known] = [await configuration(), await writes()];
  const { exitCode, output } = await cli.import("other", broken, { AUTH0_ALLOW_DELETE: "true" });
  expect({ exitCode, output }).toMatchObject({ exitCode: 1, output: expect.stringContaining("Schema validation failed") });
  expect(await writesAfter(known)).toEqual([]);
  expect(await configuration()).toEqual(before);
}, 300_000);

const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1);

/**
 * Returns the configuration of a tenant with its ids, and the ids of each client's list of connections. They are null for a
 * client without a list.
 */
async function configuration(tenantId: "main" | "other" = "other"): Promise<{ readonly [key: string]: readonly JsonBody[] }> {
  const tenant = tenantId === "main" ? source : target;
  const rows = await service.data.collections.clients.find({ where: { tenant_id: tenantId }, limit: 100 });
  const found: { [key: string]: readonly JsonBody[] } = {
    "client-connections": rows
      .map(({ client_id, connections: ids }) => ({ client_id, ids }))
      .toSorted((a, b) => byText(a.client_id, b.client_id)),
  };
  for (const key of ["clients", "client-grants", "connections", "resource-servers", "roles", "organizations", "custom-domains"]) {
    const items = list(await tenant("GET", `/api/v2/${key}?per_page=100`));
    // `enabled_clients` may still list a deleted client, so the clients' own connection lists are compared instead.
    found[key] = items.map(({ updated_at: _, enabled_clients: __, ...item }) => item);
  }
  for (const { id } of found["roles"] ?? []) {
    const permissions = list(await tenant("GET", `/api/v2/roles/${String(id)}/permissions`));
    found["permissions"] = [
      ...(found["permissions"] ?? []),
      { id, permissions: permissions.map((one) => one["permission_name"]).toSorted(byText) },
    ];
  }
  for (const { id } of found["organizations"] ?? []) {
    const grants = list(await tenant("GET", `/api/v2/organizations/${String(id)}/client-grants`));
    found["organization-grants"] = [...(found["organization-grants"] ?? []), { id, grants: grants.map((one) => one["id"]) }];
  }
  for (const path of ["tenants/settings", "branding", "clients/global"]) found[path] = [jsonBody(await tenant("GET", `/api/v2/${path}`))];
  return found;
}

/** Returns the audit events of the last hundred writes to the second tenant. */
const writes = async (): Promise<readonly JsonBody[]> => auditEvents(target, "sapi");

/**
 * Returns the later writes, such as `PATCH /api/v2/branding`. Leaves out role permissions, which the tool removes and
 * adds again at each import.
 */
async function writesAfter(known: readonly JsonBody[]): Promise<readonly string[]> {
  const seen = new Set(known.map((event) => event["log_id"]));
  return (await writes())
    .filter((event) => !seen.has(event["log_id"]))
    .map(({ details }) => {
      const { request } = details as { readonly request: { readonly method: string; readonly path: string } };
      return `${request.method} ${request.path}`;
    })
    .filter((write) => !write.endsWith("/permissions"));
}

/**
 * Removes members that differ between tenants (dates and ownership proofs of domains) and those that the tool adds to
 * databases.
 */
function comparable(files: { readonly [path: string]: unknown }): unknown {
  const ignored = new Set(["created_at", "verification", "disable_self_service_change_password", "pem"]);
  return JSON.parse(JSON.stringify(files, (name, value: unknown) => (ignored.has(name) ? undefined : value)));
}
