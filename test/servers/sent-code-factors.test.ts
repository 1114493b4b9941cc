import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { auditEvents } from "../support/api.ts";
import { codeOf, createOutbox, differentCode } from "../support/outbox.ts";
import { clickRepeatedly } from "./support/click-repeatedly.ts";
import { clickAction, enterIdentifier, enterPassword } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { heading, shownSecret, signOutOnPage, startSignInSetup, type SignInSetup } from "./support/sign-in-setup.ts";
import { expectUsable } from "./support/usable-page.ts";

/** Users sign in with codes that are sent by text message, voice call and email as a second factor. */
const outbox = createOutbox();
let setup: SignInSetup;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  setup = await startSignInSetup({ messages: { mail: outbox.mail, sms: outbox.phone } });
  const manage = await setup.manage();
  const put = async (path: string, body: unknown) => expect((await manage("PUT", `/api/v2/guardian/${path}`, body)).status).toBe(200);
  for (const name of ["otp", "sms", "email", "recovery-code"]) await put(`factors/${name}`, { enabled: true });
  await put("factors/phone/message-types", { message_types: ["sms", "voice"] });
  await put("policies", ["all-applications"]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await setup.close();
});

let phones = 0;
/** Returns a phone number that is unique in the file. */
const nextPhone = (): string => `+4917012345${String(++phones).padStart(2, "0")}`;

describe.each([
  {
    javaScriptEnabled: true,
    locale: "en-US",
    appearances: [
      { width: 320, colorScheme: "light" },
      { width: 1280, colorScheme: "dark" },
    ],
  },
  {
    javaScriptEnabled: false,
    locale: "ar",
    appearances: [
      { width: 320, colorScheme: "dark" },
      { width: 1280, colorScheme: "light" },
    ],
  },
] as const)("codes that are sent, with JavaScript: $javaScriptEnabled, in $locale", ({ javaScriptEnabled, locale, appearances }) => {
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!javaScriptEnabled);
  const named = (name: string): string => `sent-${name}-${locale}`;

  beforeEach(async () => {
    const viewport = { width: 320, height: 640 };
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale, reducedMotion: "reduce", viewport });
    page = await context.newPage();
  });
  afterEach(async () => {
    setup.conditions.slowness = 0;
    await context.close();
  });

  /** Expects the page to be accessible and to fit its window, in each appearance. */
  async function expectGood(name: string): Promise<void> {
    expect(await page.getAttribute("html", "dir")).toBe(locale === "ar" ? "rtl" : "ltr");
    await expectUsable(page, named(name), appearances);
  }

  async function signIn(email: string): Promise<void> {
    await page.goto(`${setup.app}/login?prompt=login`);
    await enterIdentifier(page, email);
    await enterPassword(page);
  }

  /** Creates a user with a phone. */
  async function createPhoneUser(name: string): Promise<{ readonly email: string; readonly phone: string }> {
    const { email, userId } = await setup.createUser(named(name).toLowerCase());
    const phone = nextPhone();
    const body = { type: "phone", name: "Mobile", phone_number: phone, preferred_authentication_method: "sms" };
    await (await setup.manage()).create(`/api/v2/users/${encodeURIComponent(userId)}/authentication-methods`, body);
    return { email, phone };
  }

  /** Returns the number of messages with a code to a recipient that the test has not taken yet. */
  const codesTo = (to: string): number => outbox.sent.filter((message) => message.to === to && message.code !== undefined).length;
  const callsTo = (to: string) => outbox.calls.filter((call) => call.to === to);

  async function enterCode(code: string, action = "enter-factor-code"): Promise<void> {
    await page.fill("#code", code);
    await clickAction(page, action);
  }

  /** Goes back. A page from the back-forward cache fires no `load` event. */
  const goBack = (): Promise<unknown> => page.goBack({ waitUntil: "commit" });
  const goForward = (): Promise<unknown> => page.goForward({ waitUntil: "commit" });
  const switchTo = (channel: string): Promise<void> => page.click(`form:has(input[name=channel][value=${channel}]) button`);
  const expectSignedIn = (email: string): Promise<void> => expect.poll(() => heading(page)).toBe(`Signed in: ${email}`);

  /** Expects the page of a finished sign-in, which links to the app. */
  const expectFinished = (at: Page): Promise<void> =>
    expect
      .poll(() => at.locator("main a").evaluateAll((links) => links.map((link) => link.getAttribute("href"))))
      .toEqual([`${setup.app}/`]);

  /** Returns the number of wrong codes in the log for an email address. */
  const wrongCodes = async (email: string): Promise<number> =>
    (await auditEvents(await setup.manage(), "gd_auth_failed")).filter((entry) => JSON.stringify(entry).includes(email)).length;

  /** Returns the focus of a field, and the attributes that connect it with a problem. */
  const fieldState = (name: string) =>
    page.locator(name).evaluate((field) => ({
      isFocused: field === document.activeElement,
      invalid: field.getAttribute("aria-invalid"),
      description: (field.getAttribute("aria-describedby") ?? "").split(" "),
    }));

  test("a user adds a phone, and signs in with a code by text message", async () => {
    const { email } = await setup.createUser(named("adds").toLowerCase());
    const phone = nextPhone();
    await signIn(email);
    await page.click("button[name=factor][value=phone]");
    await expect.poll(() => fieldState("#phone")).toEqual({ isFocused: true, invalid: null, description: ["phone-hint"] });
    await page.fill("#phone", "0170 1234567");
    await clickAction(page, "enter-phone");
    await expect.poll(() => fieldState("#phone")).toEqual({ isFocused: true, invalid: "true", description: ["problem", "phone-hint"] });
    expect(await page.inputValue("#phone")).toBe("0170 1234567");
    await expectGood("phone-problem");
    await page.fill("#phone", phone);
    await clickAction(page, "enter-phone");
    await expect.poll(() => page.textContent(".address")).toBe(phone);
    const code = codeOf(outbox.take(phone));
    await enterCode(differentCode(code), "confirm-new-factor");
    await expect.poll(() => fieldState("#code")).toEqual({ isFocused: true, invalid: "true", description: ["problem", "code-hint"] });
    await expectGood("phone-code-problem");
    await enterCode(code, "confirm-new-factor");
    expect(await shownSecret(page)).toMatch(/^[A-Z0-9]{24}$/);
    await expectGood("phone-recovery");
    await clickAction(page, "recovery-code-stored");
    await expectSignedIn(email);

    await signOutOnPage(setup, page);
    await signIn(email);
    expect(codesTo(phone)).toBe(0);
    await expectGood("text-offer");
    await clickAction(page, "send-factor-code");
    await page.waitForSelector("#code:focus");
    expect(await page.textContent(".address")).toBe(`•••${phone.slice(-2)}`);
    expect(await page.locator(".address").evaluate((address) => getComputedStyle(address).direction)).toBe("ltr");
    await page.fill("#code", codeOf(outbox.take(phone)));
    await expectGood("text-code");
    await clickAction(page, "enter-factor-code");
    await expectSignedIn(email);
  });

  testOnce("a user who gets no text message switches to a voice call", async () => {
    const { email, phone } = await createPhoneUser("calls");
    await signIn(email);
    await clickAction(page, "send-factor-code");
    await page.waitForSelector("#code:focus");
    const texted = codeOf(outbox.take(phone));
    await switchTo("voice");
    await page.waitForSelector("input[name=channel][value=sms]", { state: "attached" });
    expect([codesTo(phone), callsTo(phone).length]).toEqual([0, 1]);
    await expectGood("call-code");
    const [call] = callsTo(phone);
    const called = codeOf(call ?? {});
    await enterCode(texted === called ? differentCode(called) : texted);
    await page.waitForSelector("#problem");
    await enterCode(called);
    await expectSignedIn(email);
  });

  testOnce("a user chooses email instead of the phone, and only the newest code is valid", async () => {
    const { email } = await createPhoneUser("mails");
    await signIn(email);
    await page.click("button[name=factor][value=email]");
    await page.waitForSelector("#code:focus");
    const first = codeOf(outbox.take(email));
    expect(await page.locator("input[name=remember]").count()).toBe(0);
    setup.conditions.ahead += 30_000;
    await page.reload();
    await clickAction(page, "send-factor-code");
    await expect.poll(() => codesTo(email)).toBe(1);
    await expectGood("email-code");
    const second = codeOf(outbox.take(email));
    await enterCode(first === second ? differentCode(second) : first);
    await page.waitForSelector("#problem");
    await expectGood("email-code-problem");
    await enterCode(second);
    await expectSignedIn(email);
  });

  testOnce("a user who trusts the browser signs in again without a code", async () => {
    const { email, phone } = await createPhoneUser("trusts");
    await signIn(email);
    await clickAction(page, "send-factor-code");
    await page.check("input[name=remember]");
    await enterCode(codeOf(outbox.take(phone)));
    await expectSignedIn(email);
    await signOutOnPage(setup, page);
    await signIn(email);
    await expectSignedIn(email);
    expect([codesTo(phone), callsTo(phone).length]).toEqual([0, 0]);
  });

  testOnce("three clicks send one message, count one wrong code, and sign the user in", async () => {
    const { email, phone } = await createPhoneUser("clicks");
    const posts = javaScriptEnabled ? 1 : 3;
    const clickTimes = (action: string): Promise<number> =>
      clickRepeatedly(setup, page, { clicks: 3, action, javaScriptEnabled, slowness: 800 });
    await signIn(email);
    expect(await clickTimes("send-factor-code")).toBe(posts);
    await page.waitForSelector("#code:focus");
    expect(codesTo(phone)).toBe(1);
    const code = codeOf(outbox.take(phone));
    await page.fill("#code", differentCode(code));
    expect(await clickTimes("enter-factor-code")).toBe(posts);
    await page.waitForSelector("#problem");
    expect(await wrongCodes(email)).toBe(1);
    await page.fill("#code", code);
    expect(await clickTimes("enter-factor-code")).toBe(posts);
    await expectSignedIn(email);
    expect(await wrongCodes(email)).toBe(1);
  });

  testOnce("reloading, Back and Forward send no message and leave the code valid", async () => {
    const { email, phone } = await createPhoneUser("history");
    await signIn(email);
    await clickAction(page, "send-factor-code");
    await page.waitForSelector("#code:focus");
    setup.posts.length = 0;
    expect((await page.reload())?.request().method()).toBe("GET");
    await goBack();
    await page.waitForSelector("#code:focus");
    await goForward();
    await page.waitForSelector("#code:focus");
    expect([codesTo(phone), setup.posts.length]).toEqual([1, 0]);
    const code = codeOf(outbox.take(phone));
    await enterCode(code);
    await expectSignedIn(email);
    await goBack();
    await expectFinished(page);
    await expectGood("back-after-success");
    await goForward();
    await expectSignedIn(email);
    expect(await wrongCodes(email)).toBe(0);
  });

  testOnce("a second tab of the same sign-in replaces the code, and the first tab accepts the new one", async () => {
    const { email, phone } = await createPhoneUser("tabs");
    await signIn(email);
    await clickAction(page, "send-factor-code");
    await page.waitForSelector("#code:focus");
    const first = codeOf(outbox.take(phone));
    const second = await context.newPage();
    await second.goto(page.url());
    setup.conditions.ahead += 30_000;
    await second.reload();
    await clickAction(second, "send-factor-code");
    await expect.poll(() => codesTo(phone)).toBe(1);
    await second.waitForSelector("[data-waits]");
    const code = codeOf(outbox.take(phone));
    await enterCode(first === code ? differentCode(code) : first);
    await page.waitForSelector("#problem");
    await enterCode(code);
    await expectSignedIn(email);
    // Until three seconds after the response to the client, a form repeats the response.
    setup.conditions.ahead += 3001;
    await second.fill("#code", code);
    await clickAction(second, "enter-factor-code");
    await expectFinished(second);
    expect(await wrongCodes(email)).toBe(1);
  });
});
