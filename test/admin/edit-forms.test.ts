import { beforeEach, describe, expect, test } from "vitest";
import { jsonBody, list, stringMember } from "../support/api.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

let opened: TestConsole;
let browser: ConsoleBrowser;
beforeEach(async () => {
  opened = await openConsole();
  browser = await opened.signIn(opened.administrator);
});

const location = (response: Response): string | null => response.headers.get("location");
const get = async (path: string) => jsonBody(await opened.service.manage("GET", `/api/v2/${path}`));
const create = async (path: string, body: object): Promise<string> =>
  stringMember(await opened.service.manage.create(`/api/v2/${path}`, body), "id");

/** Returns the hidden fields of a page with the texts that it shows. */
const shownBefore = (html: string): { readonly [name: string]: string } =>
  Object.fromEntries([...html.matchAll(/name="(before_[^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]));

/** Opens the form of a page and submits it with changed fields. Fields that are not named keep their texts. */
async function edit(path: string, fields: { readonly [name: string]: string }): Promise<Response> {
  const before = shownBefore(await browser.page(path));
  const same = Object.fromEntries(Object.entries(before).map(([name, value]) => [name.slice("before_".length), value]));
  return browser.submit(path, { ...before, ...same, ...fields });
}

describe("a form of a record", () => {
  test("changes only what differs from the shown page, so that a change of another operator stays", async () => {
    const id = await create("roles", { name: "Clerk", description: "Serves" });
    const before = shownBefore(await browser.page(`roles/${id}/edit`));
    await opened.service.manage("PATCH", `/api/v2/roles/${id}`, { description: "Serves customers" });
    const saved = await browser.submit(`roles/${id}/edit`, { ...before, name: "Manager", description: "Serves" });
    expect(location(saved)).toBe(`/admin/roles/${id}?done=saved`);
    expect(await get(`roles/${id}`)).toMatchObject({ name: "Manager", description: "Serves customers" });
    expect(location(await edit(`roles/${id}/edit`, {}))).toBe(`/admin/roles/${id}?done=unchanged`);
  });

  test("keeps what was typed if the service rejects it", async () => {
    const id = await create("organizations", { name: "acme" });
    const rejected = await edit(`organizations/${id}/edit`, { name: "Not A Name!", display_name: "Typed" });
    const html = await rejected.text();
    expect([rejected.status, html.includes('value="Not A Name!"'), html.includes('value="Typed"')]).toEqual([400, true, true]);
    expect(html).toContain('name="before_name" value="acme"');
    await edit(`organizations/${id}/edit`, { display_name: "Acme Ltd" });
    expect(await get(`organizations/${id}`)).toMatchObject({ name: "acme", display_name: "Acme Ltd" });
  });

  test("is not shown to an operator who may only read, and its request is rejected", async () => {
    const id = await create("roles", { name: "Clerk" });
    const auditor = await opened.signIn(await opened.addOperator("auditor@example.test", ["read:roles", "read:resource_servers"]));
    expect(await auditor.page(`roles/${id}`)).not.toContain("/edit");
    expect((await auditor.submit(`roles/${id}/edit`, { before_name: "Clerk", name: "Owner", before_description: "" })).status).toBe(403);
    expect((await auditor.submit("apis/new", { name: "x", identifier: "https://x.example.test" })).status).toBe(403);
    expect(await get(`roles/${id}`)).toMatchObject({ name: "Clerk" });
  });
});

describe("APIs", () => {
  test("are registered, edited and deleted", async () => {
    const created = await browser.submit("apis/new", { name: "Shop", identifier: "https://shop.example.test" });
    const [, id = ""] = /^\/admin\/apis\/(\w+)\/permissions\?done=api-created$/.exec(location(created) ?? "") ?? [];
    expect((await browser.submit("apis/new", { name: "Shop", identifier: "https://shop.example.test" })).status).toBe(400);
    const settings = { token_lifetime: "600", enforce_policies: "true", "subject_type_authorization.user.policy": "deny_all" };
    expect(location(await edit(`apis/${id}/edit`, settings))).toBe(`/admin/apis/${id}?done=saved`);
    const saved = await get(`resource-servers/${id}`);
    expect(saved).toMatchObject({
      token_lifetime: 600,
      enforce_policies: true,
      subject_type_authorization: { user: { policy: "deny_all" } },
    });
    expect((await edit(`apis/${id}/edit`, { token_lifetime: "soon" })).status).toBe(400);
    expect(location(await browser.submit(`apis/${id}/delete`, {}))).toBe("/admin/apis?done=api-deleted");
    await browser.page(`apis/${id}`, 404);
  });

  test("get permissions as lines, and lose those that are removed", async () => {
    const id = await create("resource-servers", { name: "Shop", identifier: "https://shop.example.test", scopes: [{ value: "old:one" }] });
    await edit(`apis/${id}/permissions/edit`, { permissions: "read:orders See orders\r\n\r\n  write:orders  \r\n" });
    expect(await get(`resource-servers/${id}`)).toMatchObject({
      scopes: [{ value: "read:orders", description: "See orders" }, { value: "write:orders" }],
    });
    expect((await edit(`apis/${id}/permissions/edit`, { permissions: '"quoted"' })).status).toBe(400);
    // Another operator adds a permission while the form is open.
    const scopes = [{ value: "read:orders" }, { value: "write:orders" }, { value: "added:elsewhere", description: "By another" }];
    await opened.service.manage("PATCH", `/api/v2/resource-servers/${id}`, { scopes });
    await browser.submit(`apis/${id}/permissions/edit`, {
      before_permissions: "read:orders See orders\nwrite:orders",
      permissions: "read:orders See all orders\nnew:orders",
    });
    const merged = jsonBody(await opened.service.manage("GET", `/api/v2/resource-servers/${id}`))["scopes"];
    expect(merged).toEqual([
      { value: "read:orders", description: "See all orders" },
      { value: "added:elsewhere", description: "By another" },
      { value: "new:orders" },
    ]);
  });

  test("of the service cannot be changed", async () => {
    const [system] = list(await opened.service.manage("GET", "/api/v2/resource-servers")).filter((one) => one["is_system"] === true);
    const id = String(system?.["id"]);
    expect(await browser.page(`apis/${id}`)).not.toContain(`${id}/edit`);
    expect((await browser.submit(`apis/${id}/delete`, {})).status).toBe(403);
  });
});

describe("connections", () => {
  const secret = "the-secret-of-the-provider";

  test("are created step by step, with the callback URL for the provider", async () => {
    expect(await browser.page("connections/new")).toContain("/admin/connections/new/oidc");
    const html = await browser.page("connections/new/oidc");
    expect(html).toContain(`${opened.service.postern.issuer}login/callback`);
    const settings = { "options.issuer": "https://idp.example.test", "options.client_id": "c", "options.client_secret": secret };
    const rejected = await browser.submit("connections/new/oidc", { name: "no spaces allowed", ...settings });
    expect([rejected.status, (await rejected.text()).includes(secret)]).toEqual([400, false]);
    const created = await browser.submit("connections/new/oidc", { name: "acme", ...settings });
    const [, id = ""] = /^\/admin\/connections\/(con_\w+)\/apps\?done=connection-created$/.exec(location(created) ?? "") ?? [];
    expect(await get(`connections/${id}`)).toMatchObject({
      strategy: "oidc",
      name: "acme",
      options: { issuer: "https://idp.example.test", client_id: "c" },
    });
  });

  test.each(["auth0", "email", "sms", "google-oauth2", "github", "waad", "okta", "apple", "oauth2", "windowslive"])(
    "of the strategy %s are created from their form",
    async (strategy) => {
      const html = await browser.page(`connections/new/${strategy}`);
      const fields = [...html.matchAll(/name="(options\.[\w.]+)"/g)].map(([, name = ""]) => name);
      const values = Object.fromEntries(
        fields.flatMap((name) =>
          /disable_signup|passwordPolicy/.test(name)
            ? []
            : [[name, /URL|endpoint/.test(name) ? "https://idp.example.test/x" : "example.test"]],
        ),
      );
      const created = await browser.submit(`connections/new/${strategy}`, { name: "acme", ...values });
      expect([strategy, location(created)]).toEqual([strategy, expect.stringContaining("done=connection-created")]);
    },
  );

  test("of passwords have the default policy unless the operator chooses another one", async () => {
    const html = await browser.page("connections/new/auth0");
    const [, first] =
      /<select[^>]*name="options.passwordPolicy"[^>]*><option[^>]* value="([^"]*)"|<select[^>]*name="options.passwordPolicy"[^>]*><option value="([^"]*)"/.exec(
        html,
      ) ?? [];
    expect(first ?? "").toBe("");
    const created = await browser.submit("connections/new/auth0", { name: "people", "options.passwordPolicy": "" });
    const [, id = ""] = /connections\/(con_\w+)\//.exec(location(created) ?? "") ?? [];
    expect(await get(`connections/${id}`)).toMatchObject({ options: { passwordPolicy: "good" } });
  });

  test("with a strategy that the service does not support are not offered", async () => {
    await browser.page("connections/new/samlp", 404);
    await browser.page("connections/new/__proto__", 404);
  });

  test("keep their secret and their further settings if they are edited", async () => {
    const id = await create("connections", {
      name: "acme",
      strategy: "oidc",
      options: { issuer: "https://idp.example.test", client_id: "c", client_secret: secret, scope: "openid groups" },
    });
    expect(await browser.page(`connections/${id}/edit`)).not.toContain(secret);
    expect(location(await edit(`connections/${id}/edit`, { "options.client_id": "other", show_as_button: "true" }))).toContain(
      "done=saved",
    );
    expect(await get(`connections/${id}`)).toMatchObject({
      show_as_button: true,
      options: { issuer: "https://idp.example.test", client_id: "other", scope: "openid groups" },
    });
    // Another provider must not receive the stored secret.
    expect((await edit(`connections/${id}/edit`, { "options.issuer": "https://evil.example.test" })).status).toBe(400);
    const both = { "options.issuer": "https://new.example.test", "options.client_secret": "another-secret" };
    expect(location(await edit(`connections/${id}/edit`, both))).toContain("done=saved");
  });

  test("are deleted only if their name is typed", async () => {
    const id = await create("connections", { name: "acme", strategy: "email" });
    for (const typed of ["", "Acme", "acm"]) expect((await browser.submit(`connections/${id}/delete`, { typed })).status).toBe(400);
    expect(location(await browser.submit(`connections/${id}/delete`, { typed: "acme" }))).toBe(
      "/admin/connections?done=connection-deleted",
    );
    await browser.page(`connections/${id}`, 404);
  });

  test("are changed only after a recent sign-in", async () => {
    const id = await create("connections", { name: "acme", strategy: "email" });
    opened.service.clock.advance("11m");
    for (const path of [`connections/${id}/edit`, `connections/${id}/delete`, "connections/new/oidc"])
      expect([path, (await browser.send(path)).status]).toEqual([path, 303]);
  });
});
