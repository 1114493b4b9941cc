import { beforeAll, describe, expect, test } from "vitest";
import { tenantScreens } from "../../packages/admin/src/screens.ts";
import { list, stringMember } from "../support/api.ts";
import { insertLogoutDelivery } from "../support/rows.ts";
import { createFilledUser, openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;

/** Creates the records that the screens show. @returns the path of every screen. */
async function fillTenant(opened: TestConsole, text: string): Promise<readonly string[]> {
  const { service } = opened;
  const { manage, bob } = service;
  const userId = await createFilledUser(opened, text);
  const client = await manage.create("/api/v2/clients", {
    name: text.replaceAll(/[<>]/g, ""),
    description: text.slice(0, 140),
    app_type: "regular_web",
    callbacks: [],
  });
  const role = stringMember(await manage.create("/api/v2/roles", { name: text, description: text }), "id");
  const scopes = [{ value: "read:x", description: text }];
  const api = stringMember(
    await manage.create("/api/v2/resource-servers", { name: text.replaceAll(/[<>]/g, ""), identifier: "https://api.example.test", scopes }),
    "id",
  );
  const permissions = [{ resource_server_identifier: "https://api.example.test", permission_name: "read:x" }];
  await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
  const organization = stringMember(await manage.create("/api/v2/organizations", { name: "acme", display_name: text }), "id");
  await manage("POST", `/api/v2/users/${encodeURIComponent(userId)}/roles`, { roles: [role] });
  await manage("POST", `/api/v2/organizations/${organization}/members`, { members: [userId] });
  await manage("POST", `/api/v2/organizations/${organization}/members/${encodeURIComponent(userId)}/roles`, { roles: [role] });
  const connection = stringMember(
    await manage.create("/api/v2/connections", {
      name: "corporate",
      display_name: text,
      strategy: "oidc",
      options: { client_id: text, client_secret: "the-secret", issuer: "https://idp.example.test" },
      enabled_clients: [stringMember(client, "client_id")],
    }),
    "id",
  );
  await manage("POST", `/api/v2/organizations/${organization}/enabled_connections`, { connection_id: connection });
  const invitation = await manage.create(`/api/v2/organizations/${organization}/invitations`, {
    inviter: { name: text },
    invitee: { email: "invited@example.test" },
    client_id: service.web.clientId,
  });
  await service.call("POST", "/oauth/token", {
    body: { grant_type: "password", client_id: "spa", username: bob.email, password: text },
    headers: { "user-agent": text },
  });
  const domain = await manage.create("/api/v2/custom-domains", { domain: "login.example.test", type: "self_managed_certs" });
  const sink = { httpEndpoint: "https://logs.example.test/", httpAuthorization: "the-secret" };
  const stream = await manage.create("/api/v2/log-streams", { name: text, type: "http", sink });
  await manage.create("/api/v2/emails/provider", {
    name: "smtp",
    credentials: { smtp_host: "mail.example.test", smtp_user: text, smtp_pass: "the-secret" },
    settings: { [text]: text },
  });
  await manage("POST", "/api/v2/email-templates", {
    template: "welcome_email",
    body: text,
    subject: text,
    from: "",
    syntax: "liquid",
    enabled: true,
  });
  await insertLogoutDelivery(service);
  const [key] = list(await manage("GET", "/api/v2/keys/signing"));
  const [event] = await service.postern.tenant("main").logs.list({ per_page: 1 });
  const ids: { readonly [section: string]: string } = {
    users: encodeURIComponent(userId),
    organizations: organization,
    roles: role,
    apis: api,
    connections: connection,
    apps: stringMember(client, "client_id"),
    logs: event?.log_id ?? "",
    "settings/domains": stringMember(domain, "custom_domain_id"),
    "settings/streams": stringMember(stream, "id"),
    "settings/keys": String(key?.["kid"]),
  };
  // These two lead to a provider and back: connection-test.test.ts.
  const pages = tenantScreens.filter(({ path }) => !/\/try\/(start|result)$/.test(path));
  return pages.map(({ path }) =>
    path
      .slice(1)
      .replace(":id", ids[path.slice(1, path.indexOf("/:"))] ?? "")
      .replace(":strategy", "oidc")
      .replace(":type", "splunk")
      .replace(":factor", path.startsWith("/settings") ? "otp" : "unknown")
      .replace(":provider", "ses")
      .replace(":template", "welcome_email")
      .replace(":user", encodeURIComponent(userId))
      .replace(":invitation", stringMember(invitation, "id")),
  );
}

describe("the screens", () => {
  let opened: TestConsole;
  let browser: ConsoleBrowser;
  let paths: readonly string[];
  beforeAll(async () => {
    opened = await openConsole();
    paths = await fillTenant(opened, hostile);
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
