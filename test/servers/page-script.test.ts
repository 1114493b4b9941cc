import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { passwordRules, type PasswordPolicyOptions } from "../../packages/core/src/identity/passwords/policy.ts";
import type { PasswordRule } from "../../packages/core/src/identity/passwords/strength.ts";
import { htmlResponse } from "../../packages/core/src/http/html.ts";
import { createTranslations } from "../../packages/core/src/locales/translations.ts";
import { translator } from "../../packages/core/src/locales/translate.ts";
import { drawPage } from "../../packages/core/src/login/draw.tsx";
import { rulesWithResults } from "../../packages/core/src/login/new-password.ts";
import type { PageBranding } from "../../packages/core/src/branding/branding.ts";
import type { Screen } from "../../packages/core/src/login/steps.ts";
import { drawScreen } from "../../packages/core/test/draw-screen.ts";
import type { CreateAccountScreen } from "../../packages/core/src/login/steps/create-account/step.ts";
import { launchBrowser } from "../pages/browser.ts";

/**
 * The behavior of the pages' script in a browser under the pages' content security policy, and of the pages without
 * JavaScript.
 */
const host = "https://login.example.test";
const pictures = "https://pictures.example.test";
const password: Screen = { name: "password", identifier: "mira@example.com" };
const newAccount = (options: PasswordPolicyOptions): CreateAccountScreen => ({
  name: "create-account",
  organization: { name: "Fieldnotes" },
  inviter: "Jonas",
  email: "mira@example.com",
  rules: rulesWithResults(passwordRules("", options)),
});

let browser: Browser;
let page: Page;
/** The page with JavaScript, which most tests use. A new page for each test would take several times as long. */
let scripted: Page;
/** The page that the server returns. */
let sent: { readonly headers: { [name: string]: string }; readonly body: string };
/** The forms that were posted. The responses keep the page open, as a slow server does. */
let posted: URLSearchParams[];
let loads: number;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  scripted = await openPage({});
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = scripted;
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

/** Opens a page that shows what {@link show} renders. */
async function openPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  const opened = await context.newPage();
  await opened.route(/.*/, async (route) => {
    const request = route.request();
    if (request.method() === "POST") {
      posted.push(new URLSearchParams(request.postData() ?? ""));
      await route.fulfill({ status: 204 });
    } else if (request.url() === `${pictures}/good.svg`) {
      const body = '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="20"><rect width="160" height="20" fill="#fff"/></svg>';
      await route.fulfill({ contentType: "image/svg+xml", body });
    } else if (request.url() === `${pictures}/pixel.svg`) {
      await route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>' });
    } else if (request.url().startsWith(host)) {
      loads++;
      await route.fulfill(sent);
    } else await route.abort();
  });
  return opened;
}

/** Uses a page with other options until the end of the test. */
async function usePage(options: BrowserContextOptions): Promise<void> {
  page = await openPage(options);
  contexts.push(page.context());
}

async function show(screen: Screen, { locale = "en", branding = {} }: { locale?: string; branding?: PageBranding } = {}): Promise<void> {
  const frame = {
    tenantName: "Harbour",
    branding,
    t: await translator(createTranslations(), locale, "formal"),
    action: "/u/login",
    hidden: { state: "main.s", csrf: "c" },
    nonce: "bm9uY2U",
  };
  const { html, images, script } = drawPage(frame, screen.name, (drawing) => drawScreen(drawing, screen));
  const response = htmlResponse(html, { nonce: frame.nonce, images, script });
  sent = { headers: Object.fromEntries(response.headers), body: html };
  posted = [];
  loads = 0;
  await page.goto(`${host}/u/login`);
}

function attribute(selector: string, name: string): Promise<string | null> {
  return page.getAttribute(selector, name);
}

describe("a form while it is sent", () => {
  const button = "button[value=sign-in]";

  test("is posted once with its button's action, and marks the button as busy", async () => {
    await show(password);
    await page.fill("#password", "correct-horse");
    await page.evaluate(() => {
      const pressed = document.querySelector<HTMLButtonElement>("button[value=sign-in]");
      for (let click = 0; click < 3; click++) pressed?.click();
      document.querySelector<HTMLButtonElement>("button[value=change-identifier]")?.click();
    });
    await expect.poll(() => attribute(button, "aria-busy")).toBe("true");
    await expect.poll(() => posted.length).toBe(1);
    await page.press("#password", "Enter");
    expect(posted.map((fields) => fields.get("action"))).toEqual(["sign-in"]);
    expect(await page.isDisabled(button)).toBe(false);
    expect(await attribute("button[value=change-identifier]", "aria-busy")).toBeNull();
  });

  test("shows an animation only if the user did not ask for reduced motion", async () => {
    await show(password);
    await page.fill("#password", "correct-horse");
    await page.press("#password", "Enter");
    const animation = () =>
      page.evaluate(() => getComputedStyle(document.querySelector("[aria-busy]") ?? document.body, "::after").animationName);
    expect(await animation()).toBe("none");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await animation()).toContain("turn");
  });

  test("reloads a page from the back-forward cache after it was sent", async () => {
    await show(password);
    const restoreFromCache = () => page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await restoreFromCache();
    expect(loads).toBe(1);
    await page.fill("#password", "correct-horse");
    await page.press("#password", "Enter");
    await expect.poll(() => posted.length).toBe(1);
    await restoreFromCache();
    await expect.poll(() => loads).toBe(2);
    await expect.poll(() => page.locator("[aria-busy]").count()).toBe(0);
  });
});

describe("the Caps Lock hint", () => {
  test.each([
    ["en", "Caps Lock is on."],
    ["de", "Die Feststelltaste ist aktiv."],
  ])("is shown at the password in %s", async (locale, text) => {
    await show(password, { locale });
    const type = (on: boolean) =>
      page.evaluate((modifierCapsLock) => {
        document.getElementById("password")?.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true, modifierCapsLock }));
      }, on);
    const hint = page.locator("[role=status]");
    expect(await hint.textContent()).toBe("");
    await type(true);
    expect(await hint.textContent()).toBe(text);
    await type(false);
    expect(await hint.textContent()).toBe("");
  });
});

describe("an empty field", () => {
  test.each([
    [{ name: "identifier", kinds: ["email"] }, "en", "identifier", "Enter your email address."],
    [
      { name: "identifier", kinds: ["email", "username"] },
      "de",
      "identifier",
      "Geben Sie Ihre E-Mail-Adresse oder Ihren Benutzernamen ein.",
    ],
    [password, "de", "password", "Geben Sie Ihr Passwort ein."],
    [{ ...password, problem: "wrong-credentials" }, "en", "password", "Enter your password."],
  ] satisfies [Screen, string, string, string][])("of %j in %s shows the page's own message", async (screen, locale, id, text) => {
    await show(screen, { locale });
    await page.click(".button.main");
    expect(await page.locator("#problem").allTextContents()).toEqual([text]);
    expect(await attribute("#problem", "role")).toBe("alert");
    expect(await attribute(`#${id}`, "aria-invalid")).toBe("true");
    expect(await attribute(`#${id}`, "aria-describedby")).toBe("problem");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(id);
    expect(posted).toEqual([]);
    await page.fill(`#${id}`, "something");
    await page.click(".button.main");
    await expect.poll(() => posted.length).toBe(1);
  });

  test("keeps the other descriptions of the field", async () => {
    await show(newAccount({ passwordPolicy: "low" }));
    await page.click("button[value=create-account]");
    expect(await attribute("#password", "aria-describedby")).toBe("problem demands");
  });

  test("is sent to the server without JavaScript, and the server's page shows the message", async () => {
    await usePage({ javaScriptEnabled: false });
    await show(password);
    await page.click(".button.main");
    await expect.poll(() => posted.length).toBe(1);
    await show({ ...password, problem: "password-missing" }, { locale: "de" });
    expect(await page.locator("#problem").allTextContents()).toEqual(["Geben Sie Ihr Passwort ein."]);
  });
});

describe("the delay before another code", () => {
  test.each([
    ["en", /^Send another code \((?:30|29|28) sec\)$/],
    ["de", /^Neuen Code senden \((?:30|29|28) Sek\.\)$/],
    ["ja", /^コードを再送信 \((?:30|29|28) 秒\)$/],
  ])("is shown in seconds in the page's language: %s", async (locale, words) => {
    await show({ name: "code", purpose: "login", channel: "email", sentTo: "mira@example.com", resendIn: 30 }, { locale });
    const resend = page.locator("button[value=resend-code]");
    expect(await resend.textContent()).toMatch(words);
    expect(await resend.isDisabled()).toBe(true);
  });
});

describe("the card", () => {
  test.each([
    [1280, 800],
    [1280, 1400],
    [320, 640],
  ])("has its top and sides at the same position in each step, at %d x %d", async (width, height) => {
    const code: Screen = { name: "code", purpose: "login", channel: "email", sentTo: "mira@example.com", resendIn: 0 };
    const positions = new Set<string>();
    for (const screen of [
      { name: "identifier", kinds: ["email"] },
      password,
      newAccount({ passwordPolicy: "excellent" }),
      code,
    ] satisfies Screen[]) {
      await show(screen);
      await page.setViewportSize({ width, height });
      positions.add(
        await page.evaluate(() =>
          JSON.stringify([
            document.querySelector("main")?.getBoundingClientRect().top,
            document.querySelector("main")?.getBoundingClientRect().left,
          ]),
        ),
      );
    }
    expect([...positions]).toHaveLength(1);
  });
});

describe("the requirements for a new password", () => {
  const strictPolicy: PasswordPolicyOptions = {
    passwordPolicy: "excellent",
    password_options: {
      complexity: { character_types: ["lowercase", "uppercase", "number", "special"], sequential_characters: "block" },
    },
  };
  const lines = () => page.locator(".demands li").evaluateAll((items) => items.map((item) => item.className));
  /**
   * Returns the result of the server's check as one class per line. Rules about several character types have one line
   * per type.
   */
  const expectedClasses = (rules: readonly PasswordRule[]): readonly string[] =>
    rules.flatMap((rule) => (rule.code === "shouldContain" ? expectedClasses(rule.items ?? []) : [rule.verified ? "kept" : ""]));

  test("are marked as the server checks them while the user types", async () => {
    await show(newAccount(strictPolicy));
    expect(new Set(await lines())).toEqual(new Set([""]));
    const typed = [
      "a",
      "A1",
      "aB3!",
      "aaa",
      "aabbcc",
      "xabdx",
      "xabax",
      "xaBcx",
      "x321x",
      "x789x",
      "x9090x",
      "90",
      "Abcdefgh1!",
      "Abdcefgg1!",
      "\u00c4\u00f6\u00df\u0661",
    ];
    const scripts = [
      "\u{1f600}".repeat(9),
      "\u{1f600}".repeat(10),
      "e\u0301".repeat(10),
      "\uff21\uff42\uff11",
      "\u0410\u0431\u0432\u0433",
      "line\u2028end",
      "tab\t 9Ab",
    ];
    for (const text of [...typed, ...scripts]) {
      await page.fill("#password", text);
      expect([text, await lines()]).toEqual([text, expectedClasses(passwordRules(text.normalize("NFKC"), strictPolicy))]);
    }
    await page.fill("#password", "");
    expect(new Set(await lines())).toEqual(new Set([""]));
  });

  test("are announced to screen readers, with the progress after a pause", async () => {
    await show(newAccount({ passwordPolicy: "fair" }), { locale: "de" });
    const status = page.locator("#demands-status");
    expect(await status.getAttribute("role")).toBe("status");
    await page.fill("#password", "abcdefgh");
    expect(await page.locator(".demands li").allTextContents()).toEqual([
      "Mindestens 8 Zeichen Erf\u00fcllt.",
      "Kleinbuchstaben Erf\u00fcllt.",
      "Gro\u00dfbuchstaben Noch nicht erfüllt.",
      "Ziffern Noch nicht erfüllt.",
    ]);
    await expect.poll(() => status.textContent()).toBe("2 von 4 erf\u00fcllt.");
    await page.fill("#password", "Abcdefg1");
    await expect.poll(() => status.textContent()).toBe("Das Passwort erf\u00fcllt alle Anforderungen.");
    await page.fill("#password", "");
    await expect.poll(() => status.textContent()).toBe("");
  });

  test("are on the page without JavaScript, with the ones that a rejected password failed", async () => {
    await usePage({ javaScriptEnabled: false });
    const screen = newAccount(strictPolicy);
    await show(screen);
    expect(await lines()).toEqual(Array.from({ length: 8 }, () => ""));
    await show({ ...screen, rules: passwordRules("fffjord1", strictPolicy), problem: "password-too-weak" });
    expect(await lines()).toEqual(["lacking", "lacking", "lacking", "kept", "lacking", "kept", "lacking", "kept"]);
    expect(await page.locator(".lacking").first().textContent()).toBe("At least 10 characters Not met yet.");
    expect(await attribute("#password", "value")).toBeNull();
  });
});

describe("a long list of organizations", () => {
  const names = ["Ålesund Fisk", "Harbour", ...Array.from({ length: 58 }, (_, at) => `Company ${at}`)];
  const organizationList = (all: readonly string[]): Screen => ({
    name: "select-organization",
    account: "mira@example.com",
    organizations: all.map((name, at) => ({ id: `org_${at}`, name })),
  });
  const rows = () => page.locator(".row:visible .row-name").allTextContents();

  test("can be searched by part of a name, and shows the number of matches", async () => {
    await show(organizationList(names));
    expect(await rows()).toHaveLength(60);
    await page.getByLabel("Search organizations").fill("alesund");
    expect(await rows()).toEqual(["Ålesund Fisk"]);
    expect(await page.locator("[role=status]").textContent()).toBe("1 of 60 organizations");
    await page.press("#search", "Enter");
    await page.getByLabel("Search organizations").fill("nowhere");
    expect(await rows()).toEqual([]);
    expect(await page.locator("[role=status]").textContent()).toContain("No organization has that name.");
    await page.getByLabel("Search organizations").fill("");
    expect(await rows()).toHaveLength(60);
    expect(posted).toEqual([]);
  });

  test("has no search for up to eight organizations, and is complete without JavaScript", async () => {
    await show(organizationList(names.slice(0, 8)));
    expect(await page.locator("#search").count()).toBe(0);
    await usePage({ javaScriptEnabled: false });
    await show(organizationList(names));
    expect(await page.locator("#search").isVisible()).toBe(false);
    expect(await rows()).toHaveLength(60);
  });
});

describe("a logo", () => {
  const visibleBrand = () =>
    page.evaluate(() => {
      const { x, y, height } = document.querySelector(".brand")?.getBoundingClientRect() ?? new DOMRect();
      const top = document.elementFromPoint(x + 20, y + height / 2);
      return top?.closest(".mark,img")?.className ?? "";
    });

  test.each([true, false])("is replaced by letter and name if it fails to load, with JavaScript: %s", async (javaScriptEnabled) => {
    await usePage({ javaScriptEnabled });
    await show(password, { branding: { logoUrl: `${pictures}/gone.svg`, darkLogoUrl: `${pictures}/gone-dark.svg` } });
    await expect.poll(visibleBrand).toBe("mark tile");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(visibleBrand).toBe("mark tile");
  });

  test.each([true, false])("is replaced by a letter in a list if it fails to load, with JavaScript: %s", async (javaScriptEnabled) => {
    await usePage({ javaScriptEnabled });
    const organizations = [{ id: "org_1", name: "Fieldnotes", logoUrl: `${pictures}/gone.svg` }];
    await show({ name: "select-organization", account: "mira@example.com", organizations });
    const visibleText = () =>
      page.evaluate(() => {
        const letter = document.querySelector(".row .mark span")?.getBoundingClientRect() ?? new DOMRect();
        return document.elementFromPoint(letter.x + letter.width / 2, letter.y + letter.height / 2)?.textContent;
      });
    await expect.poll(visibleText).toBe("F");
  });

  test("is shown in its full size if it loads", async () => {
    await show(password, { branding: { logoUrl: `${pictures}/good.svg` } });
    await expect.poll(visibleBrand).toBe("logo");
    const { width, height } = (await page.locator(".logo").boundingBox()) ?? { width: 0, height: 0 };
    expect([width, height]).toEqual([160, 20]);
  });

  test("of a single pixel is replaced by letter and name", async () => {
    await show(password, { branding: { logoUrl: `${pictures}/pixel.svg` } });
    await expect.poll(visibleBrand).toBe("mark tile");
  });

  test("that is missing for dark pages is replaced by the light one", async () => {
    await usePage({ colorScheme: "dark" });
    await show(password, { branding: { logoUrl: `${pictures}/good.svg`, darkLogoUrl: `${pictures}/gone.svg` } });
    await expect.poll(visibleBrand).toMatch(/^logo/);
  });
});
