import { mkdir } from "node:fs/promises";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlResponse } from "../../packages/core/src/http/html.ts";
import { launchBrowser } from "../pages/browser.ts";
import { exhibitNamed, formPosts, gallery, nonce } from "../pages/gallery.ts";
import { pictures } from "../pages/pictures.ts";
import { colorSchemes, keepPicture, screenshots, sent, show, windows } from "../pages/show.ts";

/** The pages as a browser shows them, under the policy that they are sent with. The pictures in test/pages/screenshots are for looking at. */
const locales = ["en", "de"];
const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let browser: Browser;
beforeAll(async () => {
  await mkdir(screenshots, { recursive: true });
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** What axe finds, as lines to read. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate((values) => window.axe.run({ runOnly: { type: "tag", values } }), standards);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
}

/** How far the page is wider than its window. */
function overhang(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** What a finger would miss: buttons and fields that are less than 44 pixels high or wide (WCAG 2.2, Target Size, at its enhanced level). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("button,input:not([type=hidden],[readonly])")]
      .filter((target) => target.checkVisibility())
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 44 || box.width < 44)
      .map(({ target, box }) => `${target.outerHTML.slice(0, 80)} ${box.width}x${box.height}`),
  );
}

/** What has the focus and does not show it, while a person walks through the page by keyboard. */
async function unseenFocus(page: Page): Promise<string[]> {
  const unseen: string[] = [];
  const stops = await page.evaluate(() => document.querySelectorAll("button:not([hidden]),input:not([type=hidden],[tabindex])").length);
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

/** Looks at a page in each window and color scheme. */
async function inspect(page: Page, exhibit: string, locale: string): Promise<void> {
  await page.evaluate(axe.source);
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      const name = `${exhibit}-${colorScheme}-${width}-${locale}`;
      await keepPicture(page, name);
      expect(await findings(page), name).toEqual([]);
      expect(await overhang(page), name).toBe(0);
    }
    expect(await smallTargets(page), exhibit).toEqual([]);
  }
}

describe.each(gallery)("$name", (exhibit) => {
  test.each(locales)("in %s, light and dark, narrow and wide", async (locale) => {
    // Without motion, so that nothing is looked at on its way from one color to another.
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const { page, refused, asked } = await show(context, sent(exhibit, locale));
    expect(await page.getAttribute("html", "lang")).toBe(locale);
    await inspect(page, exhibit.name, locale);
    expect(await unseenFocus(page)).toEqual([]);
    expect(refused).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
    await context.close();
  });

  test("from right to left, and in forced colors", async () => {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
    const { page } = await show(
      context,
      sent(exhibit, "de", (html) => html.replace('dir="ltr"', 'dir="rtl"')),
    );
    await keepPicture(page, `${exhibit.name}-rtl`);
    expect(await overhang(page)).toBe(0);
    await page.emulateMedia({ forcedColors: "active" });
    await keepPicture(page, `${exhibit.name}-forced`);
    await context.close();
  });
});

test("the pages hold when a person's browser shows all text at twice the size", async () => {
  const large = await launchBrowser(["--blink-settings=defaultFontSize=32"]);
  const context = await large.newContext({ viewport: { width: 320, height: 640 } });
  for (const exhibit of gallery) {
    const { page } = await show(context, sent(exhibit, "de"));
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe("32px");
    await keepPicture(page, `${exhibit.name}-large`);
    expect(await overhang(page), exhibit.name).toBe(0);
    await page.close();
  }
  await large.close();
});

describe("a password", () => {
  const exhibit = exhibitNamed("password");

  test("can be looked at while it is typed, and is hidden again before it is sent", async () => {
    const context = await browser.newContext({ reducedMotion: "reduce", viewport: { width: 320, height: 640 } });
    const { page, refused } = await show(context, sent(exhibit, "en"));
    await page.evaluate(axe.source);
    const reveal = page.getByRole("button", { name: "Show password" });
    await page.fill("#password", "correct-horse-battery-staple-and-a-long-tail");
    await keepPicture(page, "password-typed");
    await reveal.click();
    expect(await page.getAttribute("#password", "type")).toBe("text");
    expect(await reveal.getAttribute("aria-pressed")).toBe("true");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("password");
    await keepPicture(page, "password-shown");
    expect(await findings(page)).toEqual([]);
    await reveal.click();
    expect(await page.getAttribute("#password", "type")).toBe("password");

    await reveal.click();
    await page.evaluate(() => document.addEventListener("submit", (event) => event.preventDefault()));
    await page.press("#password", "Enter");
    expect(await page.getAttribute("#password", "type")).toBe("password");
    expect(refused).toEqual([]);
    await context.close();
  });

  test("has no button that does nothing where no script runs", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const { page } = await show(context, sent(exhibit, "en"));
    expect(await page.isVisible(".reveal")).toBe(false);
    await context.close();
  });
});

describe.each(formPosts)("the page that posts an answer: $name", (exhibit) => {
  test.each(locales)("says in %s what to do where no script runs", async (locale) => {
    const { html, images } = exhibit.draw(locale);
    const policy = { nonce, leadsAway: true, images };
    // The inspection is a script too: here the policy alone keeps the page's own from running.
    const inspected = await browser.newContext({ reducedMotion: "reduce" });
    const { page, asked } = await show(inspected, htmlResponse(html, policy));
    await inspect(page, exhibit.name, locale);
    expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
    await inspected.close();

    const bare = await browser.newContext({ javaScriptEnabled: false });
    const shown = await show(bare, htmlResponse(html, { ...policy, script: true }));
    const posted = shown.page.waitForRequest("https://app.example.test/callback");
    await shown.page.click("#form-post-submit");
    expect((await posted).postData()).toBe("code=c");
    await bare.close();
  });
});
