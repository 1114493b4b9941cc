import axe from "axe-core";
import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { managerOf, text } from "../support/api.ts";
import { codeOf, createOutbox } from "../support/outbox.ts";
import { configure, createOpenIdApp } from "./support/openid-app.ts";
import { password } from "./support/people.ts";
import { act, givePassword, sayWho } from "./support/person.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

/** People make accounts, sign in by codes and links and set new passwords by themselves, in a browser: with scripts and without, on phones and desks, from left and from right. */

const clientSecret = "a-secret-that-is-long-enough-for-tests";
const another = "another horse battery staple";

let browser: Browser;
let server: SecureServer;
let serveApp: RequestListener = () => {};
let postern: SecurePostern;
const outbox = createOutbox();
let number = 0;

beforeAll(async () => {
  server = await listenSecurely(hosts.app, (request, response) => serveApp(request, response));
  const { origin } = server;
  const settings = {
    name: "Fieldnotes",
    app_type: "regular_web",
    callbacks: [`${origin}/callback`],
    initiate_login_uri: `${origin}/login`,
  } as const;
  postern = await serveSecurely(
    {
      tenantId: "main",
      clients: ["passwords", "codes"].map((clientId) => ({
        clientId,
        secret: clientSecret,
        settings: { ...settings, callbacks: [...settings.callbacks] },
      })),
    },
    { messages: { mail: outbox.mail } },
  );
  const manage = await managerOf(postern.service);
  const id = text(await manage.create("/api/v2/connections", { name: "email", strategy: "email" }), "id");
  await manage("PATCH", "/api/v2/clients/codes/connections", [id]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
  await server.close();
});

const settings = [
  { javaScriptEnabled: true, width: 1280, colorScheme: "light", locale: "en-US", direction: "ltr" },
  { javaScriptEnabled: true, width: 320, colorScheme: "dark", locale: "ar", direction: "rtl" },
  { javaScriptEnabled: false, width: 320, colorScheme: "light", locale: "en-US", direction: "ltr" },
  { javaScriptEnabled: false, width: 1280, colorScheme: "dark", locale: "he", direction: "rtl" },
] as const;

describe.each(settings)("with scripts: $javaScriptEnabled, $width px, $colorScheme, $locale", ({ width, direction, ...options }) => {
  const contexts: BrowserContext[] = [];
  let page: Page;
  let email: string;

  const open = async (): Promise<Page> => {
    const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true, viewport: { width, height: 800 } });
    if (options.javaScriptEnabled) await context.addInitScript({ content: axe.source });
    contexts.push(context);
    return context.newPage();
  };

  beforeEach(async () => {
    email = `person-${++number}@example.com`;
    page = await open();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  const start = async (clientId: "passwords" | "codes", query = ""): Promise<void> => {
    serveApp = createOpenIdApp(await configure(postern, clientId, clientSecret), server.origin).serve;
    await page.goto(`${server.origin}/login?${query}`);
  };

  /** The page is whole: nothing is cut off at the side, it reads in its direction, and axe finds nothing. */
  const whole = async (at: Page = page): Promise<void> => {
    expect(await at.getAttribute("html", "dir")).toBe(direction);
    if (!options.javaScriptEnabled) return;
    expect(await at.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const { violations } = await at.evaluate(() => window.axe.run());
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
  };

  const enterCode = async (): Promise<void> => {
    await whole();
    await page.fill("#code", codeOf(outbox.take(email)));
    await act(page, "enter-code");
  };

  const answered = async (at: Page = page): Promise<unknown> => {
    await at.waitForURL(`${server.origin}/callback*`);
    return JSON.parse((await at.textContent("body")) ?? "");
  };

  const signUp = async (): Promise<void> => {
    await start("passwords", "screen_hint=signup");
    await page.fill("#email", email);
    await page.fill("#password", password);
    await act(page, "make-account");
    await enterCode();
    expect(await answered()).toMatchObject({ email });
  };

  test("somebody signs up, mends the address on the way, and proves it by the code", async () => {
    await start("passwords");
    await act(page, "sign-up");
    await whole();
    await page.fill("#email", `wrong-${email}`);
    await page.fill("#password", password);
    await act(page, "make-account");
    await act(page, "change-address");
    expect(await page.inputValue("#email")).toBe(`wrong-${email}`);
    await page.fill("#email", email);
    await page.fill("#password", password);
    await act(page, "make-account");
    await enterCode();
    expect(await answered()).toMatchObject({ email });
  });

  test("somebody signs in by a code, after another address", async () => {
    await start("codes");
    await page.fill("#identifier", `wrong-${email}`);
    await act(page, "continue");
    await act(page, "change-address");
    await sayWho(page, email);
    await enterCode();
    expect(await answered()).toMatchObject({ email });
  });

  test("somebody signs in by the link, which a scanner opened first; and in another browser, which the app then knows", async () => {
    await start("codes");
    await sayWho(page, email);
    const link = outbox.take(email).link ?? "";
    await (await open()).goto(link);
    await page.goto(link);
    await whole();
    await act(page, "sign-in");
    expect(await answered()).toMatchObject({ email });

    await page.context().clearCookies();
    await start("codes");
    await sayWho(page, email);
    const phone = await open();
    await phone.goto(outbox.take(email).link ?? "");
    await act(phone, "sign-in");
    expect(await answered(phone)).toMatchObject({ email });
  });

  test("a password is set by a code, and other sessions end", async () => {
    await signUp();
    const elsewhere = page;
    page = await open();
    await start("passwords");
    await sayWho(page, email);
    await act(page, "forgot-password");
    await whole();
    await act(page, "send-reset");
    await enterCode();
    await whole();
    await page.fill("#password", another);
    await act(page, "set-password");
    expect(await answered()).toMatchObject({ email });
    await elsewhere.goto(`${server.origin}/login`);
    await elsewhere.waitForURL("**/u/login?**");
  });

  test("a password is set by the link, in another browser, and other sessions end", async () => {
    await signUp();
    const elsewhere = page;
    page = await open();
    await start("passwords");
    await sayWho(page, email);
    await act(page, "forgot-password");
    await act(page, "send-reset");
    const link = outbox.take(email).link ?? "";
    const phone = await open();
    await phone.goto(link);
    await phone.goto(link);
    await whole(phone);
    await phone.fill("#password", another);
    await phone.click("main button[type=submit].main");
    await phone.waitForLoadState();
    await whole(phone);
    await elsewhere.goto(`${server.origin}/login`);
    await elsewhere.waitForURL("**/u/login?**");
    await start("passwords");
    await sayWho(page, email);
    await givePassword(page, another);
    expect(await answered()).toMatchObject({ email });
  });
});
