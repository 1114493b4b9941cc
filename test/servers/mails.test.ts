import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults, overflow, rulesOfColors, rulesOfDocuments } from "../pages/axe.ts";
import { launchBrowser } from "../pages/browser.ts";
import { mails, mailWindows } from "../pages/mails.ts";
import { pictures } from "../pages/pictures.ts";
import { colorSchemes, openViewer } from "../pages/show.ts";
import { isNightly } from "../support/nightly.ts";

/** Mails in a browser without scripts. `pnpm contact-sheet` saves pictures of them. */
let browser: Browser;
let view: Awaited<ReturnType<typeof openViewer>>;
beforeAll(async () => {
  browser = await launchBrowser();
  view = await openViewer(await browser.newContext({ reducedMotion: "reduce" }));
});
afterAll(() => browser.close());

describe("mails in light and dark, narrow and wide windows", () => {
  test.each(mails.flatMap((mail) => ["en", "de"].map((locale) => [mail.name, locale, mail] as const)))(
    "the mail %s in %s is accessible and fits its window",
    async (_, locale, mail) => {
      const { page, refused, asked } = await view(await mail.response(locale));
      for (const [width, height] of mailWindows) {
        await page.setViewportSize({ width, height });
        expect(await overflow(page), String(width)).toBe(0);
      }
      expect(refused.filter((line) => !line.includes("ERR_FAILED"))).toEqual([]);
      expect(asked.filter((url) => !url.startsWith(`${pictures}/`))).toEqual([]);
      // The results of axe depend on markup and colors, which are the same in each window and language.
      if (locale !== "en" && !isNightly) return;
      for (const colorScheme of colorSchemes) {
        await page.emulateMedia({ colorScheme });
        expect(await accessibilityFaults(page, colorScheme === "light" ? rulesOfDocuments : rulesOfColors), colorScheme).toEqual([]);
      }
    },
  );
});
