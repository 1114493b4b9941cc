import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser, openProfile } from "../pages/browser.ts";
import { clickAction, enterPassword, enterIdentifier } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { isNightly } from "../support/nightly.ts";
import { heading, startSignInSetup, type SignInSetup } from "./support/sign-in-setup.ts";
import { expectUsable } from "./support/usable-page.ts";

/**
 * Users go back, go forward, reload, restore tabs and open bookmarks. Every page that they reach offers a next step.
 */
let setup: SignInSetup;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  setup = await startSignInSetup();
});
afterAll(() => setup.close());

const begin = (query = ""): Promise<unknown> => page.goto(`${setup.app}/login?${query}`);
const signedInHeading = (email: string): string => `Signed in: ${email}`;
const step = (): string | null => new URL(page.url()).searchParams.get("step");
/** Goes back. Waits for `commit` only, because a page from the back-forward cache fires no `load` event. */
const back = (): Promise<unknown> => page.goBack({ waitUntil: "commit" });
/** Goes forward after a second, because a cached page reloads itself at once and a navigation would be ignored. */
async function forward(): Promise<void> {
  await page.waitForTimeout(1000);
  await page.goForward({ waitUntil: "commit" });
}
const expectHeading = (text: string): Promise<void> => expect.poll(() => heading(page)).toBe(text);

describe.each([
  { hasCache: true, javaScriptEnabled: true },
  { hasCache: true, javaScriptEnabled: false },
  { hasCache: false, javaScriptEnabled: true },
  { hasCache: false, javaScriptEnabled: false },
])("browser history with a back-forward cache: $hasCache, with JavaScript: $javaScriptEnabled", ({ hasCache, javaScriptEnabled }) => {
  // Browsers enable the cache and scripts by default, so only `.ci/nightly` tests the pages without one of them.
  const testOnce = testUnless(!hasCache || !javaScriptEnabled);
  const named = (name: string): string => `${name}-${hasCache ? "kept" : "loaded"}-${javaScriptEnabled ? "js" : "nojs"}`;

  beforeAll(async () => {
    // Playwright disables the back-forward cache, which browsers enable by default. This removes its flag.
    browser = await launchBrowser([], hasCache ? ["--disable-back-forward-cache"] : []);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: "en-US", reducedMotion: "reduce" });
    page = await context.newPage();
    setup.posts.length = 0;
  });
  afterEach(() => context.close());

  testOnce("Back shows the identifier that the user entered, and Forward shows the password page again", async () => {
    const { email } = await setup.createUser("back");
    await begin();
    await enterIdentifier(page, `typo-${email}`);
    await page.waitForSelector("#password");
    await back();
    await expect.poll(step).toBe("identifier");
    expect(await page.inputValue("#identifier")).toBe(`typo-${email}`);
    await expectUsable(page, named("back-to-identifier"));
    await forward();
    await expect.poll(() => page.textContent("#account")).toBe(`typo-${email}`);
    await back();
    await enterIdentifier(page, email);
    await expect.poll(() => page.textContent("#account")).toBe(email);
    await back();
    await expect.poll(step).toBe("identifier");
    await forward();
    await expect.poll(() => page.textContent("#account")).toBe(email);
    await expectUsable(page, named("forward-to-password"));
    await enterPassword(page);
    await expectHeading(signedInHeading(email));
  });

  testOnce("reloading the page after a wrong password posts nothing again", async () => {
    const { email } = await setup.createUser("reload");
    await begin();
    await enterIdentifier(page, email);
    await enterPassword(page, "wrong");
    expect(await page.textContent("#problem")).toContain("Wrong email or password.");
    setup.posts.length = 0;
    for (let time = 0; time < 5; time++) expect((await page.reload())?.request().method()).toBe("GET");
    expect(setup.posts).toEqual([]);
    expect(await setup.failures(email)).toBe(1);
    expect(await page.textContent("#problem")).toContain("Wrong email or password.");
    await expectUsable(page, named("wrong-password-reloaded"));
    await enterPassword(page);
    await expectHeading(signedInHeading(email));
  });

  testOnce("Back from the app shows that the sign-in finished, with a link to the app", async () => {
    const { email } = await setup.createUser("done");
    await begin();
    await enterIdentifier(page, email);
    await enterPassword(page);
    await expectHeading(signedInHeading(email));
    await back();
    await expectHeading("Sign-in complete");
    await page.reload();
    await expectHeading("Sign-in complete");
    await forward();
    await expectHeading(signedInHeading(email));
    await page.reload();
    await expectHeading(signedInHeading(email));
    await back();
    await expectHeading("Sign-in complete");
    await expectUsable(page, named("answered"));
    await page.click("main a");
    await expectHeading("Front page");
    await page.click("text=Sign in");
    await expectHeading(signedInHeading(email));
  });

  test.runIf(javaScriptEnabled && (hasCache || isNightly))("a cached page of a finished sign-in reloads itself", async () => {
    await page.addInitScript(() => {
      addEventListener("pageshow", ({ persisted }) => void (document.documentElement.dataset["kept"] = String(persisted)));
    });
    const isFromCache = (): Promise<string | null> => page.getAttribute("html", "data-kept");
    const { email } = await setup.createUser("kept");
    await begin();
    await enterIdentifier(page, email);
    await enterPassword(page);
    await expectHeading(signedInHeading(email));
    await page.goto(setup.app);
    await page.goto(`${setup.app}/login?client_id=partner`);
    await back();
    await expectHeading("Front page");
    await expect.poll(isFromCache).toBe(String(hasCache));
    await forward();
    await expectHeading("Allow Partner to use your account?");
    await expect.poll(isFromCache).toBe(String(hasCache));
    await clickAction(page, "accept");
    await expectHeading(signedInHeading(email));
    await back();
    await expectHeading("Sign-in complete");
    await expectUsable(page, named("consent-done"));
  });
});

describe.each([true, false])("restored tabs and bookmarks with JavaScript: %s", (javaScriptEnabled) => {
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!javaScriptEnabled);
  const named = (name: string): string => `${name}-${javaScriptEnabled ? "js" : "nojs"}`;
  const options = { ignoreHTTPSErrors: true, javaScriptEnabled, locale: "en-US", reducedMotion: "reduce" } as const;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext(options);
    page = await context.newPage();
  });
  afterEach(async () => {
    setup.conditions.ahead = 0;
    await context.close();
  });

  testOnce("a restored tab continues a pending sign-in and shows that a finished one is finished", async () => {
    const { email } = await setup.createUser("restored");
    await begin();
    await enterIdentifier(page, email);
    await page.waitForSelector("#password");
    const address = page.url();
    await page.close();
    page = await context.newPage();
    await page.goto(address);
    expect(await page.textContent("#account")).toBe(email);
    await expectUsable(page, named("restored"));
    await enterPassword(page);
    await expectHeading(signedInHeading(email));
    await page.close();
    page = await context.newPage();
    await page.goto(address);
    await expectHeading("Sign-in complete");
  });

  testOnce("a restored tab in a restarted browser shows that the page expired, with a link to the app", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-browser-"));
    try {
      const { email } = await setup.createUser("restarted");
      let profile = await openProfile(folder, options);
      page = await profile.newPage();
      await begin();
      await enterIdentifier(page, email);
      await page.waitForSelector("#password");
      const address = page.url();
      await profile.close();
      profile = await openProfile(folder, options);
      page = await profile.newPage();
      await page.goto(address);
      await expectHeading("This page has expired");
      await expectUsable(page, named("restarted"));
      await page.click("main a");
      await expectHeading("Front page");
      await page.click("text=Sign in");
      await enterIdentifier(page, email);
      await enterPassword(page);
      await expectHeading(signedInHeading(email));
      await profile.close();
    } finally {
      // The browser's processes may still write files.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  });

  testOnce("an expired sign-in shows that the page expired, with a link to the app", async () => {
    const { email } = await setup.createUser("late");
    await begin();
    await enterIdentifier(page, email);
    await page.waitForSelector("#password");
    setup.conditions.ahead = 61 * 60_000;
    await enterPassword(page);
    await expectHeading("This page has expired");
    await page.reload();
    await expectHeading("This page has expired");
    await expectUsable(page, named("expired"));
    await page.click("main a");
    await page.click("text=Sign in");
    await enterIdentifier(page, email);
    await enterPassword(page);
    await expectHeading(signedInHeading(email));
  });

  testOnce("a bookmark of the login page and an unknown path show an error page", async () => {
    expect((await page.goto(`${setup.issuer}u/login`))?.status()).toBe(400);
    expect(await page.textContent("#error-description")).toContain("cannot start at this URL");
    await expectUsable(page, named("bookmarked"));
    expect((await page.goto(`${setup.issuer}u/nothing`))?.status()).toBe(404);
    expect(await page.textContent("#error-code")).toBe("not_found");
    await expectUsable(page, named("not-found"));
  });
});
