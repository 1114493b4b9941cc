import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { managerOf } from "../support/api.ts";
import { codeOf, createOutbox } from "../support/outbox.ts";
import { password } from "./support/fixtures.ts";
import { clickAction, enterIdentifier, enterPassword } from "./support/login-page.ts";
import { configure, createOpenIdApp } from "./support/openid-app.ts";
import { testUnless } from "./support/repeated.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";
import { expectUsable } from "./support/usable-page.ts";
import { enablePasskeys, openVirtualDevice, type DeviceSettings, type VirtualDevice } from "./support/virtual-device.ts";

/** Users sign up and sign in with passkeys in Chromium, with its virtual authenticators. */

const clientId = "passkeys";
const clientSecret = "a-secret-that-is-long-enough-for-tests";

let browser: Browser;
let server: SecureServer;
let serveApp: RequestListener = () => {};
let postern: SecurePostern;
const outbox = createOutbox();
let number = 0;

beforeAll(async () => {
  server = await listenSecurely(hosts.app, (request, response) => serveApp(request, response));
  const { origin } = server;
  postern = await serveSecurely(
    {
      tenantId: "main",
      clients: [
        { clientId, secret: clientSecret, settings: { name: "Fieldnotes", app_type: "regular_web", callbacks: [`${origin}/callback`] } },
      ],
    },
    { messages: { mail: outbox.mail } },
  );
  await enablePasskeys(await managerOf(postern.service));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
  await server.close();
});

const contexts: BrowserContext[] = [];
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

async function openDevice(settings: DeviceSettings = {}): Promise<VirtualDevice> {
  const device = await openVirtualDevice(browser, settings);
  contexts.push(device.page.context());
  return device;
}

async function start(page: Page, query = ""): Promise<void> {
  serveApp = createOpenIdApp(await configure(postern, clientId, clientSecret), server.origin).serve;
  await page.goto(`${server.origin}/login?${query}`);
}

async function appResponse(page: Page): Promise<unknown> {
  await page.waitForURL(`${server.origin}/callback*`);
  return JSON.parse((await page.textContent("body")) ?? "");
}

const newEmail = (): string => `passkey-${++number}@example.com`;

/** Creates a user with a password. */
async function createUser(): Promise<string> {
  const email = newEmail();
  const body = { connection: "Username-Password-Authentication", email, password, email_verified: true };
  await (await managerOf(postern.service)).create("/api/v2/users", body);
  return email;
}

/** Signs up with a passkey. @returns the email address. */
async function signUp({ page }: VirtualDevice): Promise<string> {
  const email = newEmail();
  await start(page, "screen_hint=signup");
  await page.fill("#email", email);
  await expectUsable(page);
  await clickAction(page, "choose-passkey");
  await page.waitForSelector("button[value=create-passkey]");
  await expectUsable(page);
  await clickAction(page, "create-passkey");
  await page.waitForSelector("#code");
  await page.fill("#code", codeOf(outbox.take(email)));
  await clickAction(page, "enter-code");
  expect(await appResponse(page)).toMatchObject({ email });
  return email;
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
}

describe.each([
  { width: 320, colorScheme: "dark", locale: "ar" },
  { width: 1280, colorScheme: "light", locale: "en-US" },
] as const)("with a passkey at $width px, $colorScheme, $locale", (settings) => {
  /** Runs in a wide window only in `.ci/nightly`. */
  const testOnce = testUnless(settings.width > 320);

  testOnce("a user signs up, and signs in by the button", async () => {
    const device = await openDevice(settings);
    const { page } = device;
    await device.add("internal");
    const email = await signUp(device);
    await signOut(page);
    await start(page);
    await page.waitForSelector("button[value=use-passkey]");
    await expectUsable(page);
    await clickAction(page, "use-passkey");
    expect(await appResponse(page)).toMatchObject({ email });
  });

  testOnce("a user adds one after the sign-in with a password", async () => {
    const device = await openDevice(settings);
    const { page } = device;
    await device.add("internal");
    const email = await createUser();
    await start(page);
    await enterIdentifier(page, email);
    await page.waitForSelector("button[value=use-passkey]");
    await expectUsable(page);
    await enterPassword(page);
    await page.waitForSelector("button[value=add-passkey]");
    await expectUsable(page);
    await clickAction(page, "add-passkey");
    expect(await appResponse(page)).toMatchObject({ email });
  });
});

test("a user picks a passkey in the field for the identifier", async () => {
  const device = await openDevice({ autofill: true });
  const { page } = device;
  await start(page);
  expect(await page.getAttribute("#identifier", "autocomplete")).toBe("username webauthn");
  await device.add("internal");
  const email = await signUp(device);
  await signOut(page);
  // The virtual authenticator picks the passkey as soon as the page offers it.
  await start(page);
  expect(await appResponse(page)).toMatchObject({ email });
});

test("a user declines a passkey and is not asked again in this browser", async () => {
  const device = await openDevice();
  const { page } = device;
  await device.add("internal");
  const email = await createUser();
  for (const isFirst of [true, false]) {
    await start(page, "prompt=login");
    await enterIdentifier(page, email);
    await enterPassword(page);
    if (isFirst) await clickAction(page, "decline-passkey");
    expect(await appResponse(page)).toMatchObject({ email });
  }
});

test("a user who cancels the dialog can retry, and can type the password", async () => {
  const device = await openDevice();
  const { page } = device;
  await page.addInitScript(`navigator.credentials.get = function () { return Promise.reject(new Error("cancelled")); };`);
  const email = await createUser();
  await start(page);
  for (let attempt = 0; attempt < 2; attempt++) {
    await clickAction(page, "use-passkey");
    await page.waitForSelector(".key-failed:not([hidden])");
  }
  await enterIdentifier(page, email);
  await enterPassword(page);
  expect(await appResponse(page)).toMatchObject({ email });
});

test("a user who signs in with the passkey of a phone is offered one for this device", async () => {
  const device = await openDevice();
  const { page, cdp } = device;
  const phone = await device.add("hybrid");
  const email = await createUser();
  const builtIn = await device.add("internal");
  await start(page);
  await enterIdentifier(page, email);
  await enterPassword(page);
  await page.waitForSelector("button[value=add-passkey]");
  await clickAction(page, "add-passkey");
  expect(await appResponse(page)).toMatchObject({ email });
  // The passkey moves to the phone.
  const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: builtIn });
  const [credential] = credentials;
  if (credential === undefined) throw new Error("no passkey");
  await cdp.send("WebAuthn.addCredential", { authenticatorId: phone, credential });
  await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: builtIn });
  await device.add("internal");
  await signOut(page);
  await start(page);
  await clickAction(page, "use-passkey");
  await page.waitForSelector("button[value=add-passkey]");
  await expectUsable(page);
  await clickAction(page, "add-passkey");
  expect(await appResponse(page)).toMatchObject({ email });
});

test("without JavaScript, no page mentions passkeys, and a password signs in", async () => {
  const device = await openDevice({ javaScriptEnabled: false });
  const { page } = device;
  const email = await createUser();
  await start(page);
  expect(await page.isVisible("button[value=use-passkey]")).toBe(false);
  await enterIdentifier(page, email);
  expect(await page.isVisible("button[value=use-passkey]")).toBe(false);
  await enterPassword(page);
  expect(await appResponse(page)).toMatchObject({ email });
});
