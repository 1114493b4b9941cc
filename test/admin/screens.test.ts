import { beforeAll, describe, expect, test } from "vitest";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";
import { fillConsoleTenant } from "./filled-tenant.ts";

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;

describe("the screens", () => {
  let opened: TestConsole;
  let browser: ConsoleBrowser;
  let paths: readonly string[];
  beforeAll(async () => {
    opened = await openConsole();
    paths = await fillConsoleTenant(opened, hostile);
    browser = await opened.signIn(opened.administrator);
  });

  test("show the values of every record as text", async () => {
    for (const path of [
      ...paths.filter((one) => one !== "logs/csv"),
      `search?q=${encodeURIComponent(hostile)}`,
      `users?q=${encodeURIComponent(hostile)}`,
    ]) {
      const html = await browser.page(path);
      expect([path, html.includes("<script>alert"), html.includes("<img src=x")]).toEqual([path, false, false]);
      expect([path, html.includes("the-secret")]).toEqual([path, false]);
    }
    expect(await browser.page("users")).toContain("&lt;script>alert(1)&lt;/script>");
  });

  test("send the user's token with every call, and need at most three for a list and five for a record", async () => {
    for (const path of paths) {
      opened.calls.length = 0;
      await browser.page(path);
      const isList = /^(users|organizations|roles|apis|connections|apps|logs)$/.test(path);
      const isRecord = /^(users|organizations|roles|apis|connections|apps|logs)\//.test(path) && path !== "logs/csv";
      expect([path, opened.calls.every(({ authorization }) => authorization?.startsWith("Bearer "))]).toEqual([path, true]);
      if (isList) expect([path, opened.calls.length]).toEqual([path, expect.toSatisfy((count: number) => count > 0 && count <= 3)]);
      if (isRecord) expect([path, opened.calls.length]).toEqual([path, expect.toSatisfy((count: number) => count <= 5)]);
    }
  });

  test("name the missing scope for a user who may only read users", async () => {
    const operator = await opened.addOperator("support@example.test", ["read:users"]);
    const support = await opened.signIn(operator);
    const missing: { [path: string]: readonly string[] } = {};
    for (const path of paths) {
      const response = await support.send(path);
      const html = await response.text();
      expect([path, response.status]).toEqual([path, expect.toSatisfy((status: number) => status === 200 || status === 403)]);
      if (path === "search" || path === "shortcuts") continue;
      missing[path.replace(/%7C[^/]*/, "").replace(/^(organizations|roles|apis|connections|apps|logs)\/[^/]{15,}/, "$1/id")] = [
        ...html.matchAll(/<code>([a-z]+:[a-z_]+)<\/code>/g),
      ].map(([, scope = ""]) => scope);
    }
    expect(missing).toMatchObject({
      users: [],
      apps: expect.arrayContaining(["read:clients"]),
      "apps/id": expect.arrayContaining(["read:clients"]),
      logs: expect.arrayContaining(["read:logs"]),
      "logs/id": expect.arrayContaining(["read:logs"]),
      organizations: expect.arrayContaining(["read:organizations"]),
      settings: expect.arrayContaining(["read:tenant_settings"]),
      "settings/mail": ["read:email_provider", "read:email_templates"],
      "settings/mail/edit": ["read:email_provider"],
      "settings/factors": ["read:mfa_policies", "read:guardian_factors", "read:guardian_factors", "read:guardian_factors"],
      "settings/domains": expect.arrayContaining(["read:custom_domains"]),
      "settings/keys": expect.arrayContaining(["read:signing_keys"]),
      "settings/protection": expect.arrayContaining(["read:attack_protection"]),
      "settings/streams": expect.arrayContaining(["read:log_streams"]),
      roles: expect.arrayContaining(["read:roles"]),
      "roles/id": expect.arrayContaining(["read:roles"]),
      apis: expect.arrayContaining(["read:resource_servers"]),
      connections: expect.arrayContaining(["read:connections"]),
      "connections/id": expect.arrayContaining(["read:connections"]),
      "apis/id": expect.arrayContaining(["read:resource_servers"]),
      "organizations/id": expect.arrayContaining(["read:organizations"]),
      "users/Username-Password-Authentication": [],
      "users/Username-Password-Authentication/events": expect.arrayContaining(["read:logs"]),
      "users/Username-Password-Authentication/sessions": expect.arrayContaining(["read:sessions"]),
      "users/Username-Password-Authentication/organizations": expect.arrayContaining(["read:organizations"]),
      "users/Username-Password-Authentication/consents": expect.arrayContaining(["read:grants"]),
      "users/Username-Password-Authentication/factors": expect.arrayContaining(["read:authentication_methods"]),
    });
  });

  test("have headers that forbid frames, inline code and other sites", async () => {
    const { headers } = await browser.send("users");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]),
    );
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    const html = await browser.page("users");
    expect(html).not.toMatch(/<style|\sstyle=|<script(?![^>]*src=)|\son\w+="/);
  });

  test.each([
    "users/unknown%7C1",
    "apps/unknown",
    "organizations/unknown",
    "roles/unknown",
    "apis/unknown",
    "connections/unknown",
    "logs/unknown",
    "nothing",
    "users/%252E%252E",
    "users/%E0%A4",
  ])("respond with 404 to %s", async (path) => expect(await browser.page(path, 404)).toContain("Page not found"));

  test("answer requests of the script with JSON, also for errors", async () => {
    const headers = { accept: "application/json", "sec-fetch-mode": "cors" };
    const found: unknown = await (await browser.send("search?q=filled", { headers })).json();
    expect(found).toEqual({
      found: [{ text: hostile, about: "User · filled@example.test", href: expect.stringContaining("/admin/users/Username") }],
    });
    const missing = await browser.send("logs/unknown", { headers });
    expect([missing.status, missing.headers.get("content-type")]).toEqual([404, expect.stringContaining("application/json")]);
  });

  test("list the apps, and the users in the requested order", async () => {
    expect(await browser.page("apps")).toContain("Console");
    const html = await browser.page("users?sort=email:asc");
    expect(html.indexOf("ada@example.test")).toBeLessThan(html.indexOf("bob@example.test"));
  });
});
