import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { clickRepeatedly } from "./support/click-repeatedly.ts";
import { clickAction, enterIdentifier, enterPassword } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { heading, nextCode, shownSecret, signOutOnPage, startSignInSetup, type SignInSetup } from "./support/sign-in-setup.ts";
import { expectUsable } from "./support/usable-page.ts";

/** A user adds an authenticator app, stores the recovery code, and signs in with the app on a narrow screen. */
let setup: SignInSetup;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  setup = await startSignInSetup();
  const manage = await setup.manage();
  for (const name of ["otp", "recovery-code"]) {
    expect((await manage("PUT", `/api/v2/guardian/factors/${name}`, { enabled: true })).status).toBe(200);
  }
  expect((await manage("PUT", "/api/v2/guardian/policies", ["all-applications"])).status).toBe(200);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await setup.close();
});

describe.each([
  { javaScriptEnabled: true, locale: "en-US" },
  { javaScriptEnabled: false, locale: "ar" },
])("second factors with JavaScript: $javaScriptEnabled, in $locale", ({ javaScriptEnabled, locale }) => {
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!javaScriptEnabled);
  const named = (name: string): string => `${name}-${locale}`;

  beforeEach(async () => {
    const viewport = { width: 320, height: 640 };
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale, reducedMotion: "reduce", viewport });
    page = await context.newPage();
  });
  afterEach(async () => {
    setup.conditions.slowness = 0;
    await context.close();
  });

  async function expectGood(name: string): Promise<void> {
    await expectUsable(page, named(name));
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    expect(await page.getAttribute("html", "dir")).toBe(locale === "ar" ? "rtl" : "ltr");
  }

  async function signIn(email: string): Promise<void> {
    await page.goto(`${setup.app}/login?prompt=login`);
    await enterIdentifier(page, email);
    await enterPassword(page);
  }

  testOnce("a user adds an authenticator app and signs in with it", async () => {
    const { email } = await setup.createUser(named("factors").toLowerCase());
    await signIn(email);
    await expect.poll(() => page.locator("button[name=factor]").count()).toBe(1);
    await page.click("button[name=factor][value=totp]");

    const secret = await shownSecret(page);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(await page.locator("a[href^='otpauth://totp/']").count()).toBe(1);
    expect(await page.locator("#code:focus").count()).toBe(0);
    if (javaScriptEnabled) {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.click(".copy");
      await expect.poll(() => page.textContent(".secret [role=status]")).toBe("Copied");
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    } else expect(await page.isVisible(".copy")).toBe(false);
    await page.fill("#code", "000000");
    await clickAction(page, "confirm-new-factor");
    await expect.poll(() => page.locator("#problem").count()).toBe(1);
    await expectGood("add-app-problem");
    await page.fill("#code", nextCode(setup, secret));
    await clickAction(page, "confirm-new-factor");
    await expect.poll(() => page.locator("button[value=recovery-code-stored]").count()).toBe(1);
    expect(await shownSecret(page)).toMatch(/^[A-Z0-9]{24}$/);
    await clickAction(page, "recovery-code-stored");
    await expect.poll(() => heading(page)).toBe(`Signed in: ${email}`);

    await signOutOnPage(setup, page);
    await signIn(email);
    await expect.poll(() => page.locator("button[value=enter-factor-code]").count()).toBe(1);
    const field = page.locator("#code:focus");
    expect([await field.getAttribute("autocomplete"), await field.getAttribute("inputmode")]).toEqual(["one-time-code", "numeric"]);
    await expectGood("factor");
    expect(await page.textContent("main")).not.toContain(email);
    await page.check("input[name=remember]");
    await page.fill("#code", nextCode(setup, secret));
    expect(await clickRepeatedly(setup, page, { clicks: 2, action: "enter-factor-code", javaScriptEnabled })).toBe(
      javaScriptEnabled ? 1 : 2,
    );
    await expect.poll(() => heading(page)).toBe(`Signed in: ${email}`);
    setup.conditions.slowness = 0;

    await signOutOnPage(setup, page);
    await signIn(email);
    await expect.poll(() => heading(page)).toBe(`Signed in: ${email}`);
  });
});
