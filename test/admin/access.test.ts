import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { createAdmin } from "@postern/admin";
import { toExpressHandler } from "@postern/express";
import { toHonoHandler } from "@postern/hono";
import express from "express";
import { Hono } from "hono";
import { describe, expect, test, vi } from "vitest";
import { jsonBody, list, stringMember, type Manager } from "../support/api.ts";
import { acrValues, appSessions } from "@postern/app";
import { consoleLogger } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { testConsoleUrl, openConsole } from "./console.ts";

const day = 86_400_000;
const anonymous = (path: string, init: RequestInit = {}): Request =>
  new Request(new URL(path, testConsoleUrl), {
    headers: { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-site": "none" },
    ...init,
  });

describe("the sign-in", () => {
  test("is required by every page, and returns to it", async () => {
    const { admin } = await openConsole();
    const response = await admin.fetch(anonymous("users?q=a"));
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `${testConsoleUrl}login?returnTo=${encodeURIComponent("/admin/users?q=a")}`,
    ]);
  });

  test.each(["https://evil.example.test/", "//evil.example.test", "/\\evil.example.test", "/other/path"])(
    "does not lead to %s afterwards",
    async (returnTo) => {
      const opened = await openConsole();
      const browser = await opened.signIn(opened.administrator);
      const started = await browser.send(`login?${new URLSearchParams({ returnTo })}`);
      const finished = await browser.send(await browser.authorize(started.headers.get("location") ?? "", opened.administrator));
      expect(new URL(finished.headers.get("location") ?? "", testConsoleUrl).href).toBe(testConsoleUrl);
    },
  );

  test("leaves one small cookie without tokens in the browser", async () => {
    const opened = await openConsole();
    const browser = await opened.signIn(opened.administrator);
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
    expect(cookies.join("; ").length).toBeLessThan(1000);
    expect(cookies.join("; ")).not.toContain("eyJ");
    expect(await browser.page("users")).not.toContain("eyJ");
  });

  test("lasts for days, because the access token is refreshed", async () => {
    const opened = await openConsole();
    const browser = await opened.signIn(opened.administrator);
    for (let i = 0; i < 3; i++) {
      opened.service.clock.advance(day);
      await browser.page("users");
    }
    opened.service.clock.advance(8 * day);
    expect((await browser.send("users")).status).toBe(303);
  });

  test("ends with the sign-out", async () => {
    const opened = await openConsole();
    const browser = await opened.signIn(opened.administrator);
    const copy = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    await browser.send("logout", { method: "POST" });
    const response = await opened.admin.fetch(anonymous("users", { headers: { cookie: copy, accept: "text/html" } }));
    expect(response.headers.get("location")).toContain("/login");
  });

  test("cannot be ended by another site", async () => {
    const opened = await openConsole();
    const browser = await opened.signIn(opened.administrator);
    await browser.send("logout", { headers: { "sec-fetch-site": "cross-site" } });
    await browser.page("users");
  });
});

describe("an operator", () => {
  test.each([
    ["blocked", (manage: Manager, path: string) => manage("PATCH", path, { blocked: true })],
    ["deleted", (manage: Manager, path: string) => manage("DELETE", path)],
  ])("who is %s is signed out at the next request", async (_, change) => {
    const opened = await openConsole();
    const operator = await opened.addOperator("support@example.test", ["read:users"]);
    const browser = await opened.signIn(operator);
    await browser.page("users");
    await change(opened.service.manage, `/api/v2/users/${encodeURIComponent(operator.userId)}`);
    expect((await browser.send("users")).status).toBe(303);
  });

  test("who loses a role loses its pages at the next request", async () => {
    const opened = await openConsole();
    const operator = await opened.addOperator("support@example.test", ["read:users"]);
    const browser = await opened.signIn(operator);
    const path = `/api/v2/users/${encodeURIComponent(operator.userId)}/roles`;
    const { body } = await opened.service.manage("GET", path);
    const roles = Array.isArray(body) ? body.map((role: unknown) => stringMember({ ...(role as object) }, "id")) : [];
    await opened.service.manage("DELETE", path, { roles });
    expect(await browser.page("users", 403)).toContain("read:users");
  });

  test("without any role sees no data", async () => {
    const opened = await openConsole();
    const browser = await opened.signIn(opened.service.bob);
    expect(await browser.page("users", 403)).toContain("read:users");
    expect(await browser.page("")).toContain("read:logs");
  });
});

describe("pages that change access", () => {
  const paths = (user: string, client: string, organization: string, role: string, connection: string): readonly string[] => [
    `users/${user}/delete`,
    `users/${user}/roles/edit`,
    `users/${user}/factors/x/remove`,
    `apps/${client}/rotate`,
    `apps/${client}/delete`,
    `organizations/${organization}/members/add`,
    `organizations/${organization}/members/${user}/roles`,
    `organizations/${organization}/members/${user}/remove`,
    `organizations/${organization}/invitations/new`,
    `organizations/${organization}/invitations/unknown/withdraw`,
    `organizations/${organization}/delete`,
    `roles/${role}/permissions/edit`,
    `roles/${role}/delete`,
    `connections/${connection}/apps/edit`,
    "settings/edit",
    "settings/account/edit",
    "settings/domains/new",
  ];

  test("require a sign-in of the last ten minutes, for the page and for its form", async () => {
    const opened = await openConsole();
    const { service } = opened;
    const browser = await opened.signIn(opened.administrator);
    const organization = stringMember(await service.manage.create("/api/v2/organizations", { name: "acme" }), "id");
    await service.manage("POST", `/api/v2/organizations/${organization}/members`, { members: [service.bob.userId] });
    const role = stringMember(await service.manage.create("/api/v2/roles", { name: "Reader" }), "id");
    const [connection = ""] = list(await service.manage("GET", "/api/v2/connections")).map((one) => stringMember(one, "id"));
    const all = paths(encodeURIComponent(service.bob.userId), service.web.clientId, organization, role, connection);
    for (const path of all) await browser.page(path);
    service.clock.advance(11 * 60_000);
    const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(await browser.page("users")) ?? [];
    for (const path of all) {
      const login = `${testConsoleUrl}login?${new URLSearchParams({ returnTo: `/admin/${path}`, max_age: "600" })}`;
      const page = await browser.send(path);
      const form = await browser.send(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `form_token=${token}`,
      });
      expect([path, page.headers.get("location"), form.headers.get("location")]).toEqual([path, login, login]);
    }
    expect(opened.calls.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("open after a new sign-in", async () => {
    const opened = await openConsole();
    const browser = await opened.signIn(opened.administrator);
    opened.service.clock.advance(11 * 60_000);
    const path = `apps/${opened.service.web.clientId}/delete`;
    const redirect = await browser.send(path);
    const started = await browser.send(redirect.headers.get("location") ?? "");
    const finished = await browser.send(await browser.authorize(started.headers.get("location") ?? "", opened.administrator));
    expect(finished.headers.get("location")).toBe(new URL(path, testConsoleUrl).href);
    await browser.page(path);
  });
});

test.each(["GET", "POST"])("a preview in a frame is text after the session ended, for %s", async (method) => {
  const opened = await openConsole();
  const response = await opened.admin.fetch(
    anonymous("settings/branding/preview", {
      method,
      headers: { "sec-fetch-site": "same-origin" },
      ...(method === "POST" && { body: new URLSearchParams() }),
    }),
  );
  expect([response.status, response.headers.get("content-type")]).toEqual([401, "text/plain; charset=utf-8"]);
  expect(response.headers.get("x-frame-options")).toBe("SAMEORIGIN");
  expect(await response.text()).toContain("Your session has ended");
});

test("a form that is sent after the session ended changes nothing, and says so", async () => {
  const opened = await openConsole();
  const response = await opened.admin.fetch(
    anonymous("users/x", { method: "POST", headers: { "sec-fetch-site": "same-origin" }, body: new URLSearchParams({ action: "block" }) }),
  );
  const html = await response.text();
  expect([response.status, html.includes("Your session has ended"), html.includes("Nothing was changed")]).toEqual([401, true, true]);
  expect(html).toContain('href="/admin/login?returnTo=%2Fadmin%2F"');
});

test("a second factor is required of operators if the host says so", async () => {
  const opened = await openConsole({ requiresSecondFactor: true });
  const response = await opened.admin.fetch(anonymous("users"));
  expect(new URL(response.headers.get("location") ?? "").searchParams.get("acr_values")).toBe(acrValues.multifactor);
});

test("an unavailable store of sessions results in a 500 response and a log entry", async () => {
  const unavailable = async (): Promise<never> => {
    throw new Error("no connection");
  };
  const opened = await openConsole({ store: { get: unavailable, set: unavailable, delete: unavailable, deleteWhere: unavailable } });
  const logged = vi.spyOn(consoleLogger, "log").mockImplementation(() => {});
  const cookie = `__Secure-postern_console.0=${"a".repeat(43)}`;
  const response = await opened.admin.fetch(anonymous("users", { headers: { cookie, accept: "text/html" } }));
  expect([response.status, await response.text()]).toEqual([500, expect.stringContaining("not available")]);
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ event: "console_failed", path: "/admin/users" }));
  logged.mockRestore();
});

describe("a control plane", () => {
  test("names the tenant in each URL, and two tabs show two tenants", async () => {
    const opened = await openConsole({ isControlPlane: true }, { defaultPermissions: ["read:users", "create:users"] });
    const { manage } = opened.service;
    expect(jsonBody(await manage("POST", "/tenants", { id: "acme", name: "Acme" }), 201)).toBeDefined();
    const { body } = await manage("GET", "/api/v2/organizations/name/acme");
    await manage("POST", `/api/v2/organizations/${stringMember({ ...(body as object) }, "id")}/members`, {
      members: [opened.administrator.userId],
    });
    await opened.service.postern
      .tenant("acme")
      .users.create({ connection: "Username-Password-Authentication", email: "only@acme.test", password: "correct horse battery" });
    const browser = await opened.signIn(opened.administrator);
    expect((await browser.send("")).headers.get("location")).toBe("/admin/t/main/");
    // Next.js redirects to the path without its final slash.
    expect(await browser.page("t/main")).toBe(await browser.page("t/main/"));
    expect(await browser.page("tenants")).toContain('href="/admin/t/acme/"');
    const [main, acme] = await Promise.all([browser.page("t/main/users"), browser.page("t/acme/users")]);
    expect([main.includes("ada@example.test"), main.includes("only@acme.test")]).toEqual([true, false]);
    expect([acme.includes("ada@example.test"), acme.includes("only@acme.test")]).toEqual([false, true]);
    expect(acme).toContain('href="/admin/t/acme/users/new"');
  });

  test.each(["other", "unknown"])("shows nothing of the tenant '%s' to users who are not its members", async (tenant) => {
    const opened = await openConsole({ isControlPlane: true });
    const browser = await opened.signIn(opened.administrator);
    expect(await browser.page(`t/${tenant}/users`, 403)).toContain("You are not a member of this tenant");
    expect(opened.calls).toEqual([]);
  });

  test.each(["users", "t/..%2Fmain/users", "t/UPPER/", "t"])("does not know the path %s", async (path) => {
    const opened = await openConsole({ isControlPlane: true });
    const browser = await opened.signIn(opened.administrator);
    await browser.page(path, 404);
  });
});

describe("mounting", () => {
  test.each(["https://console.example.test/", "https://console.example.test/admin/", "https://console.example.test/a/b/admin/"])(
    "at %s puts every link below the URL",
    async (appUrl) => {
      const opened = await openConsole({ appUrl });
      const browser = await opened.signIn(opened.administrator);
      const { pathname } = new URL(appUrl);
      const html = await browser.page("users");
      const links = [...html.matchAll(/(?:href|src|action|data-search-url)="([^"#]+)"/g)].map(([, link = ""]) => link);
      expect(links.filter((link) => !link.startsWith(pathname) && link !== "data:,")).toEqual([]);
      for (const [, file = ""] of html.matchAll(/(?:href|src)="([^"]+assets[^"]+)"/g)) {
        const response = await opened.admin.fetch(new Request(new URL(file, appUrl)));
        expect([response.status, response.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
      }
    },
  );

  test("serves the path without its final slash, and nothing outside", async () => {
    const { admin } = await openConsole();
    const statuses = await Promise.all(
      ["/admin", "/", "/administrator", "/adminx"].map(async (path) => (await admin.fetch(anonymous(path))).status),
    );
    expect(statuses).toEqual([303, 404, 404, 404]);
    const login = (await admin.fetch(anonymous("/admin"))).headers.get("location");
    expect(login).toBe(`${testConsoleUrl}login?returnTo=${encodeURIComponent("/admin")}`);
    expect((await admin.fetch(anonymous("assets/unknown.js"))).status).toBe(404);
    expect((await admin.fetch(anonymous("users", { method: "PUT" }))).status).toBe(405);
  });

  test("works with Express and Hono", async () => {
    const { admin } = await openConsole();
    const app = new Hono();
    app.all("/admin/*", toHonoHandler(admin));
    expect((await app.request(new URL("users", testConsoleUrl), { headers: { accept: "text/html" } })).status).toBe(303);
    const server = express().use("/admin", toExpressHandler(admin)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const response = await fetch(`http://127.0.0.1:${port}/admin/users`, { redirect: "manual", headers: { accept: "text/html" } });
    // Not a navigation of a browser.
    expect([response.status, await response.json()]).toMatchObject([401, { error: "login_required" }]);
    server.close();
  });

  test.each([
    ["a relative URL", { appUrl: "/admin/" }, "appUrl"],
    ["a short secret", { secret: "short" }, "secret"],
    ["no secret", { secret: [] }, "secret"],
  ])("rejects %s", async (_, wrong, name) => {
    const { postern } = (await openConsole()).service;
    const options = {
      postern,
      tenantId: "main",
      clientId: "x",
      appUrl: testConsoleUrl,
      secret: "x".repeat(32),
      store: appSessions(createMemoryAdapter()),
    };
    expect(() => createAdmin({ ...options, ...wrong })).toThrow(name);
  });
});

test("a list of 50 users has at most 25 kB after gzip, and the style sheet and the script 12 kB each", async () => {
  const opened = await openConsole();
  const users = opened.service.postern.tenant("main").users;
  for (let i = 0; i < 60; i++) {
    await users.create({
      connection: "Username-Password-Authentication",
      email: `user-${i}-${crypto.randomUUID()}@example.test`,
      name: `User ${crypto.randomUUID()}`,
      password: "correct horse battery",
    });
  }
  const browser = await opened.signIn(opened.administrator);
  const html = await browser.page("users");
  expect(html.match(/<tr>/g)?.length).toBe(51);
  expect(gzipSync(html).length).toBeLessThan(25_000);
  const [, next = ""] = /href="([^"]+)" rel="next"/.exec(html) ?? [];
  expect((await browser.page(next.replaceAll("&amp;", "&"))).match(/<tr>/g)?.length).toBeGreaterThan(10);
  for (const [, file = ""] of html.matchAll(/(?:href|src)="([^"]+assets[^"]+)"/g)) {
    const response = await opened.admin.fetch(new Request(new URL(file, testConsoleUrl)));
    expect(gzipSync(await response.text()).length).toBeLessThan(12_000);
  }
});
