import type { Page } from "playwright-core";
import { password, user } from "./people.ts";

/** Takes an action of a login page, by its name: texts are for people, and change. */
export async function act(page: Page, action: string): Promise<void> {
  await page.click(`button[name=action][value=${action}]`);
}

/** Says who it is, on the page that asks. */
export async function sayWho(page: Page, identifier: string = user): Promise<void> {
  await page.fill("input[name=identifier]:not([readonly])", identifier);
  await act(page, "continue");
}

/** Gives the password, on the page that asks. */
export async function givePassword(page: Page, text: string = password): Promise<void> {
  await page.fill("input[name=password]", text);
  await act(page, "sign-in");
}

/** Signs in, from the first page on. */
export async function signInOn(page: Page): Promise<void> {
  await sayWho(page);
  await givePassword(page);
}
