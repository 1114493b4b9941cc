import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { TaskAction } from "./console-tasks.ts";

/** How an operator does an action with an input device. Returns the number of pressed keys, without those of typed texts. */
type InputDevice = (page: Page, action: TaskAction) => Promise<number>;

/** The maximum number of Tab keys to an element. An operator gives up on a page that needs more. */
const maximumTabs = 25;

/** The sections of the console, with the key that opens each after `g`. */
const sectionKeys: { readonly [section: string]: string } = {
  Users: "u",
  Organizations: "o",
  Apps: "a",
  Connections: "c",
  Logs: "l",
  Settings: "s",
};

/** The input devices, by their names. */
export const inputDevices: { readonly [name: string]: InputDevice } = {
  async mouse(page, action) {
    const element = await elementOf(page, action);
    await element.click();
    if (!("fill" in action)) return 0;
    await element.fill(action.text);
    if (action.submits) await page.keyboard.press("Enter");
    return 0;
  },
  async keyboard(page, action) {
    const pressed: string[] = [];
    const press = async (key: string): Promise<void> => {
      await page.keyboard.press(key);
      pressed.push(key);
    };
    const element = await elementOf(page, action);
    if ("fill" in action) {
      await reach(page, element, press);
      await press("Control+A");
      await page.keyboard.type(action.text);
      if (action.submits) await opensPage(page, () => press("Enter"));
      return pressed.length;
    }
    const { press: name, role = "link" } = action;
    const key = sectionKeys[name];
    if (key !== undefined && (await element.evaluate((link) => link.closest("nav.side") !== null))) {
      await press("g");
      await opensPage(page, () => press(key));
      return pressed.length;
    }
    await reach(page, element, press);
    if (role === "checkbox") await press("Space");
    else if (await element.evaluate((one) => one.matches("a[href], button[type=submit]"))) await opensPage(page, () => press("Enter"));
    else await press("Enter");
    return pressed.length;
  },
};

/** Presses a key, and waits for the page that it opens. */
async function opensPage(page: Page, press: () => Promise<void>): Promise<void> {
  await Promise.all([page.waitForEvent("domcontentloaded"), press()]);
}

/** Returns the element of an action. Names are exact, or begin a longer name that also names the row. */
async function elementOf(page: Page, action: TaskAction): Promise<Locator> {
  if ("fill" in action) return page.getByLabel(action.fill, { exact: true }).first();
  const { press, role = "link", isFirst = false } = action;
  if (role === "checkbox") return page.getByRole(role, { name: press }).first();
  if (isFirst) return page.getByRole("main").getByRole(role, { name: press }).first();
  const inMain = page.getByRole("main").getByRole(role, { name: press, exact: true });
  if ((await inMain.count()) > 0) return inMain.first();
  const exact = page.getByRole(role, { name: press, exact: true });
  // The name of a tile goes on with its description.
  return ((await exact.count()) > 0 ? exact : page.getByRole("main").getByRole(role, { name: press })).first();
}

/** Moves the focus to an element: by the key of the search, else by the skip link and Tab. */
async function reach(page: Page, element: Locator, press: (key: string) => Promise<void>): Promise<void> {
  await element.waitFor();
  const isFocused = (): Promise<boolean> => element.evaluate((one) => one === document.activeElement);
  const isSearch = await element.evaluate((one) => one.matches("input[type=search]"));
  const skips = await element.evaluate((one) => one.closest("main") !== null && document.activeElement?.closest("main") === null);
  if (isSearch) await press("/");
  else if (skips) {
    await press("Tab");
    await press("Enter");
  }
  for (let tabs = 0; tabs < maximumTabs && !(await isFocused()); tabs++) await press("Tab");
  expect(await isFocused(), `the focus after ${maximumTabs} tabs`).toBe(true);
  await expectVisibleFocus(element);
}

/** Expects an outline around a focused element, which no other part of the page covers. */
async function expectVisibleFocus(element: Locator): Promise<void> {
  // The page scrolls to the element before it draws the next frame.
  const shown = await element.evaluate(async (one) => {
    await new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));
    const { left, top, width, height } = one.getBoundingClientRect();
    const drawn = document.elementFromPoint(left + width / 2, top + height / 2);
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return {
      isOutlined: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
      isUncovered: drawn !== null && (one.contains(drawn) || drawn.contains(one)),
    };
  });
  expect(shown).toEqual({ isOutlined: true, isUncovered: true });
}
