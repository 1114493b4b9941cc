import { beforeEach, describe, expect, test } from "vitest";
import type { Mail } from "@postern/core";
import { tokenWith } from "../management/token-with.ts";
import { expectError, list, managerOf, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { openService, type App, type LoginService } from "../support/flow.ts";
import { managementAudience } from "../support/postern.ts";
import { organizationsBy, type OrganizationManager } from "../support/organizations.ts";

let service: LoginService;
let organizations: OrganizationManager;
let app: App;
let acme: string;
let path: string;
let mails: Mail[];

beforeEach(async () => {
  mails = [];
  service = await openService({ messages: { mail: { send: async (mail) => void mails.push(mail) } } });
  organizations = organizationsBy(service.manage);
  app = await service.register({ organization_usage: "allow" });
  acme = await organizations.create("acme", { display_name: "Acme <Inc>" });
  path = `/api/v2/organizations/${acme}/invitations`;
});

const body = (more: object = {}): object => ({
  inviter: { name: "Ann" },
  invitee: { email: "New@Example.test" },
  client_id: app.clientId,
  ...more,
});
const invite = (more: object = {}): Promise<JsonBody> => service.manage.create(path, body(more));

describe("creating an invitation", () => {
  test("uses the defaults: seven days, no roles, and a mail", async () => {
    const created = await invite();
    const [id, ticket, url] = [
      stringMember(created, "id"),
      stringMember(created, "ticket_id"),
      new URL(stringMember(created, "invitation_url")),
    ];
    expect(id).toMatch(/^uinv_/);
    expect(ticket).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(created).toEqual({
      id,
      organization_id: acme,
      inviter: { name: "Ann" },
      invitee: { email: "new@example.test" },
      invitation_url: url.href,
      ticket_id: ticket,
      client_id: app.clientId,
      roles: [],
      ttl_sec: 604_800,
      created_at: "2026-01-01T00:00:00.000Z",
      expires_at: "2026-01-08T00:00:00.000Z",
    });
    expect(url.origin + url.pathname).toBe(`${service.postern.issuer}u/invitation`);
    const parameters = { invitation: ticket, ticket, organization: acme, organization_name: "acme", client_id: app.clientId };
    expect(Object.fromEntries(url.searchParams)).toEqual(parameters);
    expect(mails).toMatchObject([{ to: "new@example.test", tenantId: "main", template: "user_invitation", link: url.href }]);
    expect(mails[0]?.html).toContain("Acme &lt;Inc>");
    expect(mails[0]?.html).not.toContain("<Inc>");
    expect(mails[0]?.text).toContain(url.href);
  });

  test("stores the given values, and sends no mail if it is disabled", async () => {
    const roleId = stringMember(await service.manage.create("/api/v2/roles", { name: "Editor" }), "id");
    const connectionId = await organizations.connection("Username-Password-Authentication");
    const values = { connection_id: connectionId, roles: [roleId], ttl_sec: 60, app_metadata: { a: 1 }, user_metadata: { b: [2] } };
    const created = await invite({ ...values, send_invitation_email: false });
    expect(created).toMatchObject({ ...values, expires_at: "2026-01-01T00:01:00.000Z" });
    expect(jsonBody(await service.manage("GET", `${path}/${stringMember(created, "id")}`))).toEqual(created);
    expect(mails).toEqual([]);
  });

  test("uses the client's initiate_login_uri, or else the tenant's", async () => {
    const settings = { organization_usage: "allow", initiate_login_uri: "https://{organization_name}.app.test/start?x=1" } as const;
    const own = await service.register(settings);
    const url = new URL(stringMember(await invite({ client_id: own.clientId }), "invitation_url"));
    expect(url.href).toMatch(/^https:\/\/acme\.app\.test\/start\?x=1&invitation=/);
    await service.manage("PATCH", "/api/v2/tenants/settings", { default_redirection_uri: "https://tenant.test/login" });
    expect(stringMember(await invite(), "invitation_url")).toMatch(/^https:\/\/tenant\.test\/login\?invitation=/);
  });

  test.each([
    ["no inviter", { inviter: undefined }, "inviter"],
    ["no email address", { invitee: {} }, "invitee"],
    ["an invalid email address", { invitee: { email: "unknown" } }, "email"],
    ["a negative lifetime", { ttl_sec: -1 }, "ttl_sec"],
    ["a lifetime over 30 days", { ttl_sec: 2_592_001 }, "ttl_sec"],
    ["a fractional lifetime", { ttl_sec: 0.5 }, "ttl_sec"],
    ["an unknown role", { roles: ["rol_none"] }, "rol_none"],
    ["an unknown client", { client_id: "none" }, "client_id"],
    ["a client of another tenant", { client_id: "other-manager" }, "client_id"],
    ["an unknown connection", { connection_id: "con_none" }, "connection_id"],
    ["an unknown field", { expires_at: "2030" }, "expires_at"],
  ])("is rejected with %s", async (_, more, expectedText) => {
    expectError(await service.manage("POST", path, body(more)), 400, "invalid_request", expectedText);
    expect((await service.manage("GET", path)).body).toEqual([]);
    expect(mails).toEqual([]);
  });

  test("accepts the minimum and the maximum lifetime", async () => {
    expect(await invite({ ttl_sec: 1 })).toMatchObject({ expires_at: "2026-01-01T00:00:01.000Z" });
    expect(await invite({ ttl_sec: 2_592_000 })).toMatchObject({ expires_at: "2026-01-31T00:00:00.000Z" });
  });

  test("rejects a connection that is not enabled for the organization", async () => {
    const second = stringMember(await service.manage.create("/api/v2/connections", { name: "second", strategy: "auth0" }), "id");
    await service.manage.create(`/api/v2/organizations/${acme}/enabled_connections`, { connection_id: second });
    const connectionId = await organizations.connection("Username-Password-Authentication");
    expectError(await service.manage("POST", path, body({ connection_id: connectionId })), 400, "invalid_request", "not enabled");
  });

  test("succeeds if its mail cannot be sent, or if no sender is configured", async () => {
    const failing = { send: () => Promise.reject(new Error("the mail server is unavailable")) };
    for (const mail of [failing, undefined]) {
      const without = await openService({ messages: mail === undefined ? {} : { mail } });
      const id = await organizationsBy(without.manage).create("acme");
      const created = await without.manage("POST", `/api/v2/organizations/${id}/invitations`, body({ client_id: without.spa.clientId }));
      expect(created.status).toBe(201);
      expect(list(await without.manage("GET", `/api/v2/organizations/${id}/invitations`))).toEqual([created.body]);
      const events = list(await without.manage("GET", "/api/v2/logs?per_page=100")).filter(({ type }) => type === "fn");
      expect(events).toHaveLength(1);
    }
  });
});

describe("the list of invitations", () => {
  beforeEach(async () => {
    for (let i = 0; i < 3; i++) {
      await invite({ invitee: { email: `person${i}@example.test` }, ttl_sec: 60 });
      service.clock.advance("1s");
    }
  });
  const emails = (items: readonly JsonBody[]): unknown => items.map(({ invitee }) => invitee);
  const numbers = (...wanted: readonly number[]): unknown => wanted.map((i) => ({ email: `person${i}@example.test` }));

  test("shows the newest first, or in the requested order", async () => {
    expect(emails(list(await service.manage("GET", path)))).toEqual(numbers(2, 1, 0));
    expect(emails(list(await service.manage("GET", `${path}?sort=created_at:1`)))).toEqual(numbers(0, 1, 2));
    expect(emails(list(await service.manage("GET", `${path}?sort=created_at:-1&page=1&per_page=2`)))).toEqual(numbers(0));
    expectError(await service.manage("GET", `${path}?sort=ticket_hash:1`), 400, "invalid_request", "sort");
  });

  test("starts with page 0, with fifty items per page", async () => {
    for (let i = 0; i < 50; i++) await invite({ send_invitation_email: false });
    expect(jsonBody(await service.manage("GET", `${path}?include_totals=true`))).toMatchObject({
      start: 0,
      limit: 50,
      length: 50,
      total: 53,
    });
    expect(jsonBody(await service.manage("GET", `${path}?include_totals=true&page=1`))).toMatchObject({ start: 50, length: 3 });
  });

  test("contains expired invitations", async () => {
    service.clock.advance("31d");
    await service.postern.jobs.sweep();
    expect(list(await service.manage("GET", path))).toHaveLength(3);
  });

  test("returns the requested fields", async () => {
    const [first = {}] = list(await service.manage("GET", `${path}?fields=id,invitee`));
    expect(Object.keys(first)).toEqual(["id", "invitee"]);
    const id = stringMember(first, "id");
    const rest = jsonBody(await service.manage("GET", `${path}/${id}?fields=invitation_url,ticket_id&include_fields=false`));
    expect(Object.keys(rest)).not.toContain("ticket_id");
    expect(rest).toMatchObject({ id });
  });

  test("no longer contains a revoked invitation", async () => {
    const [first = {}] = list(await service.manage("GET", path));
    const id = stringMember(first, "id");
    for (let i = 0; i < 2; i++) expect(await service.manage("DELETE", `${path}/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(expectError(await service.manage("GET", `${path}/${id}`), 404, "not_found")).toMatchObject({
      errorCode: "inexistent_invitation",
    });
    expect(list(await service.manage("GET", path))).toHaveLength(2);
  });

  test("contains only the invitations of its organization and tenant", async () => {
    const beta = await organizations.create("beta");
    const [first = {}] = list(await service.manage("GET", path));
    const id = stringMember(first, "id");
    const elsewhere = `/api/v2/organizations/${beta}/invitations`;
    expect((await service.manage("GET", elsewhere)).body).toEqual([]);
    expectError(await service.manage("GET", `${elsewhere}/${id}`), 404, "not_found");
    expect((await service.manage("DELETE", `${elsewhere}/${id}`)).status).toBe(204);
    const other = await managerOf(service, "other");
    for (const at of [path, `${path}/${id}`]) expectError(await other("GET", at), 404, "not_found");
    expectError(await other("DELETE", `${path}/${id}`), 404, "not_found");
    expect(list(await service.manage("GET", path))).toHaveLength(3);
  });
});

test("returns the link of an invitation only to callers who could create the same invitation", async () => {
  const { manage, call } = service;
  const roleId = stringMember(await manage.create("/api/v2/roles", { name: "Administrator" }), "id");
  const permissions = [{ resource_server_identifier: managementAudience, permission_name: "update:users" }];
  expect(await manage("POST", `/api/v2/roles/${roleId}/permissions`, { permissions })).toMatchObject({ status: 201 });
  const powerful = stringMember(await invite({ roles: [roleId] }), "id");
  const plain = stringMember(await invite(), "id");
  const seenWith = async (scope: readonly string[]): Promise<readonly string[]> => {
    const token = await tokenWith(service, manage, scope);
    const listed = list(await call("GET", path, { token }));
    for (const invitation of listed) {
      const single = jsonBody(await call("GET", `${path}/${stringMember(invitation, "id")}`, { token }));
      expect(single).toEqual(invitation);
    }
    return listed.filter((invitation) => "invitation_url" in invitation && "ticket_id" in invitation).map(({ id }) => String(id));
  };
  const [read, create] = ["read:organization_invitations", "create:organization_invitations"];
  expect(await seenWith([read])).toEqual([]);
  expect(await seenWith([read, "update:users"])).toEqual([]);
  expect(await seenWith([read, create])).toEqual([plain]);
  expect((await seenWith([read, create, "update:users"])).toSorted()).toEqual([plain, powerful].toSorted());
});

test("no ticket is stored in plain text", async () => {
  const ticket = stringMember(await invite(), "ticket_id");
  const rows = await service.data.collections.invitations.find({ where: { tenant_id: "main", organization_id: acme }, limit: 10 });
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(ticket);
});
