import { beforeEach, expect, test } from "vitest";
import { auditEvents, expectError, list, jsonBody, stringMember } from "../support/api.ts";
import { sendAuthorization, loginState, openService, sendStep, type LoginService } from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";

/** Every new password is checked against the breach list, as the tenant's settings require. */

const path = "/api/v2/attack-protection/breached-password-detection";
const breached = "drawbridge-9";
/** The last 35 digits of the password's SHA-1. */
const knownSuffix = "573EFDFBAFB93722C44FA358E8EE9573733";

let service: LoginService;
let requestedPrefixes: string[];

beforeEach(async () => {
  requestedPrefixes = [];
  service = await openService({ breachedPasswords: { range: async (prefix) => (requestedPrefixes.push(prefix), [`${knownSuffix}:7`]) } });
});

const create = (email: string, password: string) =>
  service.manage("POST", "/api/v2/users", { connection: "Username-Password-Authentication", email, password });
const change = (password: string) => service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`, { password });

test("the Management API rejects a breached password for a new and for an existing user", async () => {
  const refusal = "body: 'password': PasswordLeakedError: Password has been leaked";
  expectError(await create("eve@example.test", breached), 400, "invalid_request", refusal);
  expectError(await change(breached), 400, "invalid_request", refusal);
  expect(list(await service.manage("GET", "/api/v2/users-by-email?email=eve@example.test"))).toEqual([]);
  expect((await create("eve@example.test", "drawbridge-10")).status).toBe(201);
  expect((await change("drawbridge-11")).status).toBe(200);
  expect(requestedPrefixes.every((prefix) => /^[0-9A-F]{5}$/.test(prefix))).toBe(true);

  service.clock.advance("5s");
  expect(await auditEvents(service.manage, "signup_pwd_leak")).toMatchObject([{ connection: "Username-Password-Authentication" }]);
  expect(await auditEvents(service.manage, "reset_pwd_leak")).toMatchObject([{ user_id: service.ada.userId }]);
});

test("an invited user sees a message about a breached password on the page", async () => {
  const organizations = organizationsBy(service.manage);
  const app = await service.register({ organization_usage: "allow" });
  const acme = await organizations.create("acme", {});
  const invitation = await service.manage.create(`/api/v2/organizations/${acme}/invitations`, {
    inviter: { name: "Ann" },
    invitee: { email: "new@example.test" },
    client_id: app.clientId,
  });
  const browser = service.browser();
  const state = loginState(
    await sendAuthorization(browser, app, { invitation: stringMember(invitation, "ticket_id"), organization: acme }),
  );
  const answer = await sendStep(browser, state, { action: "create-account", password: breached });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: "invalid_request", error_description: "body: 'password' was found in a data breach" },
  ]);
  const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
  expect(page).toContain("This password appeared in a data breach at another service.");
  expect(page).not.toContain(breached);
});

test("a tenant can disable the breached-password check, as a whole or by stage, and enable it again", async () => {
  expect(jsonBody(await service.manage("GET", path))).toEqual({
    enabled: true,
    shields: [],
    admin_notification_frequency: [],
    method: "standard",
    stage: { "pre-user-registration": { shields: ["block"] }, "pre-change-password": { shields: ["block"] } },
  });
  const stage = { "pre-change-password": { shields: ["admin_notification"] } };
  expect(jsonBody(await service.manage("PATCH", path, { stage }))).toMatchObject({
    stage: { ...stage, "pre-user-registration": { shields: ["block"] } },
  });
  expectError(await create("eve@example.test", breached), 400, "invalid_request");
  expect((await change(breached)).status).toBe(200);
  expect(jsonBody(await service.manage("PATCH", path, { enabled: false }))).toMatchObject({ enabled: false });
  expect((await create("eve@example.test", breached)).status).toBe(201);
  expect(jsonBody(await service.manage("PATCH", path, { enabled: true }))).toMatchObject({ enabled: true, stage });
  expectError(await create("eva@example.test", breached), 400, "invalid_request");
});

test("the breached-password check is disabled if the service has no list of breached passwords, and unsupported settings are rejected", async () => {
  const withoutList = await openService();
  expect(jsonBody(await withoutList.manage("GET", path))).toMatchObject({ enabled: false });
  expectError(await withoutList.manage("PATCH", path, { enabled: true }), 400, "invalid_request", /'enabled'.*breachedPasswords/);
  expect(jsonBody(await withoutList.manage("PATCH", path, { enabled: false }))).toMatchObject({ enabled: false });
  for (const [body, named] of [
    [{ shields: ["block"] }, /'shields/],
    [{ stage: { "pre-login": { shields: [] } } }, /pre-login/],
    [{ stage: { "pre-change-password": { shields: ["user_notification"] } } }, /'stage.pre-change-password.shields/],
    [{ method: "other" }, /'method/],
    [{ more: 1 }, /more/],
  ] as const) {
    expectError(await service.manage("PATCH", path, body), 400, "invalid_request", named);
  }
});
