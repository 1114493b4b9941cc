import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlResponse } from "../../packages/core/src/http/html.ts";
import { accessibilityFaults, overflow, rulesOfColors } from "../pages/axe.ts";
import { launchBrowser } from "../pages/browser.ts";
import { exhibitNamed, formPosts, gallery, nonce } from "../pages/gallery.ts";
import { pictures } from "../pages/pictures.ts";
import { exhibitResponse, openViewer, show, windows } from "../pages/show.ts";
import { isNightly } from "../support/nightly.ts";

/** The hosted pages in a browser, under their content security policy. `pnpm contact-sheet` saves pictures of them. */

/** The pages on which German texts need the most space. */
const longestInGerman = [
  "identifier-invitation-long",
  "password-blocked",
  "create-account-problem",
  "select-organization-endless",
  "invitation-long",
  "consent-api",
  "consent-document-endless",
  "confirm-logout-endless",
  "error-cookies-blocked-return-link",
];

/** The pages with the least space for other long languages and for right-to-left scripts. */
const tightPages = [
  "identifier-invitation-long",
  "create-account-problem",
  "select-organization-endless",
  "consent-api",
  "consent-document-endless",
];

/** Without motion, so that no check runs during a color transition. */
const narrow = { reducedMotion: "reduce", viewport: { width: 320, height: 640 } } as const;

let browser: Browser;
let context: BrowserContext;
let view: Awaited<ReturnType<typeof openViewer>>;
beforeAll(async () => {
  browser = await launchBrowser();
  context = await browser.newContext(narrow);
  view = await openViewer(context);
});
afterAll(() => browser.close());

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
    [...document.querySelectorAll<HTMLElement>("button:not(:disabled),a,input:not(:disabled,[type=hidden],[tabindex])")]
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
 * The markup and the styles that axe checked. Exhibits with the same markup differ in texts and images, in which axe finds
 * nothing new.
 */
const checked = new Set<string>();

/** Returns whether this is the first call with this HTML. `.ci/nightly` checks everything. */
function isNew(html: string): boolean {
  if (isNightly) return true;
  const known = checked.has(html);
  checked.add(html);
  return !known;
}

/** Returns the tags of a page's body, without texts, URLs and ids. */
function markupOf(html: string): string {
  const tags = html.slice(html.indexOf("<body")).match(/<[^>]*>/g) ?? [];
  return tags.map((tag) => tag.replaceAll(/ (?:value|href|src|srcset|alt|title|id|lang|data-[\w-]+)="[^"]*"/g, "")).join("");
}

/**
 * Checks a page's layout in each window, from wide to narrow, and then its accessibility in the narrow one. All rules
 * run in light colors, and the color rules also run in dark ones. The results depend on markup and colors, which are the
 * same in each window.
 */
async function inspect(page: Page, html: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  for (const [width, height] of windows.toReversed()) {
    await page.setViewportSize({ width, height });
    expect(await overflow(page), `overflow at ${width}`).toBe(0);
    expect(await outsideCard(page), `at ${width}`).toEqual([]);
    expect(await smallTargets(page), `at ${width}`).toEqual([]);
  }
  const markup = markupOf(html);
  const style = /<style.*?<\/style>/s.exec(html)?.[0] ?? "";
  const areColorsNew = isNew(style + markup);
  if (isNew(markup)) expect(await accessibilityFaults(page), "light").toEqual([]);
  else if (areColorsNew) expect(await accessibilityFaults(page, rulesOfColors), "light").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  if (areColorsNew) expect(await accessibilityFaults(page, rulesOfColors), "dark").toEqual([]);
}

/** The exhibits in further languages: German, which needs the most space, other long languages, and right-to-left scripts. */
const translated = [
  ...longestInGerman.map((name) => [name, "de"] as const),
  ...["fr", "ar", "he"].flatMap((locale) => tightPages.map((name) => [name, locale] as const)),
];

describe("hosted pages in light and dark, narrow and wide, right to left and in forced colors", () => {
  test.each([...gallery.map(({ name }) => [name, "en"] as const), ...translated])(
    "the page %s in %s is accessible and fits its window",
    async (name, locale) => {
      const response = exhibitResponse(exhibitNamed(name), locale);
      const { page, refused, asked } = await view(response.clone());
      expect(await page.getAttribute("html", "lang")).toBe(locale);
      await inspect(page, await response.text());
      expect(await invisibleFocus(page)).toEqual([]);
      expect(refused).toEqual([]);
      expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
      await page.evaluate(() => document.documentElement.setAttribute("dir", document.dir === "rtl" ? "ltr" : "rtl"));
      expect(await overflow(page), "in the other direction").toBe(0);
      expect(await outsideCard(page), "in the other direction").toEqual([]);
      await page.emulateMedia({ forcedColors: "active" });
      expect(await overflow(page), "forced colors").toBe(0);
      expect(await borderless(page)).toEqual([]);
    },
  );
});

/** Returns the buttons that have no visible border in forced colors. */
function borderless(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("button.button,a.button")]
      .filter((button) => getComputedStyle(button).borderTopColor === getComputedStyle(document.body).backgroundColor)
      .map((button) => button.outerHTML.slice(0, 80)),
  );
}

test.each(["identifier", "password", "create-account", "invitation", "consent", "answered", "error-return-link"])(
  "the page %s shows its main button on a small screen without scrolling",
  async (name) => {
    const { page } = await view(exhibitResponse(exhibitNamed(name), "en"));
    const bottom = await page.evaluate(() => document.querySelector(".button.main")?.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(640);
  },
);

test("the pages fit their windows if the browser shows all text at twice the size", async () => {
  const large = await launchBrowser(["--blink-settings=defaultFontSize=32"]);
  const viewEnlarged = await openViewer(await large.newContext(narrow));
  for (const name of ["identifier", "password-organization", "select-account-many", "select-organization-logos", ...longestInGerman]) {
    const { page } = await viewEnlarged(exhibitResponse(exhibitNamed(name), "de"));
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe("32px");
    expect(await overflow(page), name).toBe(0);
    expect(await outsideCard(page), name).toEqual([]);
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
    expect(await accessibilityFaults(page)).toEqual([]);
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
  await inspect(page, html);
  expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
  await page.close();

  const bare = await browser.newContext({ javaScriptEnabled: false });
  const shown = await show(bare, htmlResponse(html, { ...policy, script: true }));
  const posted = shown.page.waitForRequest("https://app.example.test/callback");
  await shown.page.click("#form-post-submit");
  expect((await posted).postData()).toBe("code=c");
  await bare.close();
});
