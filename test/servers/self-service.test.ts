import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { managerOf, stringMember } from "../support/api.ts";
import { codeOf, createOutbox } from "../support/outbox.ts";
import { configure, createOpenIdApp } from "./support/openid-app.ts";
import { password } from "./support/fixtures.ts";
import { clickAction, enterPassword, enterIdentifier } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";
import { expectUsable } from "./support/usable-page.ts";

/**
 * Users sign up, sign in with codes and links, and set new passwords in a browser: with and without JavaScript, on
 * phones and desktops, in left-to-right and right-to-left languages.
 */

const clientSecret = "a-secret-that-is-long-enough-for-tests";
const newPassword = "another horse battery staple";

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
  const id = stringMember(await manage.create("/api/v2/connections", { name: "email", strategy: "email" }), "id");
  await manage("PATCH", "/api/v2/clients/codes/connections", [id]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
  await server.close();
});

const settings = [
  { javaScriptEnabled: true, width: 320, colorScheme: "dark", locale: "ar", direction: "rtl" },
  { javaScriptEnabled: false, width: 1280, colorScheme: "light", locale: "en-US", direction: "ltr" },
] as const;

describe.each(settings)(
  "self-service with JavaScript: $javaScriptEnabled, $width px, $colorScheme, $locale",
  ({ width, direction, ...options }) => {
    /** Runs without JavaScript only in `.ci/nightly`. */
    const testOnce = testUnless(!options.javaScriptEnabled);
    const contexts: BrowserContext[] = [];
    let page: Page;
    let email: string;

    const open = async (): Promise<Page> => {
      const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true, viewport: { width, height: 800 } });
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

    /** Expects the page to fit its window, to have the right direction and to pass axe. */
    const expectAccessible = async (at: Page = page): Promise<void> => {
      expect(await at.getAttribute("html", "dir")).toBe(direction);
      await expectUsable(at);
    };

    const enterCode = async (): Promise<void> => {
      await expectAccessible();
      await page.fill("#code", codeOf(outbox.take(email)));
      await clickAction(page, "enter-code");
    };

    const appResponse = async (at: Page = page): Promise<unknown> => {
      await at.waitForURL(`${server.origin}/callback*`);
      return JSON.parse((await at.textContent("body")) ?? "");
    };

    const signUp = async (): Promise<void> => {
      await start("passwords", "screen_hint=signup");
      await page.fill("#email", email);
      await page.fill("#password", password);
      await clickAction(page, "make-account");
      await enterCode();
      expect(await appResponse()).toMatchObject({ email });
    };

    test("a user signs up, corrects the email address and verifies it with the code", async () => {
      await start("passwords");
      await clickAction(page, "sign-up");
      await expectAccessible();
      await page.fill("#email", `wrong-${email}`);
      await page.fill("#password", password);
      await clickAction(page, "make-account");
      await clickAction(page, "change-address");
      expect(await page.inputValue("#email")).toBe(`wrong-${email}`);
      await page.fill("#email", email);
      await page.fill("#password", password);
      await clickAction(page, "make-account");
      await enterCode();
      expect(await appResponse()).toMatchObject({ email });
    });

    testOnce("a user signs in with a code after correcting the email address", async () => {
      await start("codes");
      await page.fill("#identifier", `wrong-${email}`);
      await clickAction(page, "continue");
      await clickAction(page, "change-address");
      await enterIdentifier(page, email);
      await enterCode();
      expect(await appResponse()).toMatchObject({ email });
    });

    testOnce("a user signs in with a link that a scanner opened first, and with a link in another browser", async () => {
      await start("codes");
      await enterIdentifier(page, email);
      const link = outbox.take(email).link ?? "";
      await (await open()).goto(link);
      await page.goto(link);
      await expectAccessible();
      await clickAction(page, "sign-in");
      expect(await appResponse()).toMatchObject({ email });

      await page.context().clearCookies();
      await start("codes");
      await enterIdentifier(page, email);
      const phone = await open();
      await phone.goto(outbox.take(email).link ?? "");
      await clickAction(phone, "sign-in");
      expect(await appResponse(phone)).toMatchObject({ email });
    });

    test("a user sets a password with a code, which ends other sessions", async () => {
      await signUp();
      const otherBrowser = page;
      page = await open();
      await start("passwords");
      await enterIdentifier(page, email);
      await clickAction(page, "forgot-password");
      await expectAccessible();
      await clickAction(page, "send-reset");
      await enterCode();
      await expectAccessible();
      await page.fill("#password", newPassword);
      await clickAction(page, "set-password");
      expect(await appResponse()).toMatchObject({ email });
      await otherBrowser.goto(`${server.origin}/login`);
      await otherBrowser.waitForURL("**/u/login?**");
    });

    testOnce("a user sets a password with a link in another browser, which ends other sessions", async () => {
      await signUp();
      const otherBrowser = page;
      page = await open();
      await start("passwords");
      await enterIdentifier(page, email);
      await clickAction(page, "forgot-password");
      await clickAction(page, "send-reset");
      const link = outbox.take(email).link ?? "";
      const phone = await open();
      await phone.goto(link);
      await phone.goto(link);
      await expectAccessible(phone);
      await phone.fill("#password", newPassword);
      await phone.click("main button[type=submit].main");
      await phone.waitForLoadState();
      await expectAccessible(phone);
      await otherBrowser.goto(`${server.origin}/login`);
      await otherBrowser.waitForURL("**/u/login?**");
      await start("passwords");
      await enterIdentifier(page, email);
      await enterPassword(page, newPassword);
      expect(await appResponse()).toMatchObject({ email });
    });
  },
);
