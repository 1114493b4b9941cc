import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { pictureAt, pictures } from "./pictures.ts";

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** The rules of WCAG 2.2 at level AA. */
const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Rules for a document that another page shows inside itself, such as a mail. It needs no landmarks. */
export const rulesOfDocuments: axe.RunOnly = { type: "tag", values: wcag };
/** Rules for a page. */
export const rulesOfPages: axe.RunOnly = { type: "tag", values: [...wcag, "best-practice"] };
/** The rules whose result depends on the color scheme. */
export const rulesOfColors: axe.RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** The pages that contain axe, by their browser. */
const checkers = new WeakMap<Browser, Promise<Page>>();

/**
 * Loads axe into a page. Loading it takes longer than checking several pages, so the page checks copies of all others.
 */
async function openChecker(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: "reduce", ignoreHTTPSErrors: true });
  const checker = await context.newPage();
  await checker.route(`${pictures}/**`, (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: pictureAt(new URL(route.request().url()).pathname) }),
  );
  await checker.evaluate(axe.source);
  return checker;
}

/**
 * Returns the accessibility violations of a page as readable lines. The page can be without JavaScript: axe checks a copy
 * of its current content, in the same window size and color scheme, and without the page's scripts. Tests of one browser
 * call this function one after the other.
 */
export async function accessibilityFaults(page: Page, runOnly: axe.RunOnly = rulesOfPages): Promise<string[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page belongs to no browser");
  let opened = checkers.get(browser);
  if (opened === undefined) checkers.set(browser, (opened = openChecker(browser)));
  const checker = await opened;
  const viewport = page.viewportSize();
  if (viewport !== null) await checker.setViewportSize(viewport);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await checker.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
  const copy = await withStyleSheets(page, (await page.content()).replaceAll(/<script\b.*?<\/script>/gs, ""));
  const { violations } = await checker.evaluate(
    ([html, only]) => {
      document.open();
      document.write(html);
      document.close();
      return window.axe.run({ runOnly: only, resultTypes: ["violations"] });
    },
    [copy, runOnly] as const,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
}

/** Replaces the links to style sheets by their content, because the copy of a page has another URL. */
async function withStyleSheets(page: Page, html: string): Promise<string> {
  const links = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)];
  const contents = await Promise.all(
    links.map(async ([, href = ""]) => (await page.context().request.get(new URL(href, page.url()).href)).text()),
  );
  return links.reduce((text, [link], index) => text.replace(link, () => `<style>${contents[index] ?? ""}</style>`), html);
}

/** Returns the pixels by which a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
