import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { list, stringMember } from "../support/api.ts";
import { organizationsBy } from "../support/organizations.ts";
import { clickRepeatedly } from "./support/click-repeatedly.ts";
import { password } from "./support/fixtures.ts";
import { clickAction, enterPassword, enterIdentifier } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { heading, startSignInSetup, type SignInSetup } from "./support/sign-in-setup.ts";
import { expectUsable } from "./support/usable-page.ts";

/**
 * Users click again on a slow page and work in two tabs. Each action takes effect once, and for the user that the page
 * shows.
 */
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

describe.each([true, false])("repeated clicks and parallel tabs with JavaScript: %s", (javaScriptEnabled) => {
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!javaScriptEnabled);
  const named = (name: string): string => `${name}-${javaScriptEnabled ? "js" : "nojs"}`;

  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: "en-US", reducedMotion: "reduce" });
    page = await context.newPage();
  });
  afterEach(async () => {
    setup.conditions.slowness = 0;
    await context.close();
  });

  const begin = (query = "", at = page): Promise<unknown> => at.goto(`${setup.app}/login?${query}`);
  const signedInHeading = (email: string): string => `Signed in: ${email}`;
  const expectHeading = (shown: string, at = page): Promise<void> => expect.poll(() => heading(at)).toBe(shown);

  async function signIn(email: string, at = page): Promise<void> {
    await enterIdentifier(at, email);
    await enterPassword(at);
  }

  /** Signs in to the first app, even if another user has a session. */
  async function signInAgain(email: string, at = page): Promise<void> {
    await begin("prompt=login", at);
    await signIn(email, at);
    await expectHeading(signedInHeading(email), at);
  }

  const clickTimes = (clicks: number, action: string): Promise<number> =>
    clickRepeatedly(setup, page, { clicks, action, javaScriptEnabled });

  test("three clicks on a slow server count as one wrong password", async () => {
    const { email } = await setup.createUser("clicks");
    await begin();
    await enterIdentifier(page, email);
    await page.fill("#password", "wrong");
    expect(await clickTimes(3, "sign-in")).toBe(javaScriptEnabled ? 1 : 3);
    await expect.poll(() => page.textContent("#problem")).toContain("Wrong email or password.");
    expect(await setup.failures(email)).toBe(1);
    await expectUsable(page, named("three-clicks-wrong"));
    setup.conditions.slowness = 0;
    await enterPassword(page);
    await expectHeading(signedInHeading(email));
  });

  testOnce("three clicks on a slow server sign the user in once", async () => {
    const { email } = await setup.createUser("clicks");
    await begin();
    await enterIdentifier(page, email);
    await page.fill("#password", password);
    expect(await clickTimes(3, "sign-in")).toBe(javaScriptEnabled ? 1 : 3);
    await expectHeading(signedInHeading(email));
    expect(await setup.failures(email)).toBe(0);
    await expectUsable(page, named("three-clicks-right"));
  });

  testOnce("two clicks create one account from an invitation", async () => {
    const manage = await setup.manage();
    const organization = await organizationsBy(manage).create(named("crew"), { display_name: "Crew" });
    const email = `new-${javaScriptEnabled}@example.com`;
    const invitation = { inviter: { name: "Ann" }, invitee: { email }, client_id: "team", send_invitation_email: false };
    await page.goto(stringMember(await manage.create(`/api/v2/organizations/${organization}/invitations`, invitation), "invitation_url"));
    await page.fill("#password", password);
    expect(await clickTimes(2, "create-account")).toBe(javaScriptEnabled ? 1 : 2);
    await expectHeading("Front page");
    expect((await organizationsBy(manage).members(organization)).map((member) => member["email"])).toEqual([email]);
    expect(list(await manage("GET", `/api/v2/users-by-email?email=${email}`))).toHaveLength(1);
    expect(await setup.failures(email)).toBe(0);
    await expectUsable(page, named("two-clicks-account"));
    setup.conditions.slowness = 0;
    await begin("client_id=team");
    await expectHeading(signedInHeading(email));
  });

  testOnce("two clicks grant consent once", async () => {
    const { email } = await setup.createUser("allows");
    await begin("client_id=partner");
    await signIn(email);
    await expectHeading("Allow Partner to use your account?");
    expect(await clickTimes(2, "accept")).toBe(javaScriptEnabled ? 1 : 2);
    await expectHeading(signedInHeading(email));
    await expectUsable(page, named("two-clicks-allow"));
  });

  testOnce("a consent page of one user is shown again for a user who signed in in another tab", async () => {
    const [ada, bob] = [await setup.createUser("ada"), await setup.createUser("bob")];
    await signInAgain(ada.email);
    await begin("client_id=partner");
    expect(await page.textContent("main")).toContain(ada.email);
    await signInAgain(bob.email, await context.newPage());
    await clickAction(page, "accept");
    await expect.poll(() => page.textContent("main")).toContain(bob.email);
    await expectHeading("Allow Partner to use your account?");
    await expectUsable(page, named("asked-as-bob"));
    await clickAction(page, "accept");
    await expectHeading(signedInHeading(bob.email));
  });

  testOnce("an organization page of one user is shown again for a user who signed in in another tab", async () => {
    const [ada, bob] = [await setup.createUser("ada"), await setup.createUser("bob")];
    const organizations = organizationsBy(await setup.manage());
    for (const [name, members] of Object.entries({ north: [ada, bob], south: [ada], west: [bob] })) {
      await organizations.addMembers(await organizations.create(named(name), { display_name: `${name} team` }), ...members);
    }
    await signInAgain(ada.email);
    await begin("client_id=team");
    await expectHeading("Choose an organization");
    await signInAgain(bob.email, await context.newPage());
    await page.getByRole("button", { name: "north team" }).click();
    await expect.poll(() => page.textContent("main")).toContain(bob.email);
    expect(await page.locator(".row-name").allTextContents()).toEqual(["north team", "west team"]);
    await expectUsable(page, named("chooses-as-bob"));
    await page.getByRole("button", { name: "north team" }).click();
    await expectHeading(signedInHeading(bob.email));
  });
});
