import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { login, type TestAccount } from "../support/flow.ts";
import { openLink } from "../support/links.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";
import { openFederation, signInWithProvider, submitProviderSignIn, type Federation } from "../upstream/federation.ts";
import { openSection, showSections, submitForm } from "./page.ts";

/** Users link an account at an identity provider on the account page. */

let outbox: Outbox;
let federation: Federation;
let browser: Browser;
let atProvider: TestAccount;

beforeEach(async () => {
  outbox = createOutbox();
  federation = await openFederation({ messages: { mail: outbox.mail } });
  await federation.connect();
  await showSections(federation.service, { linked_accounts: "shown" });
  browser = await signIn(federation.service.ada);
  atProvider = await federation.provider.addUser("ada@people.example");
});

async function signIn(account: TestAccount): Promise<Browser> {
  const own = federation.service.browser();
  await login(own, federation.service.web, account);
  return own;
}

const identitiesOf = async (account: TestAccount) => {
  const reply = await federation.service.manage("GET", `/api/v2/users/${encodeURIComponent(account.userId)}`);
  const { identities } = jsonBody(reply);
  return Array.isArray(identities) ? identities : [];
};

/** Begins a link. @returns the URL at the identity provider. */
async function begin(own: Browser): Promise<string> {
  const page = await openSection(own, "linked_accounts", { view: "link" });
  expect(page.actions).toEqual(["continue-with"]);
  const { location } = await submitForm(own, page, { action: "continue-with", connection: "fieldnotes" });
  const away = await own.get(location?.href ?? "");
  return away.headers.get("location") ?? "";
}

/** Returns to the service. @returns the parameters of the account page that the browser opens. */
async function comeBack(own: Browser, callback: string): Promise<{ readonly [name: string]: string }> {
  const response = await own.get(callback);
  const url = new URL(response.headers.get("location") ?? "", "https://id.example.test");
  expect(url.pathname).toBe("/u/account/linked_accounts");
  return Object.fromEntries(url.searchParams);
}

describe("linking an account", () => {
  test("signs no user in, is reported, and lets the user sign in with the provider from then on", async () => {
    const { service } = federation;
    const cookies = new Map(browser.cookies);
    const callback = await submitProviderSignIn(federation, await begin(browser), atProvider);
    expect(await comeBack(browser, callback)).toMatchObject({ done: "linked" });
    expect([...browser.cookies].filter(([name]) => name.includes("session"))).toEqual(
      [...cookies].filter(([name]) => name.includes("session")),
    );
    expect(await identitiesOf(service.ada)).toMatchObject([{}, { connection: "fieldnotes" }]);
    const mail = outbox.take(service.ada.email);
    expect(mail).toMatchObject({ template: "account_linked_by_user", subject: "An account was linked to yours" });
    const [undo = ""] = /https:\/\/\S*\/u\/undo-factor-change\?ticket=[\w.%-]+/.exec(mail.text) ?? [];
    expect(await openLink(service.browser(), undo)).toMatchObject({ status: 200, actions: ["protect"] });
    expect(await auditEvents(service.manage, "my_account_profile_succeeded")).toMatchObject([{ user_id: service.ada.userId }]);
    expect((await openSection(browser, "linked_accounts")).html).toContain("Fieldnotes");
    // One account of each connection can be linked.
    expect((await browser.get("/u/account/linked_accounts?view=link")).status).toBe(303);
    const result = await signInWithProvider(federation, atProvider);
    expect(result.kind).toBe("response");
    expect(await auditEvents(service.manage, "s")).toMatchObject([{ user_id: service.ada.userId }, {}]);
  });

  test("is rejected for a provider's account that is a separate user", async () => {
    const { service } = federation;
    await signInWithProvider(federation, atProvider);
    const callback = await submitProviderSignIn(federation, await begin(browser), atProvider);
    expect(await comeBack(browser, callback)).toMatchObject({ problem: "link-refused" });
    expect(await identitiesOf(service.ada)).toHaveLength(1);
    expect((await openSection(browser, "linked_accounts", { problem: "link-refused" })).html).toContain("can’t be linked");
  });

  test("needs the session in which it began: no other browser or user completes it", async () => {
    const { service } = federation;
    const callback = await submitProviderSignIn(federation, await begin(browser), atProvider);
    for (const other of [await signIn(service.bob), service.browser()]) {
      const response = await other.get(callback);
      expect(response.headers.get("location") ?? "").not.toContain("done=linked");
    }
    // Another tab of the browser signed in as Bob.
    await browser.get(`/oidc/logout`);
    const bobs = await signIn(service.bob);
    for (const [name, value] of bobs.cookies) if (name.includes("session")) browser.cookies.set(name, value);
    expect(await comeBack(browser, callback)).toMatchObject({ problem: "outdated" });
    expect(await identitiesOf(service.ada)).toHaveLength(1);
    expect(await identitiesOf(service.bob)).toHaveLength(1);
  });

  test("cannot be completed by the visitor to whom an attacker sends the link of a login", async () => {
    const { service } = federation;
    const page = await openSection(browser, "linked_accounts", { view: "link" });
    const { location } = await submitForm(browser, page, { action: "continue-with", connection: "fieldnotes" });
    const bobs = await signIn(service.bob);
    const away = await bobs.get(location?.href ?? "");
    const callback = await submitProviderSignIn(federation, away.headers.get("location") ?? "", atProvider);
    expect(await comeBack(bobs, callback)).toMatchObject({ problem: "outdated" });
    expect(await identitiesOf(service.ada)).toHaveLength(1);
    expect(await identitiesOf(service.bob)).toHaveLength(1);
  });

  test("is not completed 16 minutes after the sign-in, after a report of a change, or if the section is read-only", async () => {
    const { service } = federation;
    const callback = await submitProviderSignIn(federation, await begin(browser), atProvider);
    const where = { tenant_id: "main", user_id: service.ada.userId };
    const until = service.clock.now() + 60_000;
    await service.data.collections.users.update(where, { set: { factors_frozen_until: until }, add: { revision: 1 } });
    expect(await comeBack(browser, callback)).toMatchObject({ problem: "outdated" });
    await service.data.collections.users.update(where, { set: { factors_frozen_until: null }, add: { revision: 1 } });
    const second = await submitProviderSignIn(federation, await begin(browser), atProvider);
    await showSections(service, { linked_accounts: "read_only" });
    expect(await comeBack(browser, second)).toMatchObject({ problem: "outdated" });
    expect((await openSection(browser, "linked_accounts")).html).not.toContain("view=link");
    await showSections(service, { linked_accounts: "shown" });
    service.clock.advance("12m");
    const third = await begin(browser);
    service.clock.advance("4m");
    expect(await comeBack(browser, await submitProviderSignIn(federation, third, atProvider))).toMatchObject({ problem: "outdated" });
    expect((await openLink(browser, "/u/account/linked_accounts?view=link")).title).toBe("Sign in again");
    expect(await identitiesOf(service.ada)).toHaveLength(1);
  });

  test("returns to the page with the reason if the user declines at the provider", async () => {
    const address = new URL(await begin(browser));
    const callback = new URL(address.searchParams.get("redirect_uri") ?? "");
    callback.searchParams.set("state", address.searchParams.get("state") ?? "");
    callback.searchParams.set("error", "access_denied");
    callback.searchParams.set("iss", "https://upstream.example.test/");
    expect(await comeBack(browser, callback.href)).toMatchObject({ problem: "provider-declined" });
    expect((await openSection(browser, "linked_accounts", { problem: "provider-declined" })).html).toContain("finish signing in");
  });

  test("offers only providers that the client offers", async () => {
    await submitForm(browser, await openSection(browser, "linked_accounts", { view: "link" }), {
      action: "continue-with",
      connection: "elsewhere",
    });
    const other = await federation.service.register({});
    const page = await openSection(browser, "linked_accounts", { client_id: other.clientId });
    expect(page.html).not.toContain("view=link");
  });
});
