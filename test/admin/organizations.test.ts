import { beforeEach, describe, expect, test } from "vitest";
import { organizationSearch } from "../../packages/admin/src/screens/name-search.ts";
import { list, stringMember } from "../support/api.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

let opened: TestConsole;
let browser: ConsoleBrowser;
let acme: string;
let members: string;
beforeEach(async () => {
  opened = await openConsole();
  acme = stringMember(await opened.service.manage.create("/api/v2/organizations", { name: "acme", display_name: "Acme Ltd" }), "id");
  members = `organizations/${acme}/members`;
  browser = await opened.signIn(opened.administrator);
});

const location = (response: Response): string | null => response.headers.get("location");
const next = (html: string): string => (/href="([^"]+)" rel="next"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&");
const readMembers = async () => list(await opened.service.manage("GET", `/api/v2/organizations/${acme}/members?fields=user_id,roles`));
const readInvitations = async () => list(await opened.service.manage("GET", `/api/v2/organizations/${acme}/invitations`));

describe("the list of organizations", () => {
  test.each(["acme", "ACM", "Acme L"])("finds an organization by %s", async (typed) => {
    await opened.service.manage.create("/api/v2/organizations", { name: "other", display_name: "Other Inc" });
    for (const path of ["organizations", "search"]) {
      const html = await browser.page(`${path}?${new URLSearchParams({ q: typed })}`);
      expect([path, html.includes("Acme Ltd"), html.includes("Other Inc")]).toEqual([path, true, false]);
    }
  });

  test("finds an organization by its id, and the search opens the record", async () => {
    expect(await browser.page(`organizations?q=${acme}`)).toContain("Acme Ltd");
    expect(location(await browser.send(`search?q=${acme}`))).toBe(`/admin/organizations/${acme}`);
  });

  test.each(["ltd", "*", "a OR b", "name:acme", "\\", '"', "(", "org_", "org_x"])("accepts %s as text", async (typed) => {
    expect(await browser.page(`organizations?${new URLSearchParams({ q: typed })}`)).toContain("No organization matches");
  });

  test("never begins a term with a wildcard", () => {
    for (const typed of ["*a", "?", "a b", "é"]) expect(organizationSearch(typed)).not.toMatch(/:[*?]/);
    expect(organizationSearch("  ")).toBeUndefined();
  });

  test("has every organization once over its pages", async () => {
    for (let i = 0; i < 60; i++) await opened.service.manage.create("/api/v2/organizations", { name: `team-${i}` });
    const seen: string[] = [];
    for (let path = "organizations"; path !== "";) {
      const html = await browser.page(path);
      seen.push(...[...html.matchAll(/href="\/admin\/organizations\/(org_\w+)"/g)].map(([, id = ""]) => id));
      path = next(html);
    }
    expect([seen.length, new Set(seen).size]).toEqual([61, 61]);
  });
});

test("an organization is created, and deleted after a confirmation", async () => {
  const created = await browser.submit("organizations/new", { name: "new-team", display_name: "New team" });
  expect([created.status, location(created)]).toEqual([303, expect.stringMatching(/\/organizations\/org_\w+\?done=organization-created$/)]);
  const invalid = await browser.submit("organizations/new", { name: "New Team!", display_name: "Typed" });
  expect([invalid.status, (await invalid.text()).includes('value="Typed"')]).toEqual([400, true]);
  expect((await browser.submit("organizations/new", { name: "acme" })).status).toBe(400);

  expect(await browser.page(`organizations/${acme}/delete`)).toContain("This cannot be undone.");
  const deleted = await browser.submit(`organizations/${acme}/delete`, {});
  expect(location(deleted)).toBe("/admin/organizations?done=organization-deleted");
  await browser.page(`organizations/${acme}`, 404);
});

describe("members", () => {
  test("are found and added, get roles inside the organization, and are removed", async () => {
    const { bob, manage } = opened.service;
    const user = encodeURIComponent(bob.userId);
    const role = stringMember(await manage.create("/api/v2/roles", { name: "Reader" }), "id");
    expect(await browser.page(`${members}/add?q=nobody`)).toContain("No user matches.");
    expect(await browser.page(`${members}/add?q=bob@example.test`)).toContain(`value="${bob.userId}"`);
    const added = await browser.submit(`${members}/add`, { user: bob.userId });
    expect(location(added)).toBe(`/admin/organizations/${acme}?done=member-added`);
    expect(await readMembers()).toEqual([{ user_id: bob.userId, roles: [] }]);

    expect(await browser.page(`${members}/${user}/roles`)).toContain("Reader");
    await browser.submit(`${members}/${user}/roles`, { before: "[]", choice: role });
    expect(await readMembers()).toMatchObject([{ roles: [{ name: "Reader" }] }]);
    expect(await browser.page(`organizations/${acme}`)).toContain("Reader");
    expect(await browser.page(`users/${user}/roles`)).not.toContain("Reader");
    await browser.submit(`${members}/${user}/roles`, { before: JSON.stringify([role]) });
    expect(await readMembers()).toMatchObject([{ roles: [] }]);

    expect(await browser.page(`${members}/${user}/remove`)).toContain("Remove this member?");
    expect(location(await browser.submit(`${members}/${user}/remove`, {}))).toBe(`/admin/organizations/${acme}?done=member-removed`);
    expect(await readMembers()).toEqual([]);
  });

  test("are not added if the user does not exist", async () => {
    for (const user of ["auth0|unknown", "", ".."]) {
      const { status } = await browser.submit(`${members}/add`, { user });
      expect([user, status]).toEqual([user, expect.toSatisfy((one: number) => one === 400 || one === 404)]);
    }
    expect(await readMembers()).toEqual([]);
  });

  test("are listed without roles for an operator who may not read them", async () => {
    const { bob, manage } = opened.service;
    await manage("POST", `/api/v2/organizations/${acme}/members`, { members: [bob.userId] });
    const operator = await opened.addOperator("support@example.test", ["read:organizations", "read:organization_members"]);
    const support = await opened.signIn(operator);
    const html = await support.page(`organizations/${acme}`);
    expect([html.includes("bob@example.test"), /add"|remove"|aria-label="Roles/.test(html)]).toEqual([true, false]);
    const response = await support.submit(`${members}/${encodeURIComponent(bob.userId)}/remove`, {});
    expect([response.status, (await response.text()).includes("delete:organization_members")]).toEqual([403, true]);
    expect(await readMembers()).toHaveLength(1);
  });
});

describe("invitations", () => {
  const fields = (email: string): { readonly [name: string]: string } => ({ email, client: opened.service.web.clientId, connection: "" });

  test("are created with a link that is shown once, and withdrawn", async () => {
    const created = await browser.submit(`organizations/${acme}/invitations/new`, fields("new@example.test"));
    const [, link = ""] = /<code id="shown-once">([^<]+)</.exec(await created.text()) ?? [];
    expect(link).toContain("invitation=");
    const ticket = new URL(link.replaceAll("&amp;", "&")).searchParams.get("invitation") ?? "";
    for (const tab of ["", "/invitations", "/raw"]) expect(await browser.page(`organizations/${acme}${tab}`)).not.toContain(ticket);
    const [invitation] = await readInvitations();
    expect(invitation).toMatchObject({ invitee: { email: "new@example.test" }, inviter: { name: "Root" }, roles: [] });
    expect(await browser.page(`organizations/${acme}/invitations`)).toContain("new@example.test");
    const path = `organizations/${acme}/invitations/${String(invitation?.["id"])}/withdraw`;
    expect(await browser.page(path)).toContain("Withdraw this invitation?");
    expect(location(await browser.submit(path, {}))).toBe(`/admin/organizations/${acme}/invitations?done=invitation-withdrawn`);
    expect(await readInvitations()).toEqual([]);
  });

  test("are offered for the console last", async () => {
    const html = await browser.page(`organizations/${acme}/invitations/new`);
    const [, select = ""] = /<select id="client"(.*?)<\/select>/.exec(html) ?? [];
    const apps = [...select.matchAll(/value="([^"]+)"/g)].map(([, id]) => id);
    expect([apps.includes(opened.service.web.clientId), apps.at(-1)]).toEqual([true, "console"]);
  });

  test("show the form again with what was typed if a field is invalid", async () => {
    const response = await browser.submit(`organizations/${acme}/invitations/new`, fields("no address"));
    expect([response.status, (await response.text()).includes('value="no address"')]).toEqual([400, true]);
    expect((await browser.submit(`organizations/${acme}/invitations/new`, { ...fields("a@example.test"), client: "unknown" })).status).toBe(
      400,
    );
    expect(await readInvitations()).toEqual([]);
  });

  test("expire", async () => {
    await browser.submit(`organizations/${acme}/invitations/new`, fields("new@example.test"));
    expect(await browser.page(`organizations/${acme}/invitations`)).not.toContain("Expired");
    opened.service.clock.advance(8 * 86_400_000);
    const later = await opened.signIn(opened.administrator);
    expect(await later.page(`organizations/${acme}/invitations`)).toContain("Expired");
  });

  test("with a role whose permissions the operator lacks are rejected", async () => {
    const { manage } = opened.service;
    const role = stringMember(await manage.create("/api/v2/roles", { name: "Powerful" }), "id");
    const permissions = [{ resource_server_identifier: opened.service.postern.issuer + "api/v2/", permission_name: "delete:users" }];
    await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
    const scopes = ["read:organizations", "read:clients", "read:roles", "create:organization_invitations"];
    const operator = await opened.signIn(await opened.addOperator("inviter@example.test", scopes));
    const path = `organizations/${acme}/invitations/new`;
    expect((await operator.submit(path, { ...fields("a@example.test"), role })).status).toBe(403);
    expect(await readInvitations()).toEqual([]);
    expect((await operator.submit(path, fields("b@example.test"))).status).toBe(200);
  });
});
