import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { clickRepeatedly } from "./support/click-repeatedly.ts";
import { clickAction, enterIdentifier, enterPassword } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { heading, shownSecret, signOutOnPage, startSignInSetup, type SignInSetup } from "./support/sign-in-setup.ts";
import { expectUsable, type Appearance } from "./support/usable-page.ts";
import { openVirtualDevice, type DeviceSettings, type VirtualDevice } from "./support/virtual-device.ts";

/** Users add a security key at their first sign-in and use it as a second factor, with Chromium's virtual authenticator. */

let setup: SignInSetup;
let browser: Browser;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  setup = await startSignInSetup();
  const manage = await setup.manage();
  for (const name of ["webauthn-roaming", "recovery-code"])
    expect((await manage("PUT", `/api/v2/guardian/factors/${name}`, { enabled: true })).status).toBe(200);
  expect((await manage("PUT", "/api/v2/guardian/policies", ["all-applications"])).status).toBe(200);
  browser = await launchBrowser();
});
afterEach(async () => {
  setup.conditions.slowness = 0;
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await browser.close();
  await setup.close();
});

async function openDevice(settings: DeviceSettings): Promise<VirtualDevice> {
  const device = await openVirtualDevice(browser, { ...settings, reducedMotion: "reduce", width: 320 });
  contexts.push(device.page.context());
  return device;
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${setup.app}/login?prompt=login`);
  await enterIdentifier(page, email);
  await enterPassword(page);
}

const expectSignedIn = (page: Page, email: string): Promise<void> => expect.poll(() => heading(page)).toBe(`Signed in: ${email}`);

/** Adds a security key at the first sign-in. @returns the recovery code. */
async function addKey({ page, add }: VirtualDevice, email: string): Promise<string> {
  await add("usb");
  await signIn(page, email);
  await page.click("button[name=factor][value=webauthn-roaming]");
  await clickAction(page, "confirm-key");
  await page.waitForSelector("button[value=recovery-code-stored]");
  const code = await shownSecret(page);
  await clickAction(page, "recovery-code-stored");
  await expectSignedIn(page, email);
  return code;
}

describe.each([
  { locale: "en-US", dir: "ltr", schemes: ["light", "dark"] },
  { locale: "ar", dir: "rtl", schemes: ["dark", "light"] },
] as const)("a security key in $locale", ({ locale, dir, schemes: [narrow, wide] }) => {
  /** Runs in a second language only in `.ci/nightly`. */
  const testOnce = testUnless(dir === "rtl");
  const appearances: readonly Appearance[] = [
    { width: 320, colorScheme: narrow },
    { width: 1280, colorScheme: wide },
  ];
  const expectGood = async (page: Page, name: string): Promise<void> => {
    expect(await page.getAttribute("html", "dir")).toBe(dir);
    await expectUsable(page, `key-${name}-${locale}`, appearances);
  };
  const newUser = async (name: string): Promise<string> => (await setup.createUser(`${name}-${locale.toLowerCase()}`)).email;

  testOnce("is added at the first sign-in, and confirms the next one after a cancelled request", async () => {
    const device = await openDevice({ locale });
    const { page } = device;
    const email = await newUser("key");
    await device.add("usb");
    await signIn(page, email);
    await expectGood(page, "offer");
    await page.click("button[name=factor][value=webauthn-roaming]");
    await page.waitForSelector("button[value=confirm-key]");
    await expectGood(page, "add");
    await clickAction(page, "confirm-key");
    await page.waitForSelector("button[value=recovery-code-stored]");
    await expectGood(page, "recovery");
    await clickAction(page, "recovery-code-stored");
    await expectSignedIn(page, email);

    await signOutOnPage(setup, page);
    await signIn(page, email);
    await page.waitForSelector("button[value=use-key]");
    expect(await page.isVisible("input[name=remember]")).toBe(true);
    await expectGood(page, "use");
    await page.evaluate(() => {
      const { credentials } = navigator;
      const get = credentials.get.bind(credentials);
      credentials.get = async () => {
        credentials.get = get;
        throw new DOMException("The user cancelled the request.", "NotAllowedError");
      };
    });
    await clickAction(page, "use-key");
    await page.waitForSelector(".key-failed:not([hidden])");
    await expectGood(page, "cancelled");
    await clickAction(page, "use-key");
    await expectSignedIn(page, email);
  });

  testOnce("without JavaScript, leaves the recovery code, which is replaced", async () => {
    const email = await newUser("no-script");
    const code = await addKey(await openDevice({ locale }), email);
    const { page } = await openDevice({ locale, javaScriptEnabled: false });
    await signIn(page, email);
    expect(await page.isVisible("button[value=use-key]")).toBe(false);
    expect(await page.isVisible("input[name=remember]")).toBe(false);
    expect(await page.isVisible(".key-unsupported")).toBe(true);
    await expectGood(page, "no-script");
    await page.click("button[name=factor][value=recovery-code]");
    await page.fill("#code", code);
    await clickAction(page, "enter-factor-code");
    await page.waitForSelector("button[value=recovery-code-stored]");
    expect(await shownSecret(page)).not.toBe(code);
    await clickAction(page, "recovery-code-stored");
    await expectSignedIn(page, email);
  });
});

test("three clicks use the key once, and Back after the sign-in leads to a page that says that it is complete", async () => {
  const device = await openDevice({});
  const { page } = device;
  const { email } = await setup.createUser("clicks");
  await addKey(device, email);
  await signOutOnPage(setup, page);
  await signIn(page, email);
  await page.waitForSelector("button[value=use-key]");
  expect(await clickRepeatedly(setup, page, { clicks: 3, action: "use-key", javaScriptEnabled: true })).toBe(1);
  setup.conditions.slowness = 0;
  await expectSignedIn(page, email);
  await page.goBack({ waitUntil: "commit" });
  await expect
    .poll(() => page.locator("main a").evaluateAll((links) => links.map((link) => link.getAttribute("href"))))
    .toEqual([`${setup.app}/`]);
});

test("a response with a wrong signature is rejected, and the user can try again", async () => {
  const device = await openDevice({});
  const { page } = device;
  const { email } = await setup.createUser("forged");
  await addKey(device, email);
  await signOutOnPage(setup, page);
  await signIn(page, email);
  await page.waitForSelector("button[value=use-key]");
  await page.evaluate(() => {
    const { prototype } = PublicKeyCredential;
    const { toJSON } = prototype;
    prototype.toJSON = function () {
      prototype.toJSON = toJSON;
      const credential = toJSON.call(this);
      const signature = String(Reflect.get(credential.response, "signature"));
      const changed = signature[20] === "A" ? "B" : "A";
      return { ...credential, response: { ...credential.response, signature: signature.slice(0, 20) + changed + signature.slice(21) } };
    };
  });
  await clickAction(page, "use-key");
  await page.waitForSelector(".problem");
  await clickAction(page, "use-key");
  await expectSignedIn(page, email);
});
