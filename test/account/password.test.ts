import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, jsonBody } from "../support/api.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import { obtainTokens, offline, openService, refreshGrant, type LoginService, type TestAccount } from "../support/flow.ts";
import { openLink, submitLinkForm } from "../support/links.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";
import { openSection, showSections, signInBrowser, submitForm } from "./page.ts";

/** The sections `password` and `username` of the account page. */

const password = "another long phrase 7";

let outbox: Outbox;
let service: LoginService;
let browser: Browser;

beforeEach(async () => {
  outbox = createOutbox();
  service = await openService({ messages: { mail: outbox.mail } });
  await showSections(service, { password: "shown", username: "shown" });
  browser = await signInBrowser(service, service.ada);
});

const pathOf = (account: TestAccount) => `/api/v2/users/${encodeURIComponent(account.userId)}`;
const userOf = async (account: TestAccount) => jsonBody(await service.manage("GET", pathOf(account)));
const ownedByAda = () => ({ tenant_id: "main", user_id: service.ada.userId });
const row = async () => (await service.data.collections.users.find({ where: ownedByAda(), limit: 1 }))[0];

/** Returns the parameters of the page that the browser sees after a form of a section was sent. */
async function send(own: Browser, section: string, page: Awaited<ReturnType<typeof openLink>>, more: { readonly [field: string]: string }) {
  const { location } = await submitForm(own, page, more);
  expect(location?.pathname).toBe(`/u/account/${section}`);
  return Object.fromEntries(location?.searchParams ?? []);
}

describe("the password", () => {
  const edit = (own: Browser) => openSection(own, "password", { view: "edit" });
  const set = async (own: Browser, chosen: string) => send(own, "password", await edit(own), { action: "set-password", password: chosen });

  test("is changed, ends all other sessions and their tokens, and is reported", async () => {
    const phone = await signInBrowser(service, service.ada);
    const tokens = await obtainTokens(service, service.spa, service.ada, offline, phone);
    const own = await obtainTokens(service, service.spa, service.ada, offline, browser);
    expect((await edit(browser)).html).toContain('autocomplete="new-password"');
    expect(await set(browser, password)).toMatchObject({ done: "saved" });
    expect((await openSection(browser, "password")).status).toBe(200);
    expect((await openSection(phone, "password")).title).not.toBe("Password");
    expect((await service.exchange(refreshGrant(service.spa, tokens.refresh))).status).toBe(400);
    expect((await service.exchange(refreshGrant(service.spa, own.refresh))).status).toBe(200);
    await signInBrowser(service, { ...service.ada, password });
    await expect(signInBrowser(service, service.ada)).rejects.toThrow();
    expect(await auditEvents(service.manage, "scp")).toHaveLength(1);
    expect(outbox.take(service.ada.email)).toMatchObject({ template: "password_changed", subject: "Your password was changed" });
  });

  test("must meet the policy of the connection, and the page says which rules are not met", async () => {
    const before = (await row())?.["password_id"];
    expect(await set(browser, "")).toMatchObject({ problem: "password-missing" });
    const weak = await set(browser, "short");
    expect(weak).toMatchObject({ view: "edit", problem: "password-too-weak", unkept: "lengthAtLeast" });
    expect((await openSection(browser, "password", weak)).html).toContain('class="lacking"');
    expect((await row())?.["password_id"]).toBe(before);
    expect((await openSection(browser, "password")).status).toBe(200);
  });

  test("is not changed with an older sign-in, by a form of another user, or in a read-only section", async () => {
    const before = (await row())?.["password_id"];
    const form = formFields((await edit(browser)).html);
    const post = (own: Browser) => own.post("/u/account/password", { form: { ...form, action: "set-password", password } });
    await post(await signInBrowser(service, service.bob));
    await showSections(service, { password: "read_only" });
    await post(browser);
    expect((await browser.get("/u/account/password?view=edit")).status).toBe(303);
    await showSections(service, { password: "shown" });
    service.clock.advance("16m");
    expect((await edit(browser)).title).toBe("Sign in again");
    await post(browser);
    expect((await row())?.["password_id"]).toBe(before);
  });

  test("is set once by 8 parallel forms", async () => {
    const page = await edit(browser);
    const form = { ...formFields(page.html), action: "set-password", password };
    await Promise.all(Array.from({ length: 8 }, () => browser.post(formAction(page.html) ?? "", { form })));
    expect(await auditEvents(service.manage, "scp")).toHaveLength(1);
    expect(outbox.sent).toHaveLength(1);
    await signInBrowser(service, { ...service.ada, password });
  });

  test("cannot be changed after the user reported a change, and if the connection does not allow it", async () => {
    await set(browser, password);
    const [link = ""] = /https:\/\/\S*\/u\/undo-factor-change\?ticket=[\w.%-]+/.exec(outbox.take(service.ada.email).text) ?? [];
    const done = await submitLinkForm(service.browser(), await openLink(service.browser(), link), {});
    expect(done.html).toContain("forgot-password");
    const again = await signInBrowser(service, { ...service.ada, password });
    expect(await edit(again)).toMatchObject({ title: "Changes are paused", actions: [] });
    const [connection] = await service.data.collections.connections.find({ where: { tenant_id: "main", strategy: "auth0" }, limit: 1 });
    const options = { disable_self_service_change_password: true };
    await service.manage("PATCH", `/api/v2/connections/${String(connection?.["id"])}`, { options });
    service.clock.advance("6s");
    const bobs = await signInBrowser(service, service.bob);
    expect((await openSection(bobs, "password")).html).toContain("can’t be changed here");
    expect((await bobs.get("/u/account/password?view=edit")).status).toBe(303);
  });
});

describe("the username", () => {
  beforeEach(async () => {
    const [connection] = await service.data.collections.connections.find({ where: { tenant_id: "main", strategy: "auth0" }, limit: 1 });
    await service.manage("PATCH", `/api/v2/connections/${String(connection?.["id"])}`, { options: { requires_username: true } });
    service.clock.advance("6s");
  });

  const edit = (own: Browser) => openSection(own, "username", { view: "edit" });
  const save = async (own: Browser, username: string) => send(own, "username", await edit(own), { action: "save-username", username });

  test("is changed, signs in, and is reported with a link that protects the account", async () => {
    expect(await save(browser, "countess")).toMatchObject({ done: "saved" });
    expect(await userOf(service.ada)).toMatchObject({ username: "countess" });
    await signInBrowser(service, { ...service.ada, email: "Countess" });
    const mail = outbox.take(service.ada.email);
    expect(mail).toMatchObject({ template: "username_changed" });
    expect(mail.text).toContain("/u/undo-factor-change?ticket=");
    expect(await auditEvents(service.manage, "scu")).toHaveLength(1);
  });

  test("must be free and allowed as at sign-up", async () => {
    await save(await signInBrowser(service, service.bob), "Countess");
    expect(await save(browser, "countess")).toMatchObject({ problem: "username-taken" });
    expect((await openSection(browser, "username", { view: "edit", problem: "username-taken" })).html).toContain("That username is taken");
    for (const username of ["with space", "x".repeat(16), "a@example.test", ""])
      expect(await save(browser, username), username).toMatchObject({ problem: "username-invalid" });
    expect(await userOf(service.ada)).not.toHaveProperty("username");
  });

  test("goes to one of two users who choose it in parallel", async () => {
    const bobs = await signInBrowser(service, service.bob);
    const results = await Promise.all([save(browser, "countess"), save(bobs, "countess")]);
    expect(results.filter(({ done }) => done === "saved")).toHaveLength(1);
  });

  test("cannot be chosen without a recent sign-in, or in a connection without usernames", async () => {
    const form = await edit(browser);
    service.clock.advance("16m");
    await submitForm(browser, form, { action: "save-username", username: "countess" });
    expect(await userOf(service.ada)).not.toHaveProperty("username");
    const [connection] = await service.data.collections.connections.find({ where: { tenant_id: "main", strategy: "auth0" }, limit: 1 });
    await service.manage("PATCH", `/api/v2/connections/${String(connection?.["id"])}`, { options: { requires_username: false } });
    service.clock.advance("6s");
    const fresh = await signInBrowser(service, service.ada);
    expect((await fresh.get("/u/account/username?view=edit")).status).toBe(303);
  });
});
