import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser, openProfile } from "../pages/browser.ts";
import { screenshots } from "../pages/show.ts";
import { text } from "../support/api.ts";
import { organizationsBy } from "../support/organizations.ts";
import { act, givePassword, sayWho } from "./support/person.ts";
import { ends, heading, openPlace, type Place } from "./support/person-at-pages.ts";

/** Browsers that keep no cookies, people who are invited and have an account, and organizations that are many, long-named and oddly drawn. */
let place: Place;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  await mkdir(screenshots, { recursive: true });
  place = await openPlace();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await place.close();
});

describe.each([true, false])("with JavaScript: %s", (javaScriptEnabled) => {
  const named = (name: string): string => `${name}-${javaScriptEnabled ? "js" : "nojs"}`;
  const options = { ignoreHTTPSErrors: true, javaScriptEnabled, locale: "en-US", reducedMotion: "reduce" } as const;

  beforeEach(async () => {
    context = await browser.newContext(options);
    page = await context.newPage();
  });
  afterEach(() => context.close());

  const begin = (query = ""): Promise<unknown> => page.goto(`${place.app}/login?${query}`);
  const sees = (shown: string): Promise<void> => expect.poll(() => heading(page)).toBe(shown);
  const seesInvitation = (): Promise<void> => expect.poll(() => page.textContent(".invited")).toContain("Ann invited you to join Crew.");

  async function signIn(email: string): Promise<void> {
    await sayWho(page, email);
    await givePassword(page);
  }

  /** Makes organizations with one member. @returns their ids. */
  async function organized(
    account: { readonly email: string; readonly password: string; readonly userId: string },
    all: Record<string, object>,
  ): Promise<string[]> {
    const organizations = organizationsBy(await place.manage());
    const ids: string[] = [];
    for (const [name, more] of Object.entries(all)) {
      const id = await organizations.create(named(name), more);
      await organizations.addMembers(id, account);
      ids.push(id);
    }
    return ids;
  }

  test("a browser that keeps no cookies is told so", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-browser-"));
    await mkdir(join(folder, "Default"));
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
    await writeFile(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
    const profile = await openProfile(folder, options);
    try {
      page = await profile.newPage();
      await begin();
      await sees("Your browser blocked a cookie");
      expect(await profile.cookies()).toEqual([]);
      await ends(page, named("cookies-blocked"));
      await page.click("main a");
      await sees("Front page");
    } finally {
      await profile.close();
      // The browser's processes may still be writing their last files.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  });

  test("who is invited and has an account sees who invites on every page, and joins or does not", async () => {
    const { email } = await place.enroll("invited");
    const manage = await place.manage();
    const organization = await organizationsBy(manage).create(named("crew"), { display_name: "Crew" });
    const invitation = { inviter: { name: "Ann" }, invitee: { email }, client_id: "team", send_invitation_email: false };
    const link = text(await manage.create(`/api/v2/organizations/${organization}/invitations`, invitation), "invitation_url");
    await page.goto(link);
    await seesInvitation();
    expect(await page.inputValue("#identifier")).toBe(email);
    await ends(page, named("invited-identifier"));
    await act(page, "continue");
    await page.waitForSelector("#password");
    await seesInvitation();
    await ends(page, named("invited-password"));
    await givePassword(page);
    await sees("Join Crew?");
    await ends(page, named("invited-accept"));
    await act(page, "not-now");
    await sees("Front page");
    expect(await organizationsBy(manage).members(organization)).toEqual([]);
    await page.goto(link);
    await sees("Join Crew?");
    await act(page, "accept-invitation");
    await sees("Front page");
    expect((await organizationsBy(manage).members(organization)).map((member) => member["email"])).toEqual([email]);
    await begin("client_id=team");
    await sees(`Signed in: ${email}`);
  });

  test("sixty organizations can be chosen from", async () => {
    const ada = await place.enroll("sixty");
    await organized(ada, Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`company-${at}`, { display_name: `Company ${at}` }])));
    await begin("client_id=team");
    await signIn(ada.email);
    await sees("Choose an organization");
    expect(await page.locator(".row:visible").count()).toBe(60);
    expect(await page.locator("#search").isVisible()).toBe(javaScriptEnabled);
    await ends(page, named("sixty"));
    if (javaScriptEnabled) {
      await page.fill("#search", "company 37");
      await page.press("#search", "Enter");
      expect(await page.locator(".row-name:visible").allTextContents()).toEqual(["Company 37"]);
      await ends(page, named("sixty-found"));
    }
    await page.getByRole("button", { name: "Company 37", exact: true }).click();
    await sees(`Signed in: ${ada.email}`);
  });

  test("a name of 200 characters, and logos that are wide, white and broken, leave the pages usable", async () => {
    const ada = await place.enroll("looks");
    const logo = (name: string): object => ({ display_name: `${name} logo`, branding: { logo_url: `${place.app}/logo/${name}.svg` } });
    const endless = "Wolkenkratzer".repeat(16).slice(0, 200);
    const shown = { wide: logo("wide"), white: logo("white"), broken: logo("broken"), endless: { display_name: endless } };
    const ids = await organized(ada, shown);
    await page.setViewportSize({ width: 320, height: 640 });
    const fits = (): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    for (const [at, name] of Object.keys(shown).entries()) {
      await begin(`client_id=member&organization=${ids[at]}`);
      await page.waitForSelector("#identifier");
      await page.waitForLoadState("load");
      // Where a picture did not come, the letter and the name stand instead.
      const brand = await page.locator(".brand").evaluate((node) => {
        const { x, y, height } = node.getBoundingClientRect();
        return document.elementFromPoint(x + 20, y + height / 2)?.closest(".mark,img")?.className ?? "";
      });
      expect(brand, name).toMatch(name === "wide" || name === "white" ? /^logo/ : /^mark/);
      expect(await fits(), name).toBe(true);
      await ends(page, named(`logo-${name}`));
    }
    await begin("client_id=team");
    await signIn(ada.email);
    await sees("Choose an organization");
    await page.waitForLoadState("load");
    expect(await fits()).toBe(true);
    await ends(page, named("odd-organizations"));
    await page.getByRole("button", { name: endless }).click();
    await sees(`Signed in: ${ada.email}`);
  });
});
