import { beforeEach, describe, expect, test } from "vitest";
import { list, stringMember } from "../support/api.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

const shop = "https://api.shop.example.test";
let opened: TestConsole;
let browser: ConsoleBrowser;
let role: string;
let edit: string;
beforeEach(async () => {
  opened = await openConsole();
  const { manage } = opened.service;
  const scopes = [{ value: "read:orders", description: "See orders" }, { value: "write:orders" }];
  await manage.create("/api/v2/resource-servers", { name: "Shop API", identifier: shop, scopes });
  role = stringMember(await manage.create("/api/v2/roles", { name: "Clerk", description: "Serves customers" }), "id");
  edit = `roles/${role}/permissions/edit?${new URLSearchParams({ api: shop })}`;
  browser = await opened.signIn(opened.administrator);
});

const location = (response: Response): string | null => response.headers.get("location");
const readPermissions = async () =>
  list(await opened.service.manage("GET", `/api/v2/roles/${role}/permissions`)).map((one) => one["permission_name"]);

describe("roles", () => {
  test("are found by a part of their name, and by their id", async () => {
    for (const path of ["roles?q=LER", "search?q=cle"]) expect(await browser.page(path)).toContain("Clerk");
    expect(await browser.page("roles?q=nothing")).toContain("No role matches");
    expect(location(await browser.send(`search?q=${role}`))).toBe(`/admin/roles/${role}`);
  });

  test("are created, and deleted after a confirmation", async () => {
    const created = await browser.submit("roles/new", { name: "Manager", description: "Leads" });
    expect(location(created)).toMatch(/^\/admin\/roles\/rol_\w+\?done=role-created$/);
    expect((await browser.submit("roles/new", { name: "Clerk" })).status).toBe(400);
    const invalid = await browser.submit("roles/new", { name: "", description: "Typed" });
    expect([invalid.status, (await invalid.text()).includes('value="Typed"')]).toEqual([400, true]);
    expect(await browser.page(`roles/${role}/delete`)).toContain("This cannot be undone.");
    expect(location(await browser.submit(`roles/${role}/delete`, {}))).toBe("/admin/roles?done=role-deleted");
    await browser.page(`roles/${role}`, 404);
  });

  test("get and lose permissions of an API, without a change of those of another API", async () => {
    const users = [{ resource_server_identifier: `${opened.service.postern.issuer}api/v2/`, permission_name: "read:users" }];
    await opened.service.manage("POST", `/api/v2/roles/${role}/permissions`, { permissions: users });
    const html = await browser.page(edit);
    expect([html.includes('value="read:orders"'), html.includes('value="read:users"')]).toEqual([true, false]);
    const added = await browser.submit(edit, { before: "[]", choice: "read:orders" });
    expect(location(added)).toBe(`/admin/roles/${role}?done=permissions`);
    expect(new Set(await readPermissions())).toEqual(new Set(["read:orders", "read:users"]));
    expect(await browser.page(`roles/${role}`)).toContain("Shop API");
    expect(location(await browser.submit(edit, { before: '["read:orders"]', choice: "read:orders" }))).toContain("done=unchanged");
    await browser.submit(edit, { before: '["read:orders"]' });
    expect(await readPermissions()).toEqual(["read:users"]);
  });

  test.each(["no json", "{}", "null", '[1,{"a":1}]'])("change nothing if the hidden list is %s", async (before) => {
    expect(location(await browser.submit(edit, { before }))).toContain("done=unchanged");
  });

  test("cannot get a permission that the operator lacks", async () => {
    const scopes = ["read:roles", "update:roles", "read:resource_servers"];
    const operator = await opened.signIn(await opened.addOperator("roles@example.test", scopes));
    const management = `${opened.service.postern.issuer}api/v2/`;
    const path = `roles/${role}/permissions/edit?${new URLSearchParams({ api: management })}`;
    expect((await operator.submit(path, { before: "[]", choice: "delete:users" })).status).toBe(403);
    expect(await readPermissions()).toEqual([]);
  });

  test("show their users, and who may not change them sees no button", async () => {
    const { bob, manage } = opened.service;
    await manage("POST", `/api/v2/users/${encodeURIComponent(bob.userId)}/roles`, { roles: [role] });
    expect(await browser.page(`roles/${role}/users`)).toContain("bob@example.test");
    const auditor = await opened.signIn(await opened.addOperator("auditor@example.test", ["read:roles"]));
    expect(await auditor.page(`roles/${role}`)).not.toContain("Change permissions");
    expect(await auditor.page("roles")).not.toContain("New role");
    expect((await auditor.submit(`roles/${role}/delete`, {})).status).toBe(403);
  });

  test("with more permissions than one page are edited completely", async () => {
    const scopes = Array.from({ length: 150 }, (_, index) => ({ value: `scope:${String(index).padStart(3, "0")}` }));
    const identifier = "https://large.example.test";
    await opened.service.manage.create("/api/v2/resource-servers", { name: "Large", identifier, scopes });
    const permissions = scopes.map(({ value }) => ({ resource_server_identifier: identifier, permission_name: value }));
    await opened.service.manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
    const html = await browser.page(`roles/${role}/permissions/edit?${new URLSearchParams({ api: identifier })}`);
    expect(html.match(/name="choice"[^>]*checked/g)).toHaveLength(150);
    const seen: string[] = [];
    for (let path = `roles/${role}`; path !== "";) {
      const page = await browser.page(path);
      seen.push(...[...page.matchAll(/<code>(scope:\d+)</g)].map(([, name = ""]) => name));
      path = (/href="([^"]+)" rel="next"/.exec(page)?.[1] ?? "").replaceAll("&amp;", "&");
    }
    expect([seen.length, new Set(seen).size]).toEqual([150, 150]);
  });
});

test("APIs are listed with their permissions and settings", async () => {
  const html = await browser.page("apis");
  const [, id = ""] = /href="\/admin\/apis\/(\w+)"><bdi>Shop API/.exec(html) ?? [];
  expect(await browser.page(`apis/${id}`)).toContain("86400 seconds");
  expect(await browser.page(`apis/${id}/permissions`)).toContain("See orders");
  expect(await browser.page(`apis/${id}/raw`)).toContain(shop);
});

test("APIs are found by the start of their name or identifier, and by their id", async () => {
  const [api] = list(await opened.service.manage("GET", `/api/v2/resource-servers?identifiers=${shop}`));
  for (const typed of ["shop", "Shop A", "https://api.shop", shop, String(api?.["id"])]) {
    for (const path of ["apis", "search"]) {
      const response = await browser.send(`${path}?${new URLSearchParams({ q: typed })}`);
      expect([path, typed, response.status === 303 || (await response.text()).includes("Shop API")]).toEqual([path, typed, true]);
    }
  }
  expect(location(await browser.send(`search?q=${String(api?.["id"])}`))).toBe(`/admin/apis/${String(api?.["id"])}`);
  expect(await browser.page("apis?q=nothing")).toContain("No API matches");
  const operator = await opened.addOperator("support@example.test", ["read:users"]);
  expect(await (await opened.signIn(operator)).page("search?q=shop")).toContain("APIs are not searched, because your roles do not include");
});
