import { beforeEach, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import {
  sendAuthorization,
  login,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  type TestAccount,
  type LoginService,
} from "../support/flow.ts";
import { addUnverifiedUser, openLink, submitLinkForm, createTicketLink } from "../support/links.ts";

const silent = { prompt: "none" };

let service: LoginService;
let eve: TestAccount;
let link: string;

beforeEach(async () => {
  service = await openService();
  eve = await addUnverifiedUser(service, "eve@example.test");
  link = await createTicketLink(service, "email-verification", { user_id: eve.userId, client_id: service.web.clientId });
});

const fetchUser = async (id = eve.userId) => jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(id)}`), 200);

test("opening the link changes nothing; the button verifies the address, and the page shows it afterwards", async () => {
  const scanner = service.browser();
  for (let i = 0; i < 2; i++) expect(await openLink(scanner, link)).toMatchObject({ status: 200, title: "Did you create this account?" });
  expect((await service.postern.fetch(new Request(link, { method: "HEAD" }))).status).toBe(200);
  expect(await fetchUser()).toMatchObject({ email_verified: false });

  const browser = service.browser();
  const page = await openLink(browser, link);
  expect(page.actions).toEqual(["yes", "no"]);
  expect(page.html).toContain("eve@example.test");
  expect(await submitLinkForm(browser, page, { action: "yes" })).toMatchObject({ status: 200, title: "Your address is confirmed" });
  expect(await fetchUser()).toMatchObject({ email_verified: true });
  const later = await openLink(scanner, link);
  expect(later).toMatchObject({ title: "Your address is confirmed", actions: [] });
  // The page links to the app as the next step.
  expect(later.html).toContain('href="https://app.example.test/"');
  // A user who confirms the account keeps access to it.
  await login(service.browser(), service.web, eve);
});

test("three clicks, and a different choice afterwards, verify the address once", async () => {
  const browser = service.browser();
  const page = await openLink(browser, link);
  await Promise.all([1, 2, 3].map(() => submitLinkForm(browser, page, { action: "yes" })));
  expect(await submitLinkForm(browser, page, { action: "no" })).toMatchObject({ title: "Your address is confirmed" });
  await login(service.browser(), service.web, eve);
  expect((await service.manage("GET", "/api/v2/logs?q=type:sv")).body).toHaveLength(1);
});

test("a user who is signed in to the account sees one button, and keeps the session", async () => {
  const browser = service.browser();
  await obtainTokens(service, service.web, eve, {}, browser);
  const page = await openLink(browser, link);
  expect(page).toMatchObject({ title: "Confirm your email address", actions: ["confirm"] });
  expect(await submitLinkForm(browser, page, { action: "confirm" })).toMatchObject({ title: "Your address is confirmed" });
  expect(await sendAuthorization(browser, service.web, silent)).toMatchObject({
    kind: "response",
    parameters: { code: expect.any(String) },
  });
});

test("asks a user whose session ended before the confirmation whether they created the account", async () => {
  const browser = service.browser();
  await obtainTokens(service, service.web, eve, {}, browser);
  const page = await openLink(browser, link);
  browser.cookies.clear();
  expect(await submitLinkForm(browser, page, { action: "confirm" })).toMatchObject({ title: "Did you create this account?" });
  expect(await fetchUser()).toMatchObject({ email_verified: false });
});

test("another user's session in the browser does not confirm the account", async () => {
  const browser = service.browser();
  await obtainTokens(service, service.web, service.ada, {}, browser);
  const page = await openLink(browser, link);
  expect(page.actions).toEqual(["yes", "no"]);
  expect(await submitLinkForm(browser, page, { action: "confirm" })).toMatchObject({ title: "Did you create this account?" });
  expect(await fetchUser()).toMatchObject({ email_verified: false });
});

test("asks a user who is signed in with a linked account as well, because the owner of that account may not own the email address", async () => {
  const identities = `/api/v2/users/${encodeURIComponent(eve.userId)}/identities`;
  expect(await service.manage("POST", identities, { provider: "auth0", user_id: service.bob.userId })).toMatchObject({ status: 201 });
  const browser = service.browser();
  await obtainTokens(service, service.web, service.bob, {}, browser);
  const page = await openLink(browser, link);
  expect(page.actions).toEqual(["yes", "no"]);
});

test("an attacker who created the account loses it when the owner of the email address rejects the account", async () => {
  const attackerBrowser = service.browser();
  const issued = await obtainTokens(service, service.web, eve, offline, attackerBrowser);
  const ownerBrowser = service.browser();
  const done = await submitLinkForm(ownerBrowser, await openLink(ownerBrowser, link), { action: "no" });
  expect(done).toMatchObject({ status: 200, title: "Thank you for letting us know" });
  expect(await fetchUser()).toMatchObject({ email_verified: false });
  expect(await sendAuthorization(attackerBrowser, service.web, silent)).toMatchObject({ parameters: { error: "login_required" } });
  expect((await service.exchange(refreshGrant(service.web, issued.refresh))).status).toBe(400);
  expect((await service.userinfo(issued.access)).status).toBe(401);
  await expect(login(service.browser(), service.web, eve)).rejects.toThrow();
  // Opening the link again shows the same page, and sending "yes" restores nothing.
  const repeated = await openLink(ownerBrowser, link);
  expect(repeated).toMatchObject({ title: "Thank you for letting us know", actions: [] });
  await ownerBrowser.post("/u/verify-email", { form: { ticket: new URL(link).searchParams.get("ticket") ?? "", action: "yes" } });
  expect(await fetchUser()).toMatchObject({ email_verified: false });
});

test("a link for a former email address, an expired link and an unknown link show an error and change nothing", async () => {
  const { manage, clock } = service;
  const browser = service.browser();
  const page = await openLink(browser, link);
  const path = `/api/v2/users/${encodeURIComponent(eve.userId)}`;
  await manage("PATCH", path, { email: "other@example.test" });
  expect(await submitLinkForm(browser, page, { action: "yes" })).toMatchObject({ status: 400, title: "This link is no longer valid" });
  await manage("PATCH", path, { email: eve.email });
  clock.advance("121h");
  expect(await submitLinkForm(browser, page, { action: "yes" })).toMatchObject({ status: 400, title: "This link has expired" });
  expect(await fetchUser()).toMatchObject({ email_verified: false });
  for (const unknown of [link.slice(0, -1), "/u/verify-email", "/u/verify-email?ticket=", "/u/verify-email?ticket=main."]) {
    expect(await openLink(browser, unknown)).toMatchObject({ status: 400, title: "We don’t recognize this link" });
  }
  await manage("DELETE", path);
  expect(await openLink(browser, link)).toMatchObject({ status: 400, title: "We don’t recognize this link" });
});

test("rejects a cross-site form", async () => {
  const browser = service.browser();
  const form = { ticket: new URL(link).searchParams.get("ticket") ?? "", action: "yes" };
  for (const origin of ["https://evil.example", "null"]) {
    expect((await browser.post("/u/verify-email", { form, headers: { origin } })).status).toBe(403);
  }
  expect(await fetchUser()).toMatchObject({ email_verified: false });
});

test("a ticket from another tenant is unknown, whichever tenant its text names", async () => {
  const { postern } = service;
  const text = new URL(link).searchParams.get("ticket") ?? "";
  const browser = service.browser();
  const others = `/u/verify-email?ticket=${text.replace("main.", "other.")}`;
  expect(await openLink(browser, others)).toMatchObject({ status: 400, title: "We don’t recognize this link" });
  const response = await postern.fetch(new Request(link, { headers: { "tenant-id": "other" } }));
  expect(response.status).toBe(400);
});
