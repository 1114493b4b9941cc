import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlResponse } from "../../packages/core/src/http/html.ts";
import { launchBrowser } from "../pages/browser.ts";
import { exhibitNamed, formPosts, gallery, nonce } from "../pages/gallery.ts";
import { pictures } from "../pages/pictures.ts";
import { exhibitResponse, show, windows } from "../pages/show.ts";

/** The hosted pages in a browser, under their content security policy. `pnpm contact-sheet` saves pictures of them. */
const standards: axe.RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
/** The rules whose result depends on the color scheme. */
const colors: axe.RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** The pages on which German texts need the most space. */
const longestInGerman = [
  "identifier-invitation-long",
  "password-blocked",
  "create-account-problem",
  "select-organization-endless",
  "invitation-long",
  "consent-api",
  "confirm-logout-endless",
  "error-cookies-blocked-return-link",
];

/** The pages with the least space for other long languages and for right-to-left scripts. */
const tightPages = ["identifier-invitation-long", "create-account-problem", "select-organization-endless", "consent-api"];

/** Without motion, so that no check runs during a color transition. */
const narrow = { reducedMotion: "reduce", viewport: { width: 320, height: 640 } } as const;

let browser: Browser;
/** Loads axe into each of its pages. */
let context: BrowserContext;
beforeAll(async () => {
  browser = await launchBrowser();
  context = await browser.newContext(narrow);
  await context.addInitScript({ content: axe.source });
});
afterAll(() => browser.close());

/** Returns axe's violations as readable lines. */
async function findings(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  const { violations } = await page.evaluate((only) => window.axe.run({ runOnly: only, resultTypes: ["violations"] }), runOnly);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
}

/** Returns the pixels by which the page is wider than its window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Returns the elements that extend beyond the sides of the card. */
function outsideCard(page: Page): Promise<string[]> {
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

/**
 * Returns the buttons, links and fields that are less than 44 pixels high or wide (WCAG 2.2, Target Size (Enhanced)).
 */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("button,a,input:not([type=hidden],[readonly])")]
      .filter((target) => target.checkVisibility())
      // The label of a checkbox belongs to its target.
      .map((target) => ({ target, box: (target.closest("label") ?? target).getBoundingClientRect() }))
      .filter(({ box }) => box.height < 44 || box.width < 44)
      .map(({ target, box }) => `${target.outerHTML.slice(0, 80)} ${box.width}x${box.height}`),
  );
}

/**
 * Focuses each element of the page. @returns those without a visible outline. The first focus comes from the keyboard, so
 * the browser shows the focus of the others as well (`:focus-visible`).
 */
async function invisibleFocus(page: Page): Promise<string[]> {
  await page.keyboard.press("Tab");
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button:not(:disabled),a,input:not([type=hidden],[tabindex])")]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        element.focus();
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return outlineStyle !== "solid" || Number.parseFloat(outlineWidth) < 2;
      })
      .map((element) => element.outerHTML.slice(0, 80)),
  );
}

/**
 * The exhibits that have the markup of another exhibit, with longer texts, another logo or other colors. Only the color
 * rules can find something new on them.
 */
const repeatsMarkup = /-(?:long|endless|themed|themed-dark|pale|black|branded|logo-\w+)$/;

/**
 * Checks a page's layout in each window, from wide to narrow, and then its accessibility in the narrow one. All rules
 * run in light colors, and the color rules also run in dark ones.
 * The results depend on markup and colors, which are the same in each window.
 */
async function inspect(page: Page, name: string): Promise<void> {
  for (const [width, height] of windows.toReversed()) {
    await page.setViewportSize({ width, height });
    expect(await overflow(page), `overflow at ${width}`).toBe(0);
    expect(await outsideCard(page), `at ${width}`).toEqual([]);
    expect(await smallTargets(page), `at ${width}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
  expect(await findings(page, repeatsMarkup.test(name) ? colors : standards), "light").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findings(page, colors), "dark").toEqual([]);
}

describe.concurrent("hosted pages in light and dark, narrow and wide, right to left and in forced colors", () => {
  test.each([
    ...gallery.map(({ name }) => [name, "en"] as const),
    ...longestInGerman.map((name) => [name, "de"] as const),
    ...["fr", "ar", "he"].flatMap((locale) => tightPages.map((name) => [name, locale] as const)),
  ])("the page %s in %s is accessible and fits its window", async (name, locale) => {
    const { page, refused, asked } = await show(context, exhibitResponse(exhibitNamed(name), locale));
    expect(await page.getAttribute("html", "lang")).toBe(locale);
    await inspect(page, name);
    expect(await invisibleFocus(page)).toEqual([]);
    expect(refused).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
    await page.evaluate(() => document.documentElement.setAttribute("dir", document.dir === "rtl" ? "ltr" : "rtl"));
    expect(await overflow(page), "in the other direction").toBe(0);
    expect(await outsideCard(page), "in the other direction").toEqual([]);
    await page.emulateMedia({ forcedColors: "active" });
    expect(await overflow(page), "forced colors").toBe(0);
    expect(await borderless(page)).toEqual([]);
    await page.close();
  });
});

/** Returns the buttons that have no visible border in forced colors. */
function borderless(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("button.button,a.button")]
      .filter((button) => getComputedStyle(button).borderTopColor === getComputedStyle(document.body).backgroundColor)
      .map((button) => button.outerHTML.slice(0, 80)),
  );
}

test.concurrent.each(["identifier", "password", "create-account", "invitation", "consent", "answered", "error-return-link"])(
  "the page %s shows its main button on a small screen without scrolling",
  async (name) => {
    const { page } = await show(context, exhibitResponse(exhibitNamed(name), "en"));
    const bottom = await page.evaluate(() => document.querySelector(".button.main")?.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(640);
    await page.close();
  },
);

test("the pages fit their windows if the browser shows all text at twice the size", async () => {
  const large = await launchBrowser(["--blink-settings=defaultFontSize=32"]);
  const enlarged = await large.newContext(narrow);
  for (const name of ["identifier", "password-organization", "select-account-many", "select-organization-logos", ...longestInGerman]) {
    const { page } = await show(enlarged, exhibitResponse(exhibitNamed(name), "de"));
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe("32px");
    expect(await overflow(page), name).toBe(0);
    expect(await outsideCard(page), name).toEqual([]);
    await page.close();
  }
  await large.close();
});

describe("right-to-left languages", () => {
  /** Returns the distances of the first element that matches `selector` from the left and right edges of the card. */
  const distances = (page: Page, selector: string): Promise<readonly [left: number, right: number]> =>
    page.evaluate((target) => {
      const [card, element] = ["main", target].map((each) => document.querySelector(each)?.getBoundingClientRect());
      if (card === undefined || element === undefined) throw new Error(`there is no ${target}`);
      return [element.left - card.left, card.right - element.right] as const;
    }, selector);

  test.each(["ar", "he"])("mirror marks, buttons and arrows in %s", async (locale) => {
    const { page } = await show(context, exhibitResponse(exhibitNamed("select-organization"), locale));
    expect(await page.evaluate(() => [document.documentElement.lang, document.dir])).toEqual([locale, "rtl"]);
    for (const start of [".brand .mark", ".row .mark", "#account"]) {
      const [left, right] = await distances(page, start);
      expect(right, start).toBeLessThan(left);
    }
    for (const end of [".row .icon-chevron", ".account .button"]) {
      const [left, right] = await distances(page, end);
      expect(left, end).toBeLessThan(right);
    }
    expect(await page.evaluate(() => getComputedStyle(document.querySelector(".icon-chevron") ?? document.body).transform)).toBe(
      "matrix(-1, 0, 0, 1, 0, 0)",
    );
    await page.close();
  });

  test("keep left-to-right values in their direction, aligned to the start of the line", async () => {
    const { page } = await show(context, exhibitResponse(exhibitNamed("error"), "ar"));
    const shown = await page.evaluate(() =>
      ["#error-description", "#error-code", "#request-id"].map(
        (id) => getComputedStyle(document.querySelector(id) ?? document.body).direction,
      ),
    );
    expect(shown).toEqual(["ltr", "ltr", "ltr"]);
    const [left, right] = await distances(page, "#request-id");
    expect(right).toBeLessThan(left);
    await page.close();

    const password = await show(context, exhibitResponse(exhibitNamed("password"), "ar"));
    await password.page.fill("#password", "1-b!");
    await password.page.getByRole("button", { name: "إظهار كلمة المرور" }).click();
    const field = await password.page.evaluate(() => {
      const { unicodeBidi, textAlign } = getComputedStyle(document.querySelector("#password") ?? document.body);
      return [unicodeBidi, textAlign];
    });
    expect(field).toEqual(["plaintext", "right"]);
    const [toEnd, toStart] = await distances(password.page, ".reveal");
    expect(toEnd).toBeLessThan(toStart);
    await password.page.close();
  });
});

describe("the password field", () => {
  const exhibit = exhibitNamed("password");

  test("can show the password, and hides it again before the form is sent", async () => {
    const { page, refused } = await show(context, exhibitResponse(exhibit, "en"));
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

  test("has no show button without JavaScript", async () => {
    const bare = await browser.newContext({ javaScriptEnabled: false });
    const { page } = await show(bare, exhibitResponse(exhibit, "en"));
    expect(await page.isVisible(".reveal")).toBe(false);
    await bare.close();
  });
});

test.each(formPosts)("the form_post page explains the next step without JavaScript: $name", async (exhibit) => {
  const { html, images } = exhibit.draw("en");
  const policy = { nonce, redirectsAfterSubmit: true, images };
  // The checks run scripts, so JavaScript stays enabled. The policy alone blocks the page's own script.
  const { page, asked } = await show(context, htmlResponse(html, policy));
  await inspect(page, exhibit.name);
  expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
  await page.close();

  const bare = await browser.newContext({ javaScriptEnabled: false });
  const shown = await show(bare, htmlResponse(html, { ...policy, script: true }));
  const posted = shown.page.waitForRequest("https://app.example.test/callback");
  await shown.page.click("#form-post-submit");
  expect((await posted).postData()).toBe("code=c");
  await bare.close();
});
