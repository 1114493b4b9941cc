import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { SignInSetup } from "./sign-in-setup.ts";

/** Clicks on the button of a page whose server is slow. */
export interface RepeatedClicks {
  readonly clicks: number;
  /** The action of the button. If several buttons have it, the first one is clicked. */
  readonly action: string;
  /** Whether the page runs scripts, so that only the first click sends the form. */
  readonly javaScriptEnabled: boolean;
  /** Milliseconds by which the server delays each form. The test resets `setup.conditions.slowness`. Default: 1500. */
  readonly slowness?: number;
}

/** Clicks a button several times while the server is slow. @returns the number of form posts. */
export async function clickRepeatedly(
  setup: SignInSetup,
  page: Page,
  { clicks, action, javaScriptEnabled, slowness = 1500 }: RepeatedClicks,
): Promise<number> {
  const button = page.locator(`button[value=${action}]`).first();
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) throw new Error("there is no such button");
  setup.posts.length = 0;
  setup.conditions.slowness = slowness;
  for (let click = 0; click < clicks; click++) {
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    // Each click must be sent before the next one, because browsers drop a request that they have not sent yet.
    if (javaScriptEnabled) await wait(200);
    else await expect.poll(() => setup.posts.length).toBe(click + 1);
  }
  return setup.posts.length;
}
