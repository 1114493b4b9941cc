import { beforeAll, describe, expect, test } from "vitest";
import { consoleScopes } from "../../packages/admin/src/console-scopes.ts";
import { jsonBody, list, stringMember } from "../support/api.ts";
import type { TestAccount } from "../support/flow.ts";
import { managementAudience } from "../support/postern.ts";
import { attemptedFields, changedBy } from "./change-attempts.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";
import { fillConsoleTenant } from "./filled-tenant.ts";

/** An operator who is a member of one tenant learns nothing about the other tenants and the control plane. */

const marker = "Confidential value";
/** Texts of the control plane and of the tenant `globex`. */
const secrets = [marker, "globex", "rival.example.test"];

let plane: TestConsole;
let screens: readonly string[];
let member: TestAccount;
let browser: ConsoleBrowser;

beforeAll(async () => {
  // Every member of a tenant may do everything there.
  plane = await openConsole({ isControlPlane: true }, { defaultPermissions: consoleScopes });
  const { manage, postern, addUser } = plane.service;
  jsonBody(await manage("POST", "/tenants", { id: "initech", name: "initech", friendly_name: "Initech" }), 201);
  jsonBody(await manage("POST", "/tenants", { id: "globex", name: "globex", friendly_name: marker }), 201);
  const rival = { connection: "Username-Password-Authentication", email: "ada@rival.example.test", password: "correct horse battery" };
  await postern.tenant("globex").users.create({ ...rival, name: marker });
  await postern.tenant("initech").users.create({ ...rival, email: "own@initech.example.test" });
  screens = await fillConsoleTenant(plane, marker);
  member = await addUser("member@initech.example.test");
  const organization = stringMember(jsonBody(await manage("GET", "/api/v2/organizations/name/initech")), "id");
  await manage("POST", `/api/v2/organizations/${organization}/members`, { members: [member.userId] });
  browser = await plane.signIn(member);
});

/** Requests a page. @returns its status, and the texts of others that it contains. */
async function leaks(path: string, headers: { readonly [name: string]: string } = {}): Promise<readonly [number, readonly string[]]> {
  const response = await browser.send(path, { headers });
  const html = await response.text();
  return [response.status, secrets.filter((secret) => html.includes(secret))];
}

test("a member opens the own tenant, whose screens show no other", async () => {
  expect((await browser.open("t/initech/")).slice(0, 2)).toEqual(["/admin/t/initech/", 200]);
  for (const path of screens) {
    const [status, texts] = await leaks(`t/initech/${path}`);
    // The records of the control plane do not exist here. A tenant inherits only its roles and APIs.
    const found = [status, texts.filter((text) => text !== marker || !/roles|apis|permissions|search/.test(path))];
    expect([path, found]).toEqual([path, [expect.toSatisfy((one: number) => [200, 403, 404].includes(one)), []]]);
  }
});

test("a member sees no screen of another tenant, and changes nothing there", async () => {
  plane.calls.length = 0;
  for (const path of screens) {
    const [status, found] = await leaks(`t/globex/${path}`);
    // The page names the tenant only in the links of its navigation, if at all.
    expect([path, status, found.filter((text) => text !== "globex")]).toEqual([path, 403, []]);
    expect([path, (await browser.submit(`t/globex/${path}`, attemptedFields)).status]).toEqual([path, 403]);
  }
  expect(plane.calls).toEqual([]);
});

test("another tenant and an unknown one have the same page", async () => {
  const pages = await Promise.all(["globex", "unknown"].map(async (id) => (await browser.page(`t/${id}/users`, 403)).replaceAll(id, "x")));
  expect(pages[0]).toBe(pages[1]);
});

test("a member sees no record of the control plane, and changes nothing there", async () => {
  for (const path of screens) {
    await browser.open("t/main/");
    const found = await leaks(`t/main/${path}`);
    expect([path, found]).toEqual([path, [expect.toSatisfy((one: number) => [200, 403].includes(one)), []]]);
  }
  expect(
    await changedBy(
      plane,
      browser,
      screens.map((path) => `t/main/${path}`),
    ),
  ).toEqual([]);
});

describe("the search palette", () => {
  test.each(["t/initech/", "t/main/"])("of %s finds nothing of others", async (tenant) => {
    await browser.open(tenant);
    for (const q of ["globex", "ada@rival", "corporate", "filled@example.test", ...(tenant === "t/main/" ? ["Confidential"] : [])]) {
      const response = await browser.send(`${tenant}search?${new URLSearchParams({ q })}`, { headers: { accept: "application/json" } });
      expect([q, response.status, await response.json()]).toEqual([q, 200, { found: [] }]);
    }
  });

  test("of another tenant does not respond", async () => {
    const [status, found] = await leaks("t/globex/search?q=ada", { accept: "application/json" });
    expect([status, found.filter((text) => text !== "globex")]).toEqual([403, []]);
  });
});

describe("the list of tenants", () => {
  test("is not shown to members who may not list tenants", async () => {
    await browser.open("t/main/");
    expect(await leaks("tenants")).toEqual([403, []]);
  });

  test("has only the tenants of the member, and counts no other", async () => {
    const { manage } = plane.service;
    const role = stringMember(await manage.create("/api/v2/roles", { name: "Tenants" }), "id");
    const permissions = [{ resource_server_identifier: managementAudience, permission_name: "read:tenants" }];
    await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
    await manage("POST", `/api/v2/users/${encodeURIComponent(member.userId)}/roles`, { roles: [role] });
    expect(list(await manage("GET", "/tenants?per_page=50"), "tenants").length).toBeGreaterThan(1);
    browser = await plane.signIn(member);
    const html = await browser.page("tenants");
    expect(html).toContain('href="/admin/t/initech/"');
    expect(html.match(/<tr>/g)).toHaveLength(2);
    expect(html).toContain("1 row");
    expect(await leaks("tenants?page=2")).toEqual([200, []]);
    expect(await leaks("tenants")).toEqual([200, []]);
  });
});

test("a member who leaves the tenant is out at the next request", async () => {
  const { manage } = plane.service;
  const organization = stringMember(jsonBody(await manage("GET", "/api/v2/organizations/name/initech")), "id");
  expect((await browser.open("t/initech/"))[1]).toBe(200);
  await manage("DELETE", `/api/v2/organizations/${organization}/members`, { members: [member.userId] });
  // The session was for the tenant's organization, so it ends with the membership.
  expect((await browser.send("t/initech/")).status).toBe(303);
  const [, status, html] = await browser.open("t/initech/");
  expect([status, html.includes("You are not a member of this tenant")]).toEqual([403, true]);
});
