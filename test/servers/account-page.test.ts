import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { securityPath } from "../../packages/core/src/tenants/ticket-links.ts";
import { launchBrowser } from "../pages/browser.ts";
import { createOutbox } from "../support/outbox.ts";
import { clickRepeatedly } from "./support/click-repeatedly.ts";
import { clickAction, enterIdentifier, enterPassword } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { heading, nextCode, shownSecret, signOutOnPage, startSignInSetup, type SignInSetup } from "./support/sign-in-setup.ts";
import { expectUsable } from "./support/usable-page.ts";
import { enablePasskeys, openVirtualDevice, type DeviceSettings, type VirtualDevice } from "./support/virtual-device.ts";

/** Users change their second factors and passkeys on the account page in Chromium, with its virtual authenticators. */

let setup: SignInSetup;
let browser: Browser;
const outbox = createOutbox();

beforeAll(async () => {
  setup = await startSignInSetup({ messages: { mail: outbox.mail, sms: outbox.sms } });
  const manage = await setup.manage();
  for (const name of ["otp", "sms", "webauthn-roaming", "recovery-code"])
    expect((await manage("PUT", `/api/v2/guardian/factors/${name}`, { enabled: true })).status).toBe(200);
  await enablePasskeys(manage);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await setup.close();
});

const contexts: BrowserContext[] = [];
afterEach(async () => {
  setup.conditions.slowness = 0;
  await setPolicies([]);
  for (const context of contexts.splice(0)) await context.close();
});

async function openDevice(settings: DeviceSettings = {}): Promise<VirtualDevice> {
  const device = await openVirtualDevice(browser, { ...settings, reducedMotion: "reduce" });
  contexts.push(device.page.context());
  return device;
}

async function setPolicies(policies: readonly string[]): Promise<void> {
  expect((await (await setup.manage())("PUT", "/api/v2/guardian/policies", policies)).status).toBe(200);
}

const titles = { overview: "Sign-in security", add: "Set up two\u2011step verification" } as const;

const expectHeading = (page: Page, text: string): Promise<void> => expect.poll(() => heading(page)).toBe(text);
const expectSignedIn = (page: Page, email: string): Promise<void> => expectHeading(page, `Signed in: ${email}`);

async function begin(page: Page): Promise<void> {
  await page.goto(`${setup.app}/login?prompt=login`);
}

/** Enters the email address and the password. */
async function enterCredentials(page: Page, email: string): Promise<void> {
  await begin(page);
  await enterIdentifier(page, email);
  await enterPassword(page);
}

/** Signs in a user who needs no second factor. */
async function signIn(page: Page, email: string): Promise<void> {
  await enterCredentials(page, email);
  await expectSignedIn(page, email);
}

/** Opens the account page. @param query the parameters of its URL. */
async function openAccount(page: Page, query = ""): Promise<void> {
  await page.goto(`${setup.issuer}${securityPath.slice(1)}${query}`);
}

/** Returns the row of a factor in the list. */
const row = (page: Page, name: string): Locator => page.locator(".methods > li").filter({ hasText: name });

/** Returns the names of the factors in the list. */
const listedNames = (page: Page): Promise<string[]> => page.locator(".methods .row-name").allTextContents();

/** Follows the link of the overview to the page that renames or removes a factor. */
const openChange = (page: Page, name: string, view: "rename" | "remove"): Promise<void> =>
  row(page, name).locator(`a[href*='view=${view}']`).click();

/** Follows the links from the overview to the page that adds a type of factor. */
async function chooseType(page: Page, type: string): Promise<void> {
  await page.click("a[href*='view=add']");
  await page.click(`button[name=factor][value=${type}]`);
}

/** Adds an authenticator app, up to the response to its first code. @returns its key. */
async function addApp(page: Page): Promise<string> {
  await chooseType(page, "totp");
  const secret = await shownSecret(page);
  await page.fill("#code", nextCode(setup, secret));
  await clickAction(page, "confirm-new-factor");
  return secret;
}

/** Expects the page that shows the recovery code, and leaves it. @returns the code. */
async function storeRecoveryCode(page: Page): Promise<string> {
  await page.waitForSelector("button[value=recovery-code-stored]");
  const code = await shownSecret(page);
  expect(code).toMatch(/^[A-Z0-9]{24}$/);
  await clickAction(page, "recovery-code-stored");
  return code;
}

/** Expects the overview with a notice. */
async function expectDone(page: Page, notice: string): Promise<void> {
  await expect.poll(() => page.locator(".notice").allTextContents()).toEqual([notice]);
  expect(await heading(page)).toBe(titles.overview);
}

/** Expects one mail to the user since the last call. @returns its link that reports the change. */
async function expectMail(email: string, text: string): Promise<string> {
  await expect.poll(() => outbox.sent.filter(({ to }) => to === email)).toHaveLength(1);
  const mail = outbox.take(email);
  expect(mail.text).toContain(text);
  const [link = ""] = /https:\/\/\S*\/u\/undo-factor-change\?ticket=[\w.%-]+/.exec(mail.text) ?? [];
  expect(link).toContain(setup.issuer);
  return link;
}

const mailsTo = (email: string): number => outbox.sent.filter(({ to }) => to === email).length;

test("a user adds, renames, replaces and removes factors, and signs in with them", async () => {
  const device = await openDevice();
  const { page } = device;
  const { email } = await setup.createUser("account");
  /** Makes one authenticator confirm requests, and another one wait for a touch. */
  const onlyTouch = async (authenticatorId: string, other: string): Promise<void> => {
    await device.cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: other, enabled: false });
    await device.cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: true });
  };
  await signIn(page, email);
  await openAccount(page);
  expect(await listedNames(page)).toEqual([]);

  const secret = await addApp(page);
  const firstCode = await storeRecoveryCode(page);
  await expectHeading(page, titles.overview);
  expect(await listedNames(page)).toEqual(["Authenticator app"]);
  await expectMail(email, "now has another method: authenticator app");

  const key = await device.add("usb");
  await chooseType(page, "webauthn-roaming");
  await clickAction(page, "confirm-key");
  await expectDone(page, "The method was added.");
  await expectMail(email, "now has another method: security key");

  const builtIn = await device.add("internal");
  await onlyTouch(builtIn, key);
  await chooseType(page, "passkey");
  await clickAction(page, "confirm-key");
  await expectDone(page, "The method was added.");
  await expectMail(email, "now has another method: passkey");
  const keys = await device.cdp.send("WebAuthn.getCredentials", { authenticatorId: key });
  expect(keys.credentials).toHaveLength(1);

  await openChange(page, "Security key", "rename");
  expect(await page.locator("#name:focus").count()).toBe(1);
  await page.fill("#name", "Blue key");
  await clickAction(page, "rename-factor");
  await expectDone(page, "The name was saved.");
  expect(await listedNames(page)).toEqual(["Authenticator app", "Blue key", "Passkey"]);
  expect(await row(page, "Blue key").textContent()).toContain("Security key");

  await page.click("a[href*='view=recovery-code']");
  await clickAction(page, "create-recovery-code");
  const recoveryCode = await storeRecoveryCode(page);
  expect(recoveryCode).not.toBe(firstCode);
  await expectMail(email, "was replaced: recovery code");

  // The authenticator app, in a browser that is then remembered.
  await setPolicies(["all-applications"]);
  await signOutOnPage(setup, page);
  await enterCredentials(page, email);
  await page.click("button[name=factor][value=totp]");
  await page.check("input[name=remember]");
  await page.fill("#code", nextCode(setup, secret));
  await clickAction(page, "enter-factor-code");
  await expectSignedIn(page, email);
  await signOutOnPage(setup, page);
  await signIn(page, email);
  await openAccount(page);
  expect(await page.textContent("main")).toContain("Devices on which we don’t ask for your second step: 1.");
  await clickAction(page, "forget-browsers");
  await expectDone(page, "We’ll ask for your second step on every device again.");
  expect(mailsTo(email)).toBe(0);

  // The security key.
  await onlyTouch(key, builtIn);
  await signOutOnPage(setup, page);
  await enterCredentials(page, email);
  await expectHeading(page, "Use your passkey");
  await page.click("button[name=factor]:has-text('Security key')");
  await expectHeading(page, "Use your security key");
  await clickAction(page, "use-key");
  await expectSignedIn(page, email);

  // The passkey alone.
  await onlyTouch(builtIn, key);
  await signOutOnPage(setup, page);
  await begin(page);
  await clickAction(page, "use-passkey");
  await expectSignedIn(page, email);

  await openAccount(page);
  await openChange(page, "Authenticator app", "remove");
  await clickAction(page, "remove-factor");
  await expectDone(page, "The method was removed.");
  expect(await listedNames(page)).toEqual(["Blue key", "Passkey"]);
  const link = await expectMail(email, "no longer has this method: authenticator app");

  // The recovery code, which is replaced when it is used.
  await signOutOnPage(setup, page);
  await enterCredentials(page, email);
  expect(await page.locator("button[name=factor][value=totp]").count()).toBe(0);
  await page.click("button[name=factor][value=recovery-code]");
  await page.fill("#code", recoveryCode);
  await clickAction(page, "enter-factor-code");
  expect(await storeRecoveryCode(page)).not.toBe(recoveryCode);
  await expectSignedIn(page, email);

  // The link asks first. Then it ends the session and prevents changes.
  const reader = await openDevice();
  await reader.page.goto(link);
  await expectHeading(reader.page, "Protect your account?");
  await expectUsable(reader.page, "undo");
  await openAccount(page);
  await expectHeading(page, titles.overview);
  await clickAction(reader.page, "protect");
  // The key and the passkey were added shortly before the change, so the page does not say that the account is protected.
  await expectHeading(reader.page, "Check your sign\u2011in methods");
  await page.reload();
  await expectHeading(page, "Sign in first");
  await begin(page);
  await clickAction(page, "use-passkey");
  await expectSignedIn(page, email);
  await openAccount(page);
  expect(await listedNames(page)).toEqual(["Blue key", "Passkey"]);
  expect(await page.textContent(".notice")).toContain("You told us that you didn’t make a change");
  expect(await page.locator("a[href*='view=']").count()).toBe(0);
  expect(await page.textContent("main")).not.toContain("create a new one");
  await openAccount(page, "?view=add");
  await expectHeading(page, "Changes are paused");
});

test("without JavaScript, a user changes all but passkeys and security keys", async () => {
  const { page } = await openDevice({ javaScriptEnabled: false });
  const { email } = await setup.createUser("noscript");
  await signIn(page, email);
  await openAccount(page);
  await addApp(page);
  const firstCode = await storeRecoveryCode(page);
  await expectMail(email, "now has another method: authenticator app");

  for (const type of ["passkey", "webauthn-roaming"]) {
    await chooseType(page, type);
    expect(await page.isVisible("text=A passkey or security key needs JavaScript")).toBe(true);
    expect(await page.isVisible("button[value=confirm-key]")).toBe(false);
    await expectUsable(page, `account-noscript-${type}`);
    await clickAction(page, "other-new-factor");
    await page.click(`main a[href*='${securityPath}?tenant=main']`);
    await expectHeading(page, titles.overview);
  }

  await openChange(page, "Authenticator app", "rename");
  await page.fill("#name", "Old phone");
  await clickAction(page, "rename-factor");
  await expectDone(page, "The name was saved.");
  await addApp(page);
  await expectDone(page, "The method was added.");
  await expectMail(email, "now has another method: authenticator app");
  await expectUsable(page, "account-noscript");

  await page.click("a[href*='view=recovery-code']");
  await clickAction(page, "create-recovery-code");
  expect(await storeRecoveryCode(page)).not.toBe(firstCode);
  await expectMail(email, "was replaced: recovery code");

  await openChange(page, "Old phone", "remove");
  await clickAction(page, "remove-factor");
  await expectDone(page, "The method was removed.");
  expect(await listedNames(page)).toEqual(["Authenticator app"]);
  await expectMail(email, "no longer has this method: authenticator app");
});

describe.each([true, false])("repeated clicks and the Back button with JavaScript: %s", (javaScriptEnabled) => {
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!javaScriptEnabled);
  let page: Page;

  /** Clicks a button three times, and then waits for the page that follows. */
  async function clickThreeTimes(action: string, next: string): Promise<void> {
    expect(await clickRepeatedly(setup, page, { clicks: 3, action, javaScriptEnabled, slowness: 700 })).toBe(javaScriptEnabled ? 1 : 3);
    await page.waitForSelector(next);
    setup.conditions.slowness = 0;
  }

  /** Goes back, and waits for a page with links or buttons. */
  async function goBack(): Promise<void> {
    await page.goBack({ waitUntil: "commit" });
    await page.waitForSelector("main :is(a, button)");
    expect(await page.locator("#error-code").count()).toBe(0);
  }

  /** Opens the page with its form in another tab, which still shows the form after it was submitted in the first tab. */
  async function openTwin(): Promise<Page> {
    const twin = await page.context().newPage();
    await twin.goto(page.url());
    return twin;
  }

  testOnce("each change is made once, and each page leads back to the overview", async () => {
    ({ page } = await openDevice({ javaScriptEnabled }));
    const { email } = await setup.createUser("clicks");
    await signIn(page, email);
    await openAccount(page);

    await chooseType(page, "totp");
    const twinOfApp = await openTwin();
    const code = nextCode(setup, await shownSecret(page));
    await page.fill("#code", code);
    await clickThreeTimes("confirm-new-factor", "button[value=recovery-code-stored]");
    const recoveryCode = await shownSecret(page);
    await expectMail(email, "now has another method: authenticator app");
    await goBack();
    await expectHeading(page, titles.add);
    await twinOfApp.fill("#code", code);
    await clickAction(twinOfApp, "confirm-new-factor");
    await expectDone(twinOfApp, "The method was added.");
    await twinOfApp.close();
    await page.click(`main a[href*='${securityPath}?tenant=main']`);
    await expectHeading(page, titles.overview);
    expect(await listedNames(page)).toEqual(["Authenticator app"]);

    await page.click("a[href*='view=recovery-code']");
    await clickThreeTimes("create-recovery-code", "button[value=recovery-code-stored]");
    const newCode = await shownSecret(page);
    expect(newCode).not.toBe(recoveryCode);
    await expectMail(email, "was replaced: recovery code");
    await page.reload();
    expect(await shownSecret(page)).toBe(newCode);
    await clickAction(page, "recovery-code-stored");
    await expectHeading(page, titles.overview);
    // The browser asks whether to send the form again, because only the response to the form contains the code.
    await expect(page.goBack()).rejects.toThrow("ERR_CACHE_MISS");
    await page.waitForURL("chrome-error:**");
    await page.reload();
    await expect.poll(() => shownSecret(page)).toBe(newCode);
    await goBack();
    await page.click(`main a[href*='${securityPath}?tenant=main']`);

    await openChange(page, "Authenticator app", "rename");
    await page.fill("#name", "Phone");
    await clickAction(page, "rename-factor");
    await expectDone(page, "The name was saved.");
    await goBack();
    await page.fill("#name", "Old phone");
    await clickAction(page, "rename-factor");
    await expectDone(page, "The name was saved.");

    await openChange(page, "Old phone", "rename");
    const twinOfRename = await openTwin();
    await page.click(`main a[href*='${securityPath}?tenant=main']`);
    await openChange(page, "Old phone", "remove");
    const twinOfRemoval = await openTwin();
    await clickThreeTimes("remove-factor", "a[href*='view=add']");
    await expectMail(email, "no longer has this method: authenticator app");
    await goBack();
    await expectHeading(page, titles.overview);
    await clickAction(twinOfRemoval, "remove-factor");
    await twinOfRename.fill("#name", "New phone");
    await clickAction(twinOfRename, "rename-factor");
    for (const twin of [twinOfRemoval, twinOfRename]) {
      await expectHeading(twin, titles.overview);
      expect(await twin.locator(".notice").count()).toBe(0);
      expect(await listedNames(twin)).toEqual([]);
    }
    expect(mailsTo(email)).toBe(0);
  });
});

test("a form of one user changes nothing after another user signed in in the same browser", async () => {
  const { page } = await openDevice();
  const [ada, bob] = [await setup.createUser("ada"), await setup.createUser("bob")];
  await signIn(page, ada.email);
  await openAccount(page);
  await addApp(page);
  await storeRecoveryCode(page);
  await expectMail(ada.email, "now has another method: authenticator app");
  await openChange(page, "Authenticator app", "remove");
  const form = page.url();

  const other = await page.context().newPage();
  await signIn(other, bob.email);
  await other.goto(form);
  await expectHeading(other, titles.overview);
  expect(await other.textContent("main")).toContain(bob.email);
  expect(await listedNames(other)).toEqual([]);

  await clickAction(page, "remove-factor");
  await expect.poll(() => page.textContent("#account")).toBe(bob.email);
  await expectHeading(page, titles.overview);
  expect(mailsTo(ada.email)).toBe(0);

  // The same user in a new session: the page says that nothing changed, and shows its form again.
  await openAccount(page, "?view=add");
  await signOutOnPage(setup, other);
  await signIn(other, bob.email);
  await page.click("button[name=factor][value=totp]");
  await page.waitForSelector("#problem");
  await page.click("button[name=factor][value=totp]");
  expect(await shownSecret(page)).toMatch(/^[A-Z2-7]{32}$/);
});

/** The windows and color schemes in which each page is checked. */
const appearances = [
  { width: 320, colorScheme: "light" },
  { width: 320, colorScheme: "dark" },
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const;

describe.each(["en-US", "ar"])("in %s", (locale) => {
  // In a second language, only in `.ci/nightly`.
  testUnless(locale !== "en-US")("every page fits its window and is accessible, narrow and wide, light and dark", async () => {
    const device = await openDevice({ locale });
    const { page } = device;

    async function expectGood(name: string): Promise<void> {
      expect(await page.getAttribute("html", "dir"), name).toBe(locale === "ar" ? "rtl" : "ltr");
      await expectUsable(page, name, appearances);
    }

    const expectGoodAt = async (name: string, query: string): Promise<void> => {
      await openAccount(page, query);
      await expectGood(name);
    };

    await openAccount(page);
    await expectGood("no-session");
    const { email } = await setup.createUser(`a-user-with-a-long-email-address-${locale.toLowerCase()}`);
    await signIn(page, email);
    await expectGoodAt("empty-list", "");
    setup.conditions.ahead += 16 * 60_000;
    await expectGoodAt("sign-in-again", "?view=add");
    await signIn(page, email);

    await openAccount(page);
    await chooseType(page, "totp");
    const secret = await shownSecret(page);
    await page.fill("#code", "000000");
    await clickAction(page, "confirm-new-factor");
    await page.waitForSelector("#problem");
    await expectGood("add-app");
    await page.fill("#code", nextCode(setup, secret));
    await clickAction(page, "confirm-new-factor");
    await page.waitForSelector("button[value=recovery-code-stored]");
    await expectGood("recovery-code");
    await clickAction(page, "recovery-code-stored");
    await page.waitForSelector(".methods");
    const link = await expectMail(email, "");
    await device.add("internal");
    await chooseType(page, "passkey");
    await expectGood("add-passkey");
    await clickAction(page, "confirm-key");
    await page.waitForSelector(".notice");
    await expectGoodAt("add", "?view=add");
    await expectGoodAt("add-key", "?view=add&type=webauthn-roaming");
    await expectGoodAt("add-phone", "?view=add&type=phone&problem=phone-invalid");
    await expectGoodAt("create-recovery-code", "?view=recovery-code&problem=conflict");

    await openAccount(page);
    await page.locator(".methods a[href*='view=rename']").first().click();
    await page.fill("#name", "W".repeat(64));
    await clickAction(page, "rename-factor");
    await page.waitForSelector(".notice");
    await expectGood("list");
    await page.locator(".methods a[href*='view=rename']").first().click();
    await expectGood("rename");
    await openAccount(page);
    await page.locator(".methods a[href*='view=remove']").first().click();
    await expectGood("remove");

    setup.conditions.ahead += 16 * 60_000;
    await expectGoodAt("prove-passkey", "?view=add");
    await expectGoodAt("prove-app", "?view=add&use=totp&problem=wrong-code");
    await page.goto(link);
    await clickAction(page, "protect");
    await begin(page);
    await clickAction(page, "use-passkey");
    await expectSignedIn(page, email);
    await expectGoodAt("frozen-list", "");
    await expectGoodAt("frozen", "?view=add");
  });
});

test.each([true, false])("a user changes the email address and the password, with JavaScript: %s", async (javaScriptEnabled) => {
  const manage = await setup.manage();
  const sections = { addresses: "shown", password: "shown" };
  expect((await manage("PATCH", "/api/v2/tenants/settings", { account_page: { client_id: "web", sections } })).status).toBe(200);
  setup.conditions.ahead += 10_000;
  const context = await browser.newContext({ javaScriptEnabled, ignoreHTTPSErrors: true, reducedMotion: "reduce" });
  contexts.push(context);
  const page = await context.newPage();
  const { email } = await setup.createUser("address");
  await signIn(page, email);
  await page.goto(`${setup.issuer}u/account`);
  await page.click("a[href*='/account/addresses']");
  await page.click("a[href*='view=email']");
  const changed = `changed-${email}`;
  await page.fill("#email", changed);
  if (javaScriptEnabled) await expectUsable(page, "the form for a new email address", appearances);
  await clickAction(page, "send-email-code");
  await page.waitForSelector("#code");
  if (javaScriptEnabled) await expectUsable(page, "the form for the code", appearances);
  const { code = "" } = outbox.take(changed);
  // The form is submitted with the keyboard.
  await page.fill("#code", code);
  await page.press("#code", "Enter");
  await expect.poll(() => page.locator("dd").allTextContents()).toContain(changed);
  await expectMail(email, "email address");
  await page.goto(`${setup.issuer}u/account/password?view=edit`);
  await page.fill("#password", "another long phrase 7");
  await clickAction(page, "set-password");
  await expect.poll(() => page.locator(".notice").count()).toBe(1);
  expect(await heading(page)).toBe("Password");
  await enterCredentialsOf(page, changed, "another long phrase 7");
  await expectSignedIn(page, changed);
});

async function enterCredentialsOf(page: Page, email: string, password: string): Promise<void> {
  await begin(page);
  await enterIdentifier(page, email);
  await enterPassword(page, password);
}
