import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { managerOf, text, type Manager } from "../support/api.ts";
import { createOutbox } from "../support/outbox.ts";
import { act } from "./support/person.ts";
import { serveSecurely, type SecurePostern } from "./support/secure.ts";

/** Links in mails, opened by scanners and by people, in another browser than they signed up in. */

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

describe.each(settings)("with scripts: $javaScriptEnabled, $width px, $colorScheme", ({ width, ...options }) => {
  const contexts: BrowserContext[] = [];

  const look = async (link: string): Promise<Page> => {
    const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true, viewport: { width, height: 800 } });
    if (options.javaScriptEnabled) await context.addInitScript({ content: axe.source });
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(link);
    await whole(page);
    return page;
  };
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  const whole = async (page: Page): Promise<void> => {
    if (!options.javaScriptEnabled) return;
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const { violations } = await page.evaluate(() => window.axe.run());
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
  };
  const sees = async (page: Page, heading: string): Promise<void> => {
    await expect.poll(() => page.textContent("h1")).toBe(heading);
    await whole(page);
  };
  const linkTo = (email: string): string => outbox.take(email).link ?? "";

  /** Somebody whose address is to be verified by the link of a mail. */
  async function newcomer(): Promise<{ readonly email: string; readonly path: string }> {
    const email = `link-${number++}@example.com`;
    const body = { connection, email, password: "makers-own-password-1", verify_email: true };
    return { email, path: `/api/v2/users/${encodeURIComponent(text(await manage.create("/api/v2/users", body), "user_id"))}` };
  }

  test("a scanner opens the link first, then the person confirms, reloads and comes back", async () => {
    const { email, path } = await newcomer();
    const link = linkTo(email);
    await look(link);
    expect(await manage("GET", path)).toMatchObject({ body: { email_verified: false } });
    const page = await look(link);
    await sees(page, "Did you create this account?");
    await act(page, "yes");
    await sees(page, "Your address is confirmed");
    await page.reload();
    await sees(page, "Your address is confirmed");
    await page.goBack();
    expect(await manage("GET", path)).toMatchObject({ body: { email_verified: true } });
    await sees(await look(link), "Your address is confirmed");
  });

  test("who did not make the account says so, and takes it for themselves by a link of their own", async () => {
    const { email, path } = await newcomer();
    const page = await look(linkTo(email));
    await act(page, "no");
    await sees(page, "Thank you for letting us know");
    await page.click("a.button.main");
    await sees(page, "Reset your password");
    await page.fill("#identifier", email);
    await act(page, "send-link");
    await sees(page, "Check your email");
    const link = linkTo(email);
    await look(link);
    const mine = await look(link);
    await sees(mine, "Choose a new password");
    await mine.fill("#password", "password123");
    await act(mine, "set-password");
    await expect.poll(() => mine.title()).toMatch(/^Problem: /);
    await sees(mine, "Choose a new password");
    await mine.fill("#password", "owners-own-password-2");
    await act(mine, "set-password");
    await sees(mine, "Your password was changed");
    expect(await manage("GET", path)).toMatchObject({ body: { email_verified: true } });
    await sees(await look(link), "This link was already used");
  });
});
