import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { htmlResponse } from "../../packages/core/src/http/html.ts";
import { createTranslations } from "../../packages/core/src/locales/translations.ts";
import { translator } from "../../packages/core/src/locales/translate.ts";
import { drawPage } from "../../packages/core/src/login/draw.tsx";
import type { Screen } from "../../packages/core/src/login/steps.ts";
import { authenticationResponseSchema, registrationResponseSchema } from "../../packages/core/src/model/factors/webauthn.ts";
import { drawScreen } from "../../packages/core/test/draw-screen.ts";
import { launchBrowser } from "../pages/browser.ts";

/** The pages for security keys in Chromium, with a virtual authenticator. */

const rpId = "login.example.test";
const challenge = "A".repeat(43);
const newKey: Screen = {
  name: "add-factor",
  options: ["totp", "webauthn-roaming"],
  factor: "webauthn-roaming",
  publicKey: {
    challenge,
    timeout: 5000,
    rp: { id: rpId, name: rpId },
    user: { id: "AAAA", name: "mira", displayName: "Mira" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    authenticatorSelection: {
      authenticatorAttachment: "cross-platform",
      residentKey: "discouraged",
      requireResidentKey: false,
      userVerification: "preferred",
    },
    attestation: "none",
    excludeCredentials: [],
    extensions: { credProps: true },
  },
};

/** The screen that requests a key. */
function knownKey(id: string): Screen {
  const publicKey = {
    challenge,
    timeout: 5000,
    rpId,
    allowCredentials: [{ id, type: "public-key" as const }],
    userVerification: "preferred" as const,
  };
  return { name: "factor", factor: "webauthn-roaming", others: ["totp"], publicKey };
}

let browser: Browser;
let context: BrowserContext;
let page: Page;
let posted: URLSearchParams[];
/** The page that the server returns. */
let shown: ReturnType<typeof htmlResponse> | undefined;
let html = "";

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(() => {
  posted = [];
});
afterEach(() => context.close());

async function open(javaScriptEnabled = true): Promise<void> {
  context = await browser.newContext({ javaScriptEnabled });
  page = await context.newPage();
  await page.route(/.*/, async (route) => {
    const request = route.request();
    if (request.method() === "POST") {
      posted.push(new URLSearchParams(request.postData() ?? ""));
      await route.fulfill({ status: 204 });
    } else await route.fulfill({ headers: Object.fromEntries(shown?.headers ?? []), body: html });
  });
}

async function show(screen: Screen): Promise<void> {
  const t = await translator(createTranslations(), "en", "formal");
  const hidden = { state: "main.s", csrf: "c" };
  const frame = { tenantName: "Harbour", branding: {}, t, action: "/u/login", hidden, nonce: "bm9uY2U" };
  const drawn = drawPage(frame, screen.name, (drawing) => drawScreen(drawing, screen));
  html = drawn.html;
  shown = htmlResponse(html, { nonce: frame.nonce, images: drawn.images, script: drawn.script });
  await page.goto(`https://${rpId}/u/login`);
}

async function addAuthenticator(): Promise<void> {
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "usb", hasUserVerification: true, isUserVerified: true } as const;
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, automaticPresenceSimulation: true } });
}

/** Clicks the button of a form. @returns the form that the script then posts. */
async function post(action: string): Promise<{ readonly action: string | null; readonly response: unknown }> {
  const before = posted.length;
  await page.click(`button[value=${action}]`);
  await expect.poll(() => posted.length, { timeout: 20_000 }).toBe(before + 1);
  const form = posted.at(-1);
  return { action: form?.get("action") ?? null, response: JSON.parse(form?.get("response") ?? "") };
}

describe("a form for a security key", () => {
  test.each([
    ["with the browser's JSON functions", ""],
    [
      "without them",
      `delete PublicKeyCredential.parseCreationOptionsFromJSON; delete PublicKeyCredential.parseRequestOptionsFromJSON;
       delete PublicKeyCredential.prototype.toJSON;`,
    ],
  ])("creates a key and uses it, %s", async (_, script) => {
    await open();
    await page.addInitScript(script);
    await addAuthenticator();
    await show(newKey);
    const created = await post("confirm-key");
    expect(created.action).toBe("confirm-key");
    const { id } = registrationResponseSchema.parse(created.response);
    await show(knownKey(id));
    const used = await post("use-key");
    expect(used.action).toBe("use-key");
    expect(authenticationResponseSchema.parse(used.response).id).toBe(id);
  });

  test("reports a failure and can be used again", async () => {
    await open();
    await addAuthenticator();
    await page.addInitScript(`navigator.credentials.get = function () { return Promise.reject(new Error("cancelled")); };`);
    await show(knownKey("AAAA"));
    for (let i = 0; i < 2; i++) {
      await page.click("button[value=use-key]");
      await page.waitForSelector(".key-failed:not([hidden])");
    }
    expect(posted).toEqual([]);
  });

  test("says that the browser waits for the key, and lets the user choose another method while it waits", async () => {
    await open();
    await page.addInitScript(`
      navigator.credentials.get = function (options) {
        return new Promise(function (resolve, reject) { options.signal.addEventListener("abort", reject); window.cancel = reject; });
      };
    `);
    await show(knownKey("AAAA"));
    const status = page.locator(".key-waiting");
    expect(await status.textContent()).toBe("");
    await page.click("button[value=use-key]");
    await expect.poll(() => status.textContent()).toContain("Your browser is waiting for your passkey or security key.");
    await page.evaluate("cancel()");
    await page.waitForSelector(".key-failed:not([hidden])");
    expect(await status.textContent()).toBe("");
    await page.click("button[value=use-key]");
    await page.click(".ways button");
    await expect.poll(() => posted.map((form) => [form.get("action"), form.get("factor")])).toEqual([["choose-factor", "totp"]]);
  });

  test("says what the browser will ask for", async () => {
    await open();
    await addAuthenticator();
    await show(newKey);
    expect(await page.isVisible("text=Your browser will ask for your security key.")).toBe(true);
    expect(await page.isVisible(".key-unsupported")).toBe(false);
  });

  test.each([newKey, knownKey("AAAA")])("without JavaScript, says so instead, and offers the other factors", async (screen) => {
    await open(false);
    await show(screen);
    expect(await page.isVisible("button[value=use-key], button[value=confirm-key]")).toBe(false);
    expect(await page.isVisible(".key-unsupported")).toBe(true);
    expect(await page.isVisible("[data-key-lead]")).toBe(false);
    expect(await page.isVisible(".ways button, button[value=other-new-factor]")).toBe(true);
  });
});
