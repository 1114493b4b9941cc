import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { mails, mailWindows } from "../pages/mails.ts";
import { pictures } from "../pages/pictures.ts";
import { colorSchemes, show } from "../pages/show.ts";

/** Mails in a browser without scripts. `pnpm contact-sheet` saves pictures of them. */
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  browser = await launchBrowser();
  context = await browser.newContext({ reducedMotion: "reduce" });
  await context.addInitScript({ content: axe.source });
});
afterAll(() => browser.close());

// Landmarks are not checked: a mail client shows the mail inside its own page.
const standards: axe.RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };

async function findings(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate((runOnly) => window.axe.run({ runOnly, resultTypes: ["violations"] }), standards);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
}

describe.concurrent("mails in light and dark, narrow and wide windows", () => {
  test.each(mails.flatMap((mail) => ["en", "de"].map((locale) => [mail.name, locale, mail] as const)))(
    "the mail %s in %s is accessible and fits its window",
    async (_, locale, mail) => {
      const { page, refused, asked } = await show(context, await mail.response(locale));
      for (const [width, height] of mailWindows) {
        await page.setViewportSize({ width, height });
        for (const colorScheme of colorSchemes) {
          await page.emulateMedia({ colorScheme });
          expect(await findings(page), `${colorScheme}, ${width}`).toEqual([]);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          expect(overflow, `${colorScheme}, ${width}`).toBe(0);
        }
      }
      expect(refused.filter((line) => !line.includes("ERR_FAILED"))).toEqual([]);
      expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
      await page.close();
    },
  );
});
