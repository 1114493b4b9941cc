import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser, openProfile } from "../pages/browser.ts";
import { screenshots } from "../pages/show.ts";
import { act, givePassword, sayWho } from "./support/person.ts";
import { ends, heading, openPlace, type Place } from "./support/person-at-pages.ts";

/** People go back, forward, reload, restore and bookmark: each ends on a page that leads on. */
let place: Place;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  await mkdir(screenshots, { recursive: true });
  place = await openPlace();
});
afterAll(() => place.close());

const begin = (query = ""): Promise<unknown> => page.goto(`${place.app}/login?${query}`);
const home = (email: string): string => `Signed in: ${email}`;
const step = (): string | null => new URL(page.url()).searchParams.get("step");
/** A page that the browser kept fires no `load`. */
const back = (): Promise<unknown> => page.goBack({ waitUntil: "commit" });
/** A page that the browser kept is asked for anew at once, and a browser does not go on in the middle of that. */
async function forward(): Promise<void> {
  await page.waitForTimeout(1000);
  await page.goForward({ waitUntil: "commit" });
}
const sees = (text: string): Promise<void> => expect.poll(() => heading(page)).toBe(text);

describe.each([
  { keeps: true, javaScriptEnabled: true },
  { keeps: true, javaScriptEnabled: false },
  { keeps: false, javaScriptEnabled: true },
  { keeps: false, javaScriptEnabled: false },
])("a browser that keeps pages: $keeps, with JavaScript: $javaScriptEnabled", ({ keeps, javaScriptEnabled }) => {
  const named = (name: string): string => `${name}-${keeps ? "kept" : "loaded"}-${javaScriptEnabled ? "js" : "nojs"}`;

  beforeAll(async () => {
    // Playwright turns the back-forward cache off, which people's browsers have.
    browser = await launchBrowser([], keeps ? ["--disable-back-forward-cache"] : []);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: "en-US", reducedMotion: "reduce" });
    page = await context.newPage();
    place.posts.length = 0;
  });
  afterEach(() => context.close());

  test("the password's page leads back to who one is, with what was typed, and forward again", async () => {
    const { email } = await place.enroll("back");
    await begin();
    await sayWho(page, `typo-${email}`);
    await page.waitForSelector("#password");
    await back();
    await expect.poll(step).toBe("identifier");
    expect(await page.inputValue("#identifier")).toBe(`typo-${email}`);
    await ends(page, named("back-to-identifier"));
    await forward();
    await expect.poll(() => page.textContent("#account")).toBe(`typo-${email}`);
    await back();
    await sayWho(page, email);
    await expect.poll(() => page.textContent("#account")).toBe(email);
    await back();
    await expect.poll(step).toBe("identifier");
    await forward();
    await expect.poll(() => page.textContent("#account")).toBe(email);
    await ends(page, named("forward-to-password"));
    await givePassword(page);
    await sees(home(email));
  });

  test("reloading what a wrong password came to sends nothing again", async () => {
    const { email } = await place.enroll("reload");
    await begin();
    await sayWho(page, email);
    await givePassword(page, "wrong");
    expect(await page.textContent("#problem")).toContain("Wrong email or password.");
    place.posts.length = 0;
    for (let time = 0; time < 5; time++) expect((await page.reload())?.request().method()).toBe("GET");
    expect(place.posts).toEqual([]);
    expect(await place.failures(email)).toBe(1);
    expect(await page.textContent("#problem")).toContain("Wrong email or password.");
    await ends(page, named("wrong-password-reloaded"));
    await givePassword(page);
    await sees(home(email));
  });

  test("going back from the app says that the sign-in is done, and leads on to the app", async () => {
    const { email } = await place.enroll("done");
    await begin();
    await sayWho(page, email);
    await givePassword(page);
    await sees(home(email));
    await back();
    await sees("Sign-in complete");
    await page.reload();
    await sees("Sign-in complete");
    await forward();
    await sees(home(email));
    await page.reload();
    await sees(home(email));
    await back();
    await sees("Sign-in complete");
    await ends(page, named("answered"));
    await page.click("main a");
    await sees("Front page");
    await page.click("text=Sign in");
    await sees(home(email));
  });

  test.runIf(javaScriptEnabled)("what the browser kept of a sign-in that is done is asked anew", async () => {
    await page.addInitScript(() => {
      addEventListener("pageshow", ({ persisted }) => void (document.documentElement.dataset["kept"] = String(persisted)));
    });
    const kept = (): Promise<string | null> => page.getAttribute("html", "data-kept");
    const { email } = await place.enroll("kept");
    await begin();
    await sayWho(page, email);
    await givePassword(page);
    await sees(home(email));
    await page.goto(place.app);
    await page.goto(`${place.app}/login?client_id=partner`);
    await back();
    await sees("Front page");
    await expect.poll(kept).toBe(String(keeps));
    await forward();
    await sees("Allow Partner to use your account?");
    await expect.poll(kept).toBe(String(keeps));
    await act(page, "accept");
    await sees(home(email));
    await back();
    await sees("Sign-in complete");
    await ends(page, named("consent-done"));
  });
});

describe.each([true, false])("with JavaScript: %s", (javaScriptEnabled) => {
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
    place.conditions.ahead = 0;
    await context.close();
  });

  test("a tab that is restored goes on where it was, and is done where it was done", async () => {
    const { email } = await place.enroll("restored");
    await begin();
    await sayWho(page, email);
    await page.waitForSelector("#password");
    const address = page.url();
    await page.close();
    page = await context.newPage();
    await page.goto(address);
    expect(await page.textContent("#account")).toBe(email);
    await ends(page, named("restored"));
    await givePassword(page);
    await sees(home(email));
    await page.close();
    page = await context.newPage();
    await page.goto(address);
    await sees("Sign-in complete");
  });

  test("a tab that is restored in a browser that was started anew leads on to the app", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-browser-"));
    try {
      const { email } = await place.enroll("restarted");
      let profile = await openProfile(folder, options);
      page = await profile.newPage();
      await begin();
      await sayWho(page, email);
      await page.waitForSelector("#password");
      const address = page.url();
      await profile.close();
      profile = await openProfile(folder, options);
      page = await profile.newPage();
      await page.goto(address);
      await sees("This page has expired");
      await ends(page, named("restarted"));
      await page.click("main a");
      await sees("Front page");
      await page.click("text=Sign in");
      await sayWho(page, email);
      await givePassword(page);
      await sees(home(email));
      await profile.close();
    } finally {
      // The browser's processes may still be writing their last files.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  });

  test("a sign-in that expired says so, and leads on to the app", async () => {
    const { email } = await place.enroll("late");
    await begin();
    await sayWho(page, email);
    await page.waitForSelector("#password");
    place.conditions.ahead = 61 * 60_000;
    await givePassword(page);
    await sees("This page has expired");
    await page.reload();
    await sees("This page has expired");
    await ends(page, named("expired"));
    await page.click("main a");
    await page.click("text=Sign in");
    await sayWho(page, email);
    await givePassword(page);
    await sees(home(email));
  });

  test("a bookmark of the login without a sign-in, and an address that there is not, say so", async () => {
    expect((await page.goto(`${place.issuer}u/login`))?.status()).toBe(400);
    expect(await page.textContent("#error-description")).toContain("cannot start at this URL");
    await ends(page, named("bookmarked"));
    expect((await page.goto(`${place.issuer}u/nothing`))?.status()).toBe(404);
    expect(await page.textContent("#error-code")).toBe("not_found");
    await ends(page, named("not-found"));
  });
});
