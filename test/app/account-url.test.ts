import type { AccountPageSection } from "@postern/app";
import { describe, expect, test } from "vitest";
import { accountSectionNames } from "../../packages/core/src/model/tenant/account-page.ts";
import { showSections } from "../account/page.ts";
import { openApp } from "./app-browser.ts";

/** The URL of the account page that an app links to. */

const sections: { readonly [Section in AccountPageSection]: true } = {
  profile: true,
  addresses: true,
  username: true,
  password: true,
  security: true,
  sessions: true,
  apps: true,
  linked_accounts: true,
  organizations: true,
  language: true,
  events: true,
  export: true,
  deletion: true,
};

describe("the URL of the account page", () => {
  test("names every section of the page", () => {
    expect(Object.keys(sections)).toEqual(accountSectionNames);
  });

  test("opens the section for the user who is signed in, and links back to the page of the app", async () => {
    const { service, sessions, client, openBrowser } = await openApp();
    await showSections(service);
    const browser = openBrowser();
    await browser.signIn(service.ada);
    const url = await sessions.account.url({ section: "profile", returnTo: "/settings?tab=1" });
    expect(url.href).toContain("https://id.example.test/u/account/profile?");
    expect(url.searchParams.get("client_id")).toBe(client.clientId);
    const page = await browser.idp.get(url.href);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('href="https://app.example.test/settings?tab=1"');
    expect(html).toContain(service.ada.email);
  });

  test("opens the list of sections by default, and links back to the front page of the app", async () => {
    const { service, sessions, openBrowser } = await openApp();
    await showSections(service);
    const browser = openBrowser();
    await browser.signIn(service.ada);
    const url = await sessions.account.url();
    expect(url.pathname).toBe("/u/account");
    expect(await (await browser.idp.get(url.href)).text()).toContain('href="https://app.example.test/"');
  });

  test.each(["https://evil.example.test/", "//evil.test", "/\\evil.test", `/${"x".repeat(1501)}`, null])(
    "never links back to another site: %s",
    async (returnTo) => {
      const { sessions } = await openApp();
      expect((await sessions.account.url({ returnTo })).searchParams.get("returnTo")).toBe("https://app.example.test/");
    },
  );
});
