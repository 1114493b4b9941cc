import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { consoleScopes } from "../../packages/admin/src/console-scopes.ts";
import { rolePresets } from "../../packages/admin/src/role-presets.ts";
import { list } from "../support/api.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

let opened: TestConsole;
beforeEach(async () => {
  opened = await openConsole();
});

const location = (response: Response): string => response.headers.get("location") ?? "";
const roles = async () => list(await opened.service.manage("GET", "/api/v2/roles")).map(({ name }) => name);

/** Creates a role from a preset in the console, and signs in a user who has only this role. */
async function operatorWith(preset: string): Promise<ConsoleBrowser> {
  const browser = await opened.signIn(opened.administrator);
  const created = await browser.submit("roles/presets", { preset });
  const [, role = ""] = /\/roles\/(rol_\w+)\?done=role-created$/.exec(location(created)) ?? [];
  const user = await opened.service.addUser("operator@example.test");
  await opened.service.manage("POST", `/api/v2/users/${encodeURIComponent(user.userId)}/roles`, { roles: [role] });
  return opened.signIn(user);
}

/** Pages that an operator can open (200) or not (403), by the preset. */
const promised: { readonly [preset: string]: { readonly open: readonly string[]; readonly closed: readonly string[] } } = {
  support: {
    open: ["users", "users/:id", "users/:id/sessions", "users/:id/factors", "logs", "organizations"],
    closed: ["users/new", "users/:id/delete", "apps", "connections", "apis", "roles/new", "settings/keys", "settings/domains"],
  },
  "user-admin": {
    open: ["users", "users/:id", "users/new", "users/:id/sessions", "organizations", "apps", "connections", "logs"],
    closed: ["apps/new", "apis", "settings/keys", "settings/domains", "settings/streams"],
  },
  "app-admin": {
    open: ["apps", "connections", "apis", "logs", "connections/new/oidc"],
    closed: ["users", "users/:id", "organizations", "roles", "settings/keys", "settings/domains"],
  },
  auditor: {
    open: [
      "users",
      "users/:id",
      "apps",
      "connections",
      "apis",
      "roles",
      "organizations",
      "logs",
      "settings",
      "settings/keys",
      "settings/streams",
    ],
    closed: [],
  },
};

/** Calls of the Management API that change something, by the scope that they need. */
const changes: readonly (readonly [scope: string, method: string, path: string, body?: object])[] = [
  ["update:users", "PATCH", "/api/v2/users/:id", { name: "B" }],
  ["create:user_tickets", "POST", "/api/v2/tickets/password-change", { user_id: ":id" }],
  ["delete:sessions", "DELETE", "/api/v2/users/:id/sessions"],
  [
    "create:users",
    "POST",
    "/api/v2/users",
    { connection: "Username-Password-Authentication", email: "n@example.test", password: "correct horse battery" },
  ],
  ["delete:users", "DELETE", "/api/v2/users/:id"],
  ["create:clients", "POST", "/api/v2/clients", { name: "New" }],
  ["create:connections", "POST", "/api/v2/connections", { name: "new", strategy: "oidc", options: {} }],
  ["create:resource_servers", "POST", "/api/v2/resource-servers", { name: "New", identifier: "https://new.example.test" }],
  ["create:roles", "POST", "/api/v2/roles", { name: "New" }],
  ["create:organizations", "POST", "/api/v2/organizations", { name: "new" }],
  ["update:tenant_settings", "PATCH", "/api/v2/tenants/settings", { friendly_name: "New" }],
  ["update:attack_protection", "PATCH", "/api/v2/attack-protection/brute-force-protection", { enabled: true }],
  ["create:custom_domains", "POST", "/api/v2/custom-domains", { domain: "n.example.test", type: "self_managed_certs" }],
  ["update:signing_keys", "POST", "/api/v2/keys/signing/rotate"],
];

describe.each(Object.keys(promised))("the preset %s", (preset) => {
  const scopes = rolePresets[preset]?.scopes ?? [];

  test("opens the promised pages of the console, and no other", async () => {
    const operator = await operatorWith(preset);
    const of = (path: string): string => path.replace(":id", encodeURIComponent(opened.service.bob.userId));
    for (const path of promised[preset]?.open ?? [])
      expect([path, (await operator.page(of(path))).includes("Your roles do not")]).toEqual([path, false]);
    for (const path of promised[preset]?.closed ?? []) {
      const response = await operator.send(of(path));
      // A form that the operator can open is refused when it is sent.
      const refused = response.status === 403 ? response : await operator.submit(of(path), { name: "x", typed: "x" });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });

  test("changes what its scopes allow, and nothing else", async () => {
    const { service } = opened;
    const user = await opened.addOperator("direct@example.test", scopes);
    const { clientId } = await service.register({ grant_types: ["password"] });
    await service.data.collections.clients.update({ tenant_id: "main", client_id: clientId }, { set: { may_administer: true } });
    const audience = `${service.postern.issuer}api/v2/`;
    const grant = { grant_type: "password", client_id: clientId, username: user.email, password: user.password, audience };
    const { body } = await service.exchange({ ...grant, scope: consoleScopes.join(" ") });
    const token: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "access_token") : undefined;
    for (const [scope, method, path, sent] of changes) {
      const id = service.bob.userId;
      const target = path.replace(":id", encodeURIComponent(id));
      const filled: unknown = sent === undefined ? undefined : JSON.parse(JSON.stringify(sent).replace(":id", id));
      const { status } = await service.call(method, target, { token: String(token), ...(filled !== undefined && { body: filled }) });
      expect([scope, status === 403]).toEqual([scope, !scopes.includes(scope)]);
    }
  });
});

test("a preset has only scopes that the console requests, and the auditor's only read", () => {
  for (const { scopes } of Object.values(rolePresets)) {
    expect(consoleScopes).toEqual(expect.arrayContaining([...scopes]));
    expect(new Set(scopes).size).toBe(scopes.length);
  }
  // With a new secret, an operator could act as a client that has every permission.
  for (const { scopes } of Object.values(rolePresets)) expect(scopes).not.toContain("update:client_keys");
  expect(rolePresets["auditor"]?.scopes.filter((scope) => !scope.startsWith("read:"))).toEqual([]);
});

test("no preset is a role until an operator asks for it, and a second request changes nothing", async () => {
  const before = await roles();
  const browser = await opened.signIn(opened.administrator);
  expect(await browser.page("roles")).toContain("Create from a preset");
  expect(await browser.page("roles/presets")).toContain("create:user_tickets");
  expect(await roles()).toEqual(before);
  await Promise.all([1, 2].map(() => browser.submit("roles/presets", { preset: "support" })));
  expect((await browser.submit("roles/presets", { preset: "support" })).status).toBe(400);
  expect(new Set(await roles())).toEqual(new Set([...before, "Support"]));
  expect(await roles()).toHaveLength(before.length + 1);
  for (const preset of ["unknown", "constructor", ""]) expect((await browser.submit("roles/presets", { preset })).status).toBe(404);
});

test("a role whose permissions cannot be stored is deleted, so that a retry succeeds", async () => {
  const data = createMemoryAdapter();
  const { role_permissions: stored } = data.collections;
  let isBroken = false;
  const insert: typeof stored.insert = (rows) => (isBroken ? Promise.reject(new Error("broken")) : stored.insert(rows));
  const collections = { ...data.collections, role_permissions: { ...stored, insert } };
  opened = await openConsole({}, { data: { ...data, collections } });
  const browser = await opened.signIn(opened.administrator);
  const before = await roles();
  isBroken = true;
  expect((await browser.submit("roles/presets", { preset: "support" })).status).toBeGreaterThanOrEqual(500);
  expect(await roles()).toEqual(before);
  isBroken = false;
  expect(location(await browser.submit("roles/presets", { preset: "support" }))).toContain("done=role-created");
});

test("an operator cannot create a role with permissions that the operator lacks", async () => {
  const operator = await opened.signIn(await opened.addOperator("roles@example.test", ["read:roles", "create:roles", "update:roles"]));
  const html = await operator.page("roles/presets");
  expect([html.includes("You cannot create this role"), html.includes("Create role Support")]).toEqual([true, false]);
  const before = await roles();
  expect((await operator.submit("roles/presets", { preset: "support" })).status).toBe(403);
  expect(await roles()).toEqual(before);
});
