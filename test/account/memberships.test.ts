import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, jsonBody, stringMember } from "../support/api.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import { openService, type LoginService, type TestAccount } from "../support/flow.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";
import { openSection, showSections, signInBrowser, submitForm } from "./page.ts";

/** The sections `linked_accounts` and `organizations` of the account page. */

let outbox: Outbox;
let service: LoginService;
let browser: Browser;

beforeEach(async () => {
  outbox = createOutbox();
  service = await openService({ messages: { mail: outbox.mail } });
  await showSections(service, { linked_accounts: "shown", organizations: "shown" });
  browser = await signInBrowser(service, service.ada);
});

const pathOf = (account: TestAccount) => `/api/v2/users/${encodeURIComponent(account.userId)}`;

/** Creates an account and links it to a user. @returns its id. */
async function link(account: TestAccount, email: string): Promise<string> {
  const added = await service.addUser(email);
  await linkAccount(account, added);
  return added.userId;
}

async function linkAccount(account: TestAccount, { userId }: TestAccount): Promise<void> {
  const reply = await service.manage("POST", `${pathOf(account)}/identities`, { provider: "auth0", user_id: userId });
  expect(reply.status).toBe(201);
}

const identitiesOf = async (account: TestAccount) => {
  const { identities } = jsonBody(await service.manage("GET", pathOf(account)));
  return Array.isArray(identities) ? identities : [];
};

describe("linked accounts", () => {
  const open = (own: Browser, id: string) => openSection(own, "linked_accounts", { view: "unlink", id });

  test("are listed and unlinked, which is reported and ends the sessions that they started", async () => {
    const id = await link(service.ada, "second@example.test");
    const second = await signInBrowser(service, { ...service.ada, email: "second@example.test" });
    browser = await signInBrowser(service, service.ada);
    expect((await openSection(browser, "linked_accounts")).html).toContain("second@example.test");
    const page = await open(browser, id);
    expect(page).toMatchObject({ title: "Unlink this account?", actions: ["unlink-account"] });
    const { location } = await submitForm(browser, page, { action: "unlink-account" });
    expect(location?.searchParams.get("done")).toBe("unlinked");
    expect(await identitiesOf(service.ada)).toHaveLength(1);
    expect((await openSection(second, "linked_accounts")).title).not.toBe("Linked accounts");
    expect(outbox.take(service.ada.email)).toMatchObject({ template: "account_unlinked" });
    expect(await auditEvents(service.manage, "my_account_profile_succeeded")).toMatchObject([{ details: { fields: ["identities"] } }]);
    expect((await openSection(browser, "events")).html).toContain("Linked accounts changed");
  });

  test("of another user stay, and an older sign-in unlinks none", async () => {
    const bobs = await link(service.bob, "second@example.test");
    const own = await link(service.ada, "third@example.test");
    browser = await signInBrowser(service, service.ada);
    expect((await browser.get(`/u/account/linked_accounts?view=unlink&id=${encodeURIComponent(bobs)}`)).status).toBe(303);
    const page = await open(browser, own);
    await submitForm(browser, page, { action: "unlink-account", id: bobs });
    await submitForm(browser, page, { action: "unlink-account", id: service.ada.userId });
    service.clock.advance("16m");
    await submitForm(browser, page, { action: "unlink-account" });
    expect(await identitiesOf(service.bob)).toHaveLength(2);
    expect(await identitiesOf(service.ada)).toHaveLength(2);
  });

  test("are not unlinked if they are the only way to sign in, or if factors belong to them", async () => {
    const id = await link(service.ada, "second@example.test");
    browser = await signInBrowser(service, service.ada);
    const page = await open(browser, id);
    const where = { tenant_id: "main", user_id: service.ada.userId };
    const [user] = await service.data.collections.users.find({ where, limit: 1 });
    await service.data.collections.users.update(where, { set: { password_id: null }, add: { revision: 1 } });
    await submitForm(browser, page, { action: "unlink-account" });
    expect(await open(browser, id)).toMatchObject({ actions: [] });
    expect((await open(browser, id)).html).toContain("only way to sign in");
    expect(await identitiesOf(service.ada)).toHaveLength(2);
    const set = { password_id: user?.["password_id"] ?? null };
    await service.data.collections.users.update(where, { set, add: { revision: 1 } });
    const third = await service.addUser("third@example.test");
    const method = { type: "phone", name: "Work", phone_number: "+4915112345678" };
    expect((await service.manage("POST", `${pathOf(third)}/authentication-methods`, method)).status).toBe(201);
    await linkAccount(service.ada, third);
    browser = await signInBrowser(service, service.ada);
    expect((await open(browser, third.userId)).html).toContain("sign-in methods belong to it");
    const free = await open(browser, id);
    await submitForm(browser, free, { action: "unlink-account", id: third.userId });
    expect(await identitiesOf(service.ada)).toHaveLength(3);
    await submitForm(browser, free, { action: "unlink-account" });
    expect(await identitiesOf(service.ada)).toHaveLength(2);
  });

  test("are not unlinked if the client no longer offers the connection of the primary account", async () => {
    const id = await link(service.ada, "second@example.test");
    browser = await signInBrowser(service, service.ada);
    const form = await open(browser, id);
    const enabled_clients = [service.web.clientId];
    const other = await service.manage.create("/api/v2/connections", { name: "others", strategy: "auth0", enabled_clients });
    const { sessions, connections } = service.data.collections;
    const where = { tenant_id: "main", user_id: service.ada.userId };
    const [session] = await sessions.find({ where: { ...where, revoked_at: null }, limit: 1 });
    // The user signed in with the linked account.
    await sessions.update(where, { set: { connection_id: stringMember(other, "id") } });
    const path = `/api/v2/connections/${String(session?.["connection_id"])}`;
    expect((await service.manage("PATCH", path, { enabled_clients: [] })).status).toBe(200);
    expect(await connections.count({ tenant_id: "main" })).toBe(2);
    service.clock.advance("6s");
    expect((await open(browser, id)).html).toContain("only way to sign in");
    await submitForm(browser, form, { action: "unlink-account" });
    expect(await identitiesOf(service.ada)).toHaveLength(2);
  });

  test("are unlinked if the user signs in with a password that the connection does not let users change", async () => {
    const id = await link(service.ada, "second@example.test");
    browser = await signInBrowser(service, service.ada);
    const [connection] = await service.data.collections.connections.find({ where: { tenant_id: "main", strategy: "auth0" }, limit: 1 });
    const options = { disable_self_service_change_password: true };
    await service.manage("PATCH", `/api/v2/connections/${String(connection?.["id"])}`, { options });
    service.clock.advance("6s");
    await submitForm(browser, await open(browser, id), { action: "unlink-account" });
    expect(await identitiesOf(service.ada)).toHaveLength(1);
  });

  test("are unlinked on a page without a client if a client of the session offers the connection", async () => {
    const id = await link(service.ada, "second@example.test");
    browser = await signInBrowser(service, service.ada);
    const account_page = { sections: { linked_accounts: "shown" } };
    expect((await service.manage("PATCH", "/api/v2/tenants/settings", { account_page })).status).toBe(200);
    service.clock.advance("6s");
    expect((await openSection(browser, "linked_accounts")).html).not.toContain("client_id");
    await submitForm(browser, await open(browser, id), { action: "unlink-account" });
    expect(await identitiesOf(service.ada)).toHaveLength(1);
  });

  test("are unlinked once by parallel forms", async () => {
    const id = await link(service.ada, "second@example.test");
    browser = await signInBrowser(service, service.ada);
    const page = await open(browser, id);
    const form = { ...formFields(page.html), action: "unlink-account" };
    const replies = await Promise.all(Array.from({ length: 8 }, () => browser.post(formAction(page.html) ?? "", { form })));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 303));
    expect(await auditEvents(service.manage, "my_account_profile_succeeded")).toHaveLength(1);
    expect(await identitiesOf(service.ada)).toHaveLength(1);
  });
});

describe("organizations", () => {
  async function createOrganization(name: string, members: readonly TestAccount[]): Promise<string> {
    const id = stringMember(await service.manage.create("/api/v2/organizations", { name }), "id");
    await service.manage("POST", `/api/v2/organizations/${id}/members`, { members: members.map(({ userId }) => userId) });
    return id;
  }
  const membersOf = async (id: string) => JSON.stringify((await service.manage("GET", `/api/v2/organizations/${id}/members`)).body);

  test("are listed, and the user leaves one of them", async () => {
    const id = await createOrganization("acme", [service.ada, service.bob]);
    await createOrganization("elsewhere", [service.bob]);
    const page = await openSection(browser, "organizations");
    expect(page.html).toContain("acme");
    expect(page.html).not.toContain("elsewhere");
    const form = await openSection(browser, "organizations", { view: "leave", id });
    const { location } = await submitForm(browser, form, { action: "leave-organization" });
    expect(location?.searchParams.get("done")).toBe("left");
    expect(await membersOf(id)).toContain(service.bob.userId);
    expect(await membersOf(id)).not.toContain(service.ada.userId);
    const [event] = await auditEvents(service.manage, "my_account_profile_succeeded");
    expect(event).toMatchObject({ user_id: service.ada.userId, details: { organization_id: id } });
    expect((await openSection(browser, "events")).html).toContain("Organization left");
  });

  test("are not left in a read-only section, with an older sign-in, or by a user who is no member", async () => {
    const id = await createOrganization("acme", [service.ada]);
    const others = await createOrganization("elsewhere", [service.bob]);
    const form = await openSection(browser, "organizations", { view: "leave", id });
    await showSections(service, { organizations: "read_only" });
    await submitForm(browser, form, { action: "leave-organization" });
    expect((await openSection(browser, "organizations")).html).not.toContain("view=leave");
    await showSections(service, { organizations: "shown" });
    const { location } = await submitForm(browser, form, { action: "leave-organization", id: others });
    expect(location?.searchParams.has("done")).toBe(false);
    service.clock.advance("16m");
    await submitForm(browser, form, { action: "leave-organization" });
    expect(await membersOf(id)).toContain(service.ada.userId);
    expect(await membersOf(others)).toContain(service.bob.userId);
  });
});
