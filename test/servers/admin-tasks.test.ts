import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { tableOf } from "../support/documented-table.ts";
import { startExample, temporaryFolder } from "../standalone/start.ts";
import { fillExample, signInToConsole } from "./support/admin-console.ts";
import { inputDevices } from "./support/console-devices.ts";
import { consoleTasks } from "./support/console-tasks.ts";

/** Twenty tasks of operators in the admin console, from its home page, with the pages and the keys that each needs. */

/** The rows of the table of tasks. */
const documented = tableOf("docs/design/admin-console.md", "## Tasks and screens");

let browser: Browser;
beforeAll(async () => void (browser = await launchBrowser()));
afterAll(() => browser.close());

test.each(Object.entries(inputDevices))(
  "an operator does twenty tasks by %s in at most five pages each",
  async (name, act) => {
    const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
    const { url } = await fillExample(ready);
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    page.setDefaultTimeout(20_000);
    await signInToConsole(page, ready);
    let screens = 0;
    // The skip link changes only the fragment of the URL.
    page.on("framenavigated", (frame) => void (frame === page.mainFrame() && !frame.url().includes("#") && screens++));
    const needed: (readonly [title: string, screens: number, keys: number])[] = [];
    for (const { title, actions, outcome } of consoleTasks) {
      await page.goto(`${url}t/main/`);
      screens = 0;
      let keys = 0;
      for (const action of actions) {
        const step = `${title}: ${JSON.stringify(action)} on ${page.url()}`;
        keys += await act(page, action).catch((error: unknown) => {
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
      needed.push([title, screens, keys]);
    }
    expect(needed).toEqual(documented.map(([title = "", , pages, keys]) => [title, Number(pages), name === "keyboard" ? Number(keys) : 0]));
    expect(Math.max(...needed.map(([, count]) => count))).toBeLessThanOrEqual(5);
    expect(needed).toHaveLength(20);
    await page.context().close();
  },
  240_000,
);
