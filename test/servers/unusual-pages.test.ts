import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser, openProfile } from "../pages/browser.ts";
import { stringMember } from "../support/api.ts";
import { organizationsBy } from "../support/organizations.ts";
import { clickAction, enterPassword, enterIdentifier } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { heading, startSignInSetup, type SignInSetup } from "./support/sign-in-setup.ts";
import { expectUsable } from "./support/usable-page.ts";

/** Browsers that block cookies, invited users who have an account, many organizations, long names and broken logos. */
let setup: SignInSetup;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  setup = await startSignInSetup();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await setup.close();
});

describe.each([true, false])("unusual browsers and organizations with JavaScript: %s", (javaScriptEnabled) => {
  const named = (name: string): string => `${name}-${javaScriptEnabled ? "js" : "nojs"}`;
  const options = { ignoreHTTPSErrors: true, javaScriptEnabled, locale: "en-US", reducedMotion: "reduce" } as const;
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!javaScriptEnabled);

  beforeEach(async () => {
    context = await browser.newContext(options);
    page = await context.newPage();
  });
  afterEach(() => context.close());

  const begin = (query = ""): Promise<unknown> => page.goto(`${setup.app}/login?${query}`);
  const expectHeading = (shown: string): Promise<void> => expect.poll(() => heading(page)).toBe(shown);
  const expectInvitation = (): Promise<void> => expect.poll(() => page.textContent(".invited")).toContain("Ann invited you to join Crew.");

  async function signIn(email: string): Promise<void> {
    await enterIdentifier(page, email);
    await enterPassword(page);
  }

  /** Creates organizations with one member. @returns their ids. */
  async function createOrganizations(
    account: { readonly email: string; readonly password: string; readonly userId: string },
    all: Record<string, object>,
  ): Promise<string[]> {
    const organizations = organizationsBy(await setup.manage());
    const ids: string[] = [];
    for (const [name, more] of Object.entries(all)) {
      const id = await organizations.create(named(name), more);
      await organizations.addMembers(id, account);
      ids.push(id);
    }
    return ids;
  }

  testOnce("a browser that blocks cookies gets an explanation", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-browser-"));
    await mkdir(join(folder, "Default"));
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
    await writeFile(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
    const profile = await openProfile(folder, options);
    try {
      page = await profile.newPage();
      await begin();
      await expectHeading("Your browser blocked a cookie");
      expect(await profile.cookies()).toEqual([]);
      await expectUsable(page, named("cookies-blocked"));
      await page.click("main a");
      await expectHeading("Front page");
    } finally {
      await profile.close();
      // The browser's processes may still write files.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  });

  testOnce("an invited user with an account sees the inviter on every page, and can accept or postpone", async () => {
    const { email } = await setup.createUser("invited");
    const manage = await setup.manage();
    const organization = await organizationsBy(manage).create(named("crew"), { display_name: "Crew" });
    const invitation = { inviter: { name: "Ann" }, invitee: { email }, client_id: "team", send_invitation_email: false };
    const link = stringMember(await manage.create(`/api/v2/organizations/${organization}/invitations`, invitation), "invitation_url");
    await page.goto(link);
    await expectInvitation();
    expect(await page.inputValue("#identifier")).toBe(email);
    await expectUsable(page, named("invited-identifier"));
    await clickAction(page, "continue");
    await page.waitForSelector("#password");
    await expectInvitation();
    await expectUsable(page, named("invited-password"));
    await enterPassword(page);
    await expectHeading("Join Crew?");
    await expectUsable(page, named("invited-accept"));
    await clickAction(page, "not-now");
    await expectHeading("Front page");
    expect(await organizationsBy(manage).members(organization)).toEqual([]);
    await page.goto(link);
    await expectHeading("Join Crew?");
    await clickAction(page, "accept-invitation");
    await expectHeading("Front page");
    expect((await organizationsBy(manage).members(organization)).map((member) => member["email"])).toEqual([email]);
    await begin("client_id=team");
    await expectHeading(`Signed in: ${email}`);
  });

  test("a user can choose from sixty organizations", async () => {
    const ada = await setup.createUser("sixty");
    await createOrganizations(
      ada,
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`company-${at}`, { display_name: `Company ${at}` }])),
    );
    await begin("client_id=team");
    await signIn(ada.email);
    await expectHeading("Choose an organization");
    expect(await page.locator(".row:visible").count()).toBe(60);
    expect(await page.locator("#search").isVisible()).toBe(javaScriptEnabled);
    await expectUsable(page, named("sixty"));
    if (javaScriptEnabled) {
      await page.fill("#search", "company 37");
      await page.press("#search", "Enter");
      expect(await page.locator(".row-name:visible").allTextContents()).toEqual(["Company 37"]);
      await expectUsable(page, named("sixty-found"));
    }
    await page.getByRole("button", { name: "Company 37", exact: true }).click();
    await expectHeading(`Signed in: ${ada.email}`);
  });

  testOnce("a name of 200 characters and logos that are wide, white or broken leave the pages usable", async () => {
    const ada = await setup.createUser("looks");
    const logo = (name: string): object => ({ display_name: `${name} logo`, branding: { logo_url: `${setup.app}/logo/${name}.svg` } });
    const endless = "Wolkenkratzer".repeat(16).slice(0, 200);
    const shown = { wide: logo("wide"), white: logo("white"), broken: logo("broken"), endless: { display_name: endless } };
    const ids = await createOrganizations(ada, shown);
    await page.setViewportSize({ width: 320, height: 640 });
    const fits = (): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    for (const [at, name] of Object.keys(shown).entries()) {
      await begin(`client_id=member&organization=${ids[at]}`);
      await page.waitForSelector("#identifier");
      await page.waitForLoadState("load");
      // If a logo fails to load, the letter and the name are shown instead.
      const brand = await page.locator(".brand").evaluate((node) => {
        const { x, y, height } = node.getBoundingClientRect();
        return document.elementFromPoint(x + 20, y + height / 2)?.closest(".mark,img")?.className ?? "";
      });
      expect(brand, name).toMatch(name === "wide" || name === "white" ? /^logo/ : /^mark/);
      expect(await fits(), name).toBe(true);
      await expectUsable(page, named(`logo-${name}`));
    }
    await begin("client_id=team");
    await signIn(ada.email);
    await expectHeading("Choose an organization");
    await page.waitForLoadState("load");
    expect(await fits()).toBe(true);
    await expectUsable(page, named("odd-organizations"));
    await page.getByRole("button", { name: endless }).click();
    await expectHeading(`Signed in: ${ada.email}`);
  });
});
