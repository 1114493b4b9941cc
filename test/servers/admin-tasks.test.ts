import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { startExample, temporaryFolder } from "../standalone/start.ts";
import { fillExample, signInToConsole } from "./support/admin-console.ts";
import { consoleTasks, type TaskAction } from "./support/console-tasks.ts";

/** Twenty tasks of operators in the admin console, from its home page, with the number of pages that each needs. */

let browser: Browser;
beforeAll(async () => void (browser = await launchBrowser()));
afterAll(() => browser.close());

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

/** How an operator does an action, by the input device. */
const devices: { readonly [device: string]: (page: Page, action: TaskAction) => Promise<void> } = {
  async mouse(page, action) {
    const element = await elementOf(page, action);
    await element.click();
    if (!("fill" in action)) return;
    await element.fill(action.text);
    if (action.submits) await page.keyboard.press("Enter");
  },
};

test.each(Object.keys(devices))(
  "an operator does twenty tasks by %s in at most five pages each",
  async (device) => {
    const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
    const { url } = await fillExample(ready);
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    page.setDefaultTimeout(20_000);
    await signInToConsole(page, ready);
    let screens = 0;
    page.on("framenavigated", (frame) => void (frame === page.mainFrame() && screens++));
    const act = devices[device];
    const needed: (readonly [title: string, screens: number])[] = [];
    for (const { title, actions, outcome } of consoleTasks) {
      await page.goto(`${url}t/main/`);
      screens = 0;
      for (const action of actions) {
        const step = `${title}: ${JSON.stringify(action)} on ${page.url()}`;
        await act?.(page, action).catch((error: unknown) => {
          throw new Error(step, { cause: error });
        });
        await page.waitForLoadState();
      }
      await page
        .getByText(outcome)
        .first()
        .waitFor({ timeout: 10_000 })
        .catch((error: unknown) => {
          throw new Error(`${title}: no outcome on ${page.url()}`, { cause: error });
        });
      needed.push([title, screens]);
    }
    expect(needed).toEqual(consoleTasks.map(({ title, screens: expected }) => [title, expected]));
    expect(Math.max(...needed.map(([, count]) => count))).toBeLessThanOrEqual(5);
    expect(needed).toHaveLength(20);
    await page.context().close();
  },
  240_000,
);
