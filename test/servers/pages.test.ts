import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlResponse } from "../../packages/core/src/http/html.ts";
import { launchBrowser } from "../pages/browser.ts";
import { exhibitNamed, formPosts, gallery, nonce } from "../pages/gallery.ts";
import { pictures } from "../pages/pictures.ts";
import { sent, show, windows } from "../pages/show.ts";

/** The pages as a browser shows them, under the policy that they are sent with. `pnpm contact-sheet` draws them to look at. */
const standards: axe.RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
/** All that differs between color schemes. */
const colors: axe.RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Where German takes the most room. */
const longest = [
  "identifier-invitation-long",
  "password-blocked",
  "create-account-problem",
  "select-organization-endless",
  "invitation-long",
  "consent-api",
  "confirm-logout-endless",
  "error-cookies-blocked-return-link",
];

/** Where the other languages with long texts, and those that are written from right to left, have the least room. */
const elsewhere = ["identifier-invitation-long", "create-account-problem", "select-organization-endless", "consent-api"];

/** Without motion, so that nothing is looked at on its way from one color to another. */
const narrow = { reducedMotion: "reduce", viewport: { width: 320, height: 640 } } as const;

let browser: Browser;
/** Has axe in each of its pages from the start. */
let context: BrowserContext;
beforeAll(async () => {
  browser = await launchBrowser();
  context = await browser.newContext(narrow);
  await context.addInitScript({ content: axe.source });
});
afterAll(() => browser.close());

/** What axe finds, as lines to read. */
async function findings(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  const { violations } = await page.evaluate((only) => window.axe.run({ runOnly: only, resultTypes: ["violations"] }), runOnly);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
}

/** How far the page is wider than its window. */
function overhang(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** What sticks out of the card at a side. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const card = document.querySelector("main")?.getBoundingClientRect();
    return [...document.querySelectorAll("main *:not(.unseen,.unseen *,input[type=hidden],wbr)")]
      .filter((element) => element.checkVisibility())
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => card === undefined || box.right > card.right + 1 || box.left < card.left - 1)
      .map(({ element }) => element.outerHTML.slice(0, 80));
  });
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** What a finger would miss: buttons, links and fields that are less than 44 pixels high or wide (WCAG 2.2, Target Size, at its enhanced level). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("button,a,input:not([type=hidden],[readonly])")]
      .filter((target) => target.checkVisibility())
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 44 || box.width < 44)
      .map(({ target, box }) => `${target.outerHTML.slice(0, 80)} ${box.width}x${box.height}`),
  );
}

/** What has the focus and does not show it, while a person walks through the page by keyboard. */
async function unseenFocus(page: Page): Promise<string[]> {
  const unseen: string[] = [];
  const stops = await page.evaluate(() => document.querySelectorAll("button:not([hidden]),a,input:not([type=hidden],[tabindex])").length);
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press("Tab");
    const missed = await page.evaluate(() => {
      const { activeElement: element } = document;
      if (element === null || element === document.body) return undefined;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 2 ? undefined : element.outerHTML.slice(0, 80);
    });
    if (missed !== undefined) unseen.push(missed);
  }
  return unseen;
}

/**
 * Inspects a page's layout in each window, from wide to narrow, and then its accessibility in the narrow one: all rules in light colors, and the rules on color
 * in dark ones. The rules depend on markup and colors, which are the same in each window.
 */
async function inspect(page: Page): Promise<void> {
  for (const [width, height] of windows.toReversed()) {
    await page.setViewportSize({ width, height });
    expect(await overhang(page), `overhang at ${width}`).toBe(0);
    expect(await outside(page), `at ${width}`).toEqual([]);
    expect(await smallTargets(page), `at ${width}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
  expect(await findings(page, standards), "light").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findings(page, colors), "dark").toEqual([]);
}

describe.concurrent("a page, light and dark, narrow and wide, from right to left, in forced colors", () => {
  test.each([
    ...gallery.map(({ name }) => [name, "en"] as const),
    ...longest.map((name) => [name, "de"] as const),
    ...["fr", "ar", "he"].flatMap((locale) => elsewhere.map((name) => [name, locale] as const)),
  ])("%s in %s", async (name, locale) => {
    const { page, refused, asked } = await show(context, sent(exhibitNamed(name), locale));
    expect(await page.getAttribute("html", "lang")).toBe(locale);
    await inspect(page);
    expect(await unseenFocus(page)).toEqual([]);
    expect(refused).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
    await page.evaluate(() => document.documentElement.setAttribute("dir", document.dir === "rtl" ? "ltr" : "rtl"));
    expect(await overhang(page), "in the other direction").toBe(0);
    expect(await outside(page), "in the other direction").toEqual([]);
    await page.emulateMedia({ forcedColors: "active" });
    expect(await overhang(page), "forced colors").toBe(0);
    expect(await borderless(page)).toEqual([]);
    await page.close();
  });
});

/** Buttons that forced colors leave without an edge. */
function borderless(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("button.button,a.button")]
      .filter((button) => getComputedStyle(button).borderTopColor === getComputedStyle(document.body).backgroundColor)
      .map((button) => button.outerHTML.slice(0, 80)),
  );
}

test.concurrent.each(["identifier", "password", "create-account", "invitation", "consent", "answered", "error-return-link"])(
  "%s shows what to press on a small screen without a scroll",
  async (name) => {
    const { page } = await show(context, sent(exhibitNamed(name), "en"));
    const bottom = await page.evaluate(() => document.querySelector(".button.main")?.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(640);
    await page.close();
  },
);

test("the pages hold when a person's browser shows all text at twice the size", async () => {
  const large = await launchBrowser(["--blink-settings=defaultFontSize=32"]);
  const enlarged = await large.newContext(narrow);
  for (const name of ["identifier", "password-organization", "select-account-many", "select-organization-logos", ...longest]) {
    const { page } = await show(enlarged, sent(exhibitNamed(name), "de"));
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe("32px");
    expect(await overhang(page), name).toBe(0);
    expect(await outside(page), name).toEqual([]);
    await page.close();
  }
  await large.close();
});

describe("from right to left", () => {
  /** Where the first of such elements is, from the left edge of its card. */
  const placeOf = (page: Page, selector: string): Promise<readonly [left: number, right: number]> =>
    page.evaluate((wanted) => {
      const [card, element] = ["main", wanted].map((each) => document.querySelector(each)?.getBoundingClientRect());
      if (card === undefined || element === undefined) throw new Error(`there is no ${wanted}`);
      return [element.left - card.left, card.right - element.right] as const;
    }, selector);

  test.each(["ar", "he"])("a page is a mirror of itself: marks, buttons and arrows change sides (%s)", async (locale) => {
    const { page } = await show(context, sent(exhibitNamed("select-organization"), locale));
    expect(await page.evaluate(() => [document.documentElement.lang, document.dir])).toEqual([locale, "rtl"]);
    for (const start of [".brand .mark", ".row .mark", "#account"]) {
      const [left, right] = await placeOf(page, start);
      expect(right, start).toBeLessThan(left);
    }
    for (const end of [".row .icon-chevron", ".account .button"]) {
      const [left, right] = await placeOf(page, end);
      expect(left, end).toBeLessThan(right);
    }
    expect(await page.evaluate(() => getComputedStyle(document.querySelector(".icon-chevron") ?? document.body).transform)).toBe(
      "matrix(-1, 0, 0, 1, 0, 0)",
    );
    await page.close();
  });

  test("what is not in the page's script keeps its own order, at the side where the page begins", async () => {
    const { page } = await show(context, sent(exhibitNamed("error"), "ar"));
    const shown = await page.evaluate(() =>
      ["#error-description", "#error-code", "#request-id"].map(
        (id) => getComputedStyle(document.querySelector(id) ?? document.body).direction,
      ),
    );
    expect(shown).toEqual(["ltr", "ltr", "ltr"]);
    const [left, right] = await placeOf(page, "#request-id");
    expect(right).toBeLessThan(left);
    await page.close();

    const password = await show(context, sent(exhibitNamed("password"), "ar"));
    await password.page.fill("#password", "1-b!");
    await password.page.getByRole("button", { name: "إظهار كلمة المرور" }).click();
    const field = await password.page.evaluate(() => {
      const { unicodeBidi, textAlign } = getComputedStyle(document.querySelector("#password") ?? document.body);
      return [unicodeBidi, textAlign];
    });
    expect(field).toEqual(["plaintext", "right"]);
    const [eye, beyond] = await placeOf(password.page, ".reveal");
    expect(eye).toBeLessThan(beyond);
    await password.page.close();
  });
});

describe("a password", () => {
  const exhibit = exhibitNamed("password");

  test("can be looked at while it is typed, and is hidden again before it is sent", async () => {
    const { page, refused } = await show(context, sent(exhibit, "en"));
    const reveal = page.getByRole("button", { name: "Show password" });
    await page.fill("#password", "correct-horse-battery-staple-and-a-long-tail");
    await reveal.click();
    expect(await page.getAttribute("#password", "type")).toBe("text");
    expect(await reveal.getAttribute("aria-pressed")).toBe("true");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("password");
    expect(await findings(page, standards)).toEqual([]);
    await reveal.click();
    expect(await page.getAttribute("#password", "type")).toBe("password");

    await reveal.click();
    await page.evaluate(() => document.addEventListener("submit", (event) => event.preventDefault()));
    await page.press("#password", "Enter");
    expect(await page.getAttribute("#password", "type")).toBe("password");
    expect(refused).toEqual([]);
    await page.close();
  });

  test("has no button that does nothing where no script runs", async () => {
    const bare = await browser.newContext({ javaScriptEnabled: false });
    const { page } = await show(bare, sent(exhibit, "en"));
    expect(await page.isVisible(".reveal")).toBe(false);
    await bare.close();
  });
});

test.each(formPosts)("the page that posts an answer says what to do where no script runs: $name", async (exhibit) => {
  const { html, images } = exhibit.draw("en");
  const policy = { nonce, leadsAway: true, images };
  // The inspection is a script too: here the policy alone keeps the page's own from running.
  const { page, asked } = await show(context, htmlResponse(html, policy));
  await inspect(page);
  expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
  await page.close();

  const bare = await browser.newContext({ javaScriptEnabled: false });
  const shown = await show(bare, htmlResponse(html, { ...policy, script: true }));
  const posted = shown.page.waitForRequest("https://app.example.test/callback");
  await shown.page.click("#form-post-submit");
  expect((await posted).postData()).toBe("code=c");
  await bare.close();
});
