import { mkdir } from "node:fs/promises";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlResponse } from "../../packages/core/src/http/html.ts";
import { renderFormPost } from "../../packages/core/src/login/screens/form-post.tsx";
import { imageSources, renderPage } from "../../packages/core/src/login/screens/page.tsx";
import { launchBrowser } from "../pages/browser.ts";
import { frameOf, gallery, lookOf, pictureAt, pictures } from "../pages/gallery.ts";

/** The pages as a browser shows them, under the policy that they are sent with. The pictures in test/pages/screenshots are for looking at. */
const screenshots = new URL("../pages/screenshots/", import.meta.url).pathname;
const host = "https://login.example.test";
const windows = [
  [320, 640],
  [1280, 800],
] as const;
const locales = ["en", "de"];
const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let browser: Browser;
beforeAll(async () => {
  await mkdir(screenshots, { recursive: true });
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Opens a page that shows a response as if our host had sent it, and hears what its policy refused and what it asked of others. */
async function show(context: BrowserContext, response: Response): Promise<Shown> {
  const page = await context.newPage();
  const refused: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && refused.push(message.text())));
  page.on("request", (request) => void (request.url().startsWith(host) || asked.push(request.url())));
  const body = await response.text();
  await page.route(/.*/, async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    if (origin === pictures) await route.fulfill({ contentType: "image/svg+xml", body: pictureAt(pathname) });
    else if (origin === host && pathname === "/u/login") {
      await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
    } else await route.abort();
  });
  await page.goto(`${host}/u/login`);
  return { page, refused, asked };
}

interface Shown {
  readonly page: Page;
  readonly refused: readonly string[];
  readonly asked: readonly string[];
}

function picture(page: Page, name: string): Promise<unknown> {
  return page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true, animations: "disabled" });
}

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

describe.each(gallery)("$name", (exhibit) => {
  test.each(locales)("in %s, light and dark, narrow and wide", async (locale) => {
    // Without motion, so that nothing is looked at on its way from one color to another.
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const frame = frameOf(exhibit, locale);
    const policy = { nonce: frame.nonce, images: imageSources(frame) };
    const { page, refused, asked } = await show(context, htmlResponse(renderPage(frame), policy));
    await page.evaluate(axe.source);
    for (const [width, height] of windows) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const name = `${exhibit.name}-${colorScheme}-${width}-${locale}`;
        await picture(page, name);
        expect(await findings(page), name).toEqual([]);
        expect(await overhang(page), name).toBe(0);
      }
    }
    expect(refused).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
    await context.close();
  });

  test("from right to left, and in forced colors", async () => {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
    const frame = frameOf(exhibit, "de");
    const html = renderPage(frame).replace('dir="ltr"', 'dir="rtl"');
    const { page } = await show(context, htmlResponse(html, { nonce: frame.nonce, images: imageSources(frame) }));
    await picture(page, `${exhibit.name}-rtl`);
    expect(await overhang(page)).toBe(0);
    await page.emulateMedia({ forcedColors: "active" });
    await picture(page, `${exhibit.name}-forced`);
    await context.close();
  });
});

test("the pages hold when a person's browser shows all text at twice the size", async () => {
  const large = await launchBrowser(["--blink-settings=defaultFontSize=32"]);
  const context = await large.newContext({ viewport: { width: 320, height: 640 } });
  for (const exhibit of gallery) {
    const frame = frameOf(exhibit, "de");
    const { page } = await show(context, htmlResponse(renderPage(frame), { nonce: frame.nonce, images: imageSources(frame) }));
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe("32px");
    await picture(page, `${exhibit.name}-large`);
    expect(await overhang(page), exhibit.name).toBe(0);
    await page.close();
  }
  await large.close();
});

test("the page that posts an answer says so where no script runs", async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, javaScriptEnabled: false });
  const html = renderFormPost({
    ...lookOf({}, "en"),
    action: "https://app.example.test/callback",
    fields: { code: "c" },
    nonce: "bm9uY2U",
  });
  const { page } = await show(context, htmlResponse(html, { nonce: "bm9uY2U", script: true, formAction: ["https://app.example.test"] }));
  await picture(page, "form-post");
  expect(await overhang(page)).toBe(0);
  const posted = page.waitForRequest("https://app.example.test/callback");
  await page.getByRole("button", { name: "Continue" }).click();
  expect((await posted).postData()).toBe("code=c");
  await context.close();
});
