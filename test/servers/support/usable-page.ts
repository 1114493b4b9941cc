import type { Page } from "playwright-core";
import { expect } from "vitest";
import { accessibilityFaults, overflow } from "../../pages/axe.ts";
import { isNightly } from "../../support/nightly.ts";

/** The width of a window, and the color scheme that its user prefers. */
export interface Appearance {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
}

/**
 * Expects a page to fit its window and to have no accessibility violations.
 * @param name is part of the failure message.
 * @param appearances are set one after the other. Default: the page is checked as it is. `.ci/run` checks only the first
 *   one, because `pages.test.ts` renders all pages in all of them.
 */
export async function expectUsable(page: Page, name = "", appearances: readonly Appearance[] = []): Promise<void> {
  const chosen = isNightly ? appearances : appearances.slice(0, 1);
  for (const appearance of chosen.length === 0 ? [undefined] : chosen) {
    if (appearance !== undefined) {
      await page.setViewportSize({ width: appearance.width, height: 640 });
      await page.emulateMedia({ colorScheme: appearance.colorScheme });
    }
    const shown = appearance === undefined ? name : `${name}, ${appearance.width} px, ${appearance.colorScheme}`;
    expect(await overflow(page), `overflow: ${shown}`).toBe(0);
    expect(await accessibilityFaults(page), shown).toEqual([]);
  }
}
