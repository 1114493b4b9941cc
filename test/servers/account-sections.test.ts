import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { accountSectionNames } from "../../packages/core/src/model/tenant/account-page.ts";
import { launchBrowser } from "../pages/browser.ts";
import type { Manager } from "../support/api.ts";
import { createOutbox } from "../support/outbox.ts";
import { clickAction, enterIdentifier, enterPassword } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { heading, startSignInSetup, type SignInSetup } from "./support/sign-in-setup.ts";
import { expectUsable } from "./support/usable-page.ts";

/** Every section of the account page in Chromium. `account-page.test.ts` has the changes of factors. */

let setup: SignInSetup;
let manage: Manager;
let browser: Browser;
let organization: string;
let users = 0;
const outbox = createOutbox();
const contexts: BrowserContext[] = [];

const metadata_fields = [
  { name: "team", type: "text", max_length: 40, label: { en: "Team", de: "Arbeitsgruppe", ar: "الفريق" } },
  { name: "size", type: "choice", label: { en: "Size", de: "Größe", ar: "المقاس" }, choices: [{ value: "s" }, { value: "m" }] },
  { name: "news", type: "boolean", label: { en: "Newsletter", de: "Donaudampfschifffahrtsgesellschaftsnachrichten", ar: "النشرة" } },
];

beforeAll(async () => {
  setup = await startSignInSetup({ messages: { mail: outbox.mail, sms: outbox.sms } });
  manage = await setup.manage();
  const sections = Object.fromEntries(accountSectionNames.map((name) => [name, "shown"]));
  const settings = { account_page: { client_id: "web", sections, metadata_fields }, support_email: "help@example.com" };
  expect((await manage("PATCH", "/api/v2/tenants/settings", settings)).status).toBe(200);
  const { body: connections } = await manage("GET", "/api/v2/connections?strategy=auth0");
  const [database] = Array.isArray(connections) ? connections : [];
  const path = `/api/v2/connections/${String(database?.id)}`;
  expect((await manage("PATCH", path, { options: { requires_username: true } })).status).toBe(200);
  expect((await manage("PATCH", "/api/v2/clients/web", { tos_uri: "https://app.example.com/terms" })).status).toBe(200);
  organization = String((await manage.create("/api/v2/organizations", { name: "acme", display_name: "Acme Cartography" }))["id"]);
  setup.conditions.ahead += 10_000;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await setup.close();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

/** The pages: the section, and the parameters that select one of its pages. */
const pages = [
  ["", ""],
  ["profile", ""],
  ["profile", "view=edit"],
  ["profile", "view=edit&problem=change-denied"],
  ["addresses", ""],
  ["addresses", "view=email&problem=email-same"],
  ["addresses", "view=phone"],
  ["username", ""],
  ["username", "view=edit&problem=username-taken"],
  ["password", ""],
  ["password", "view=edit"],
  ["security", ""],
  ["sessions", ""],
  ["apps", ""],
  ["linked_accounts", ""],
  ["organizations", ""],
  ["organizations", "view=leave"],
  ["language", ""],
  ["language", "view=edit"],
  ["events", ""],
  ["export", ""],
  ["export", "view=download"],
  ["deletion", ""],
  ["deletion", "view=confirm"],
] as const;

const appearances = [
  { width: 320, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 320, colorScheme: "dark" },
  { width: 1280, colorScheme: "light" },
] as const;

/** Signs a user with data in every section in, with a new browser. */
async function signIn(locale: string, javaScriptEnabled = true): Promise<{ readonly page: Page; readonly userPath: string }> {
  const { email, userId } = await setup.createUser(`sections-${locale.toLowerCase()}`);
  const userPath = `/api/v2/users/${encodeURIComponent(userId)}`;
  const second = await setup.createUser("linked");
  await manage("POST", `${userPath}/identities`, { provider: "auth0", user_id: second.userId });
  const phone = `+49151123456${String(++users).padStart(2, "0")}`;
  const body = { name: "Mira Lindqvist", phone_number: phone, user_metadata: { team: "Blue", news: true } };
  expect((await manage("PATCH", userPath, body)).status).toBe(200);
  await manage("POST", `/api/v2/organizations/${organization}/members`, { members: [userId] });
  const context = await browser.newContext({ locale, javaScriptEnabled, ignoreHTTPSErrors: true, reducedMotion: "reduce" });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(`${setup.app}/login?prompt=login`);
  await enterIdentifier(page, email);
  await enterPassword(page);
  await expect.poll(() => heading(page)).toContain(email);
  return { page, userPath };
}

/** Opens a page of a section, and expects that it is not another one. */
async function open(page: Page, section: string, query: string): Promise<void> {
  const id = query === "view=leave" ? `&id=${organization}` : "";
  await page.goto(`${setup.issuer}u/account${section === "" ? "" : `/${section}`}?${query}${id}`);
  const url = new URL(page.url());
  expect(url.pathname.endsWith(section), `${section} ${page.url()}`).toBe(true);
  expect(url.searchParams.get("view"), `${section}?${query}`).toBe(new URLSearchParams(query).get("view"));
  expect(await page.locator("h1").count(), section).toBe(1);
}

/** Expects that the Tab key reaches every link, button and field of the page. */
async function expectReachable(page: Page, name: string): Promise<void> {
  const focusable = page.locator("a[href]:visible,button:visible,select:visible,input:not([type=hidden],[tabindex='-1']):visible");
  const expected = await focusable.evaluateAll((elements) => elements.map((element) => element.outerHTML));
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.getSelection()?.removeAllRanges();
  });
  const reached = new Set<string>();
  // The browser's own controls may be between the end and the start of the page.
  for (let presses = 0; presses < expected.length + 3; presses++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.outerHTML ?? ""));
  }
  expect(
    expected.filter((element) => !reached.has(element)),
    name,
  ).toEqual([]);
}

describe.each(["en-US", "de", "ar"])("in %s", (locale) => {
  testUnless(locale === "de")("every page fits its window, is accessible, and can be used by keyboard", { timeout: 240_000 }, async () => {
    const { page } = await signIn(locale);
    for (const [section, query] of pages) {
      const name = `${section}?${query}`;
      await open(page, section, query);
      expect(await page.getAttribute("html", "lang"), name).toBe(locale.replace("-US", ""));
      expect(await page.getAttribute("html", "dir"), name).toBe(locale === "ar" ? "rtl" : "ltr");
      await expectUsable(page, name, appearances);
      await expectReachable(page, name);
    }
  });

  test("every page is complete without JavaScript", { timeout: 120_000 }, async () => {
    const { page, userPath } = await signIn(locale, false);
    for (const [section, query] of pages) await open(page, section, query);
    // Every form is submitted by its button, without a script.
    await open(page, "profile", "view=edit");
    await page.fill("#metadata-team", "Deep Green");
    await page.selectOption("#metadata-size", "m");
    await page.uncheck("#metadata-news");
    await clickAction(page, "save-profile");
    await expect.poll(() => page.locator(".notice").count()).toBe(1);
    expect(await page.locator("dd").allTextContents()).toEqual(expect.arrayContaining(["Deep Green", "m"]));
    expect((await manage("GET", userPath)).body).toMatchObject({ user_metadata: { team: "Deep Green", size: "m", news: false } });
    await open(page, "language", "view=edit");
    await page.selectOption("#zoneinfo", "Europe/Berlin");
    await clickAction(page, "save-language");
    await expect.poll(() => page.locator(".notice").count()).toBe(1);
    await open(page, "organizations", "view=leave");
    await clickAction(page, "leave-organization");
    await expect.poll(() => page.locator(".notice").count()).toBe(1);
    await open(page, "deletion", "view=confirm");
    await clickAction(page, "delete-account");
    await expect.poll(() => page.locator("h1").count()).toBe(1);
    expect((await manage("GET", userPath)).body).toMatchObject({ deletes_at: expect.any(String) });
  });
});

test("fields of the metadata are changed by keyboard", async () => {
  const { page, userPath } = await signIn("en-US");
  await open(page, "profile", "view=edit");
  await page.focus("#nickname");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Red");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".notice").count()).toBe(1);
  expect((await manage("GET", userPath)).body).toMatchObject({ user_metadata: { team: "Red", size: "s", news: false } });
});
