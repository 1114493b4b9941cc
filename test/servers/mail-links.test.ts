import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { managerOf, stringMember, type Manager } from "../support/api.ts";
import { createOutbox } from "../support/outbox.ts";
import { clickAction } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { serveSecurely, type SecurePostern } from "./support/secure.ts";
import { expectUsable } from "./support/usable-page.ts";

/** Mail scanners and users open the links in mails, in a browser other than the one that was used for the sign-up. */

const connection = "Username-Password-Authentication";

let browser: Browser;
let postern: SecurePostern;
let manage: Manager;
const outbox = createOutbox();
let number = 0;

beforeAll(async () => {
  postern = await serveSecurely({ tenantId: "main", clients: [] }, { messages: { mail: outbox.mail } });
  manage = await managerOf(postern.service);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
});

const settings = [
  { javaScriptEnabled: true, width: 320, colorScheme: "dark", locale: "en-US" },
  { javaScriptEnabled: false, width: 1280, colorScheme: "light", locale: "en-US" },
] as const;

describe.each(settings)("links in mails with JavaScript: $javaScriptEnabled, $width px, $colorScheme", ({ width, ...options }) => {
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!options.javaScriptEnabled);
  const contexts: BrowserContext[] = [];

  const openLink = async (link: string): Promise<Page> => {
    const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true, viewport: { width, height: 800 } });
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(link);
    await expectUsable(page);
    return page;
  };
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  const expectHeading = async (page: Page, heading: string): Promise<void> => {
    await expect.poll(() => page.textContent("h1")).toBe(heading);
    await expectUsable(page);
  };
  const linkTo = (email: string): string => outbox.take(email).link ?? "";

  /** Creates a user whose email address a mailed link will verify. */
  async function createUnverifiedUser(): Promise<{ readonly email: string; readonly path: string }> {
    const email = `link-${number++}@example.com`;
    const body = { connection, email, password: "makers-own-password-1", verify_email: true };
    return { email, path: `/api/v2/users/${encodeURIComponent(stringMember(await manage.create("/api/v2/users", body), "user_id"))}` };
  }

  test("a user can confirm the address after a scanner opened the link, and then reload and go back", async () => {
    const { email, path } = await createUnverifiedUser();
    const link = linkTo(email);
    await openLink(link);
    expect(await manage("GET", path)).toMatchObject({ body: { email_verified: false } });
    const page = await openLink(link);
    await expectHeading(page, "Did you create this account?");
    await clickAction(page, "yes");
    await expectHeading(page, "Your address is confirmed");
    await page.reload();
    await expectHeading(page, "Your address is confirmed");
    await page.goBack();
    expect(await manage("GET", path)).toMatchObject({ body: { email_verified: true } });
    await expectHeading(await openLink(link), "Your address is confirmed");
  });

  testOnce("a user who did not create the account can reject it, and take it over with a password reset", async () => {
    const { email, path } = await createUnverifiedUser();
    const page = await openLink(linkTo(email));
    await clickAction(page, "no");
    await expectHeading(page, "Thank you for letting us know");
    await page.click("a.button.main");
    await expectHeading(page, "Reset your password");
    await page.fill("#identifier", email);
    await clickAction(page, "send-link");
    await expectHeading(page, "Check your email");
    const link = linkTo(email);
    await openLink(link);
    const resetPage = await openLink(link);
    await expectHeading(resetPage, "Choose a new password");
    await resetPage.fill("#password", "password123");
    await clickAction(resetPage, "set-password");
    await expect.poll(() => resetPage.title()).toMatch(/^Problem: /);
    await expectHeading(resetPage, "Choose a new password");
    await resetPage.fill("#password", "owners-own-password-2");
    await clickAction(resetPage, "set-password");
    await expectHeading(resetPage, "Your password was changed");
    expect(await manage("GET", path)).toMatchObject({ body: { email_verified: true } });
    await expectHeading(await openLink(link), "This link was already used");
  });
});
