import type { Page } from "playwright-core";
import { password, user } from "./fixtures.ts";

/** Clicks the button of a login page with this action. Texts are translated and change, so tests use action names. */
export async function clickAction(page: Page, action: string): Promise<void> {
  await page.click(`button[name=action][value=${action}]`);
}

/** Enters the identifier and continues. */
export async function enterIdentifier(page: Page, identifier: string = user): Promise<void> {
  await page.fill("input[name=identifier]:not([readonly])", identifier);
  await clickAction(page, "continue");
}

/** Enters the password and submits it. */
export async function enterPassword(page: Page, text: string = password): Promise<void> {
  await page.fill("input[name=password]", text);
  await clickAction(page, "sign-in");
}

/** Signs in from the identifier page. */
export async function signInOn(page: Page): Promise<void> {
  await enterIdentifier(page);
  await enterPassword(page);
}
