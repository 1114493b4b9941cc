import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillExample, signInToConsole, type FilledExample } from "./support/admin-console.ts";
import { launchBrowser } from "../pages/browser.ts";
import { startExample, temporaryFolder } from "../standalone/start.ts";
import { expectUsable } from "./support/usable-page.ts";

/** The admin console of the standalone example in a browser. */
let browser: Browser;
beforeAll(async () => void (browser = await launchBrowser()));
afterAll(() => browser.close());

/** Starts the example with data in every screen, and signs its administrator in. */
async function openConsolePage(
  options: BrowserContextOptions,
): Promise<FilledExample & { readonly page: Page; readonly refused: string[] }> {
  const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
  const filled = await fillExample(ready);
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const refused: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && refused.push(message.text())));
  page.on("pageerror", (error) => void refused.push(error.message));
  await signInToConsole(page, ready);
  return { ...filled, page, refused };
}

const narrowLight = [320, "light"] as const;
const wideDark = [1280, "dark"] as const;

describe.each([
  ["with", true, [narrowLight, [320, "dark"], [1280, "light"], wideDark]],
  // The same pages, so half of the appearances.
  ["without", false, [narrowLight, wideDark]],
] as const)("%s JavaScript", (_, javaScriptEnabled, appearances) => {
  test.each(appearances)("each screen fits a window of %i px, and is accessible, in %s colors", async (width, colorScheme) => {
    const { page, refused, paths, tenantPaths, url } = await openConsolePage({
      javaScriptEnabled,
      viewport: { width, height: 800 },
      colorScheme,
    });
    for (const path of paths) {
      await page.goto(`${url}t/main/${path}`);
      await expectUsable(page, `${path}, ${width} px, ${colorScheme}`);
      const tallest = await page.evaluate(() =>
        Math.max(0, ...[...document.querySelectorAll(".badge")].map((badge) => badge.clientHeight)),
      );
      expect(tallest, `the height of a badge: ${path}, ${width} px`).toBeLessThan(80);
    }
    for (const path of [...tenantPaths, "t/unknown/users"]) {
      await page.goto(url + path);
      await expectUsable(page, path);
    }
    // The browser reports the page that does not exist, and the tenant that the operator cannot open.
    expect(refused.filter((text) => !/status of 40[34]/.test(text))).toEqual([]);
    await page.context().close();
  });

  test("an operator previews a branding before it is saved", async () => {
    const { page, url, refused } = await openConsolePage({ javaScriptEnabled, colorScheme: "light" });
    await page.goto(`${url}t/main/settings/branding/edit`);
    const shown = page.frameLocator("iframe[name=preview]").getByText("Continue", { exact: true });
    const color = (): Promise<string> => shown.evaluate((button) => getComputedStyle(button).backgroundColor);
    const before = await color();
    await page.getByLabel("Color of buttons").fill("#0b6e4f");
    for (let i = 0; i < 2; i++) await page.getByRole("button", { name: "Preview" }).click();
    await expect.poll(color).toBe("rgb(11, 110, 79)");
    expect(before).not.toBe("rgb(11, 110, 79)");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("The changes were saved.").waitFor();
    expect(await color()).toBe("rgb(11, 110, 79)");
    expect(refused).toEqual([]);
    await page.context().close();
  });

  test("an operator finds a user, blocks and unblocks the user, changes a role and deletes the user", async () => {
    const { page, url } = await openConsolePage({ javaScriptEnabled });
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("searchbox", { name: "Find users" }).fill("Ada");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Ada Lovelace" }).click();
    await page.getByRole("button", { name: "Block user" }).click();
    await page.getByText("This user is blocked").waitFor();
    await page.getByRole("button", { name: "Unblock user" }).click();
    await page.getByText("The user can sign in again.").waitFor();
    await page.getByRole("navigation", { name: "Sections of this record" }).getByRole("link", { name: "Roles" }).click();
    await page.getByRole("link", { name: "Change roles" }).click();
    await page.getByLabel("Auditor").check();
    await page.getByLabel("Administrator").check();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("The roles were changed.").waitFor();
    expect(await page.getByRole("cell", { name: "Auditor", exact: true }).count()).toBe(1);
    await page.getByRole("link", { name: "Danger zone" }).click();
    await page.getByRole("link", { name: "Delete user" }).click();
    await page.getByRole("button", { name: "Delete user" }).click();
    await page.getByText("The user was deleted.").waitFor();
    await page.locator("summary", { hasText: "Your account" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/u\/login/);
    await page.goto(`${url}t/main/users`);
    await page.waitForURL(/\/u\/login/);
    await page.context().close();
  });
});

test("the search palette opens a record by keyboard alone", async () => {
  const { page, refused } = await openConsolePage({});
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox").fill("grace");
  await dialog.getByRole("option", { name: "Grace Hopper" }).waitFor();
  await expectUsable(page, "the palette");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Grace Hopper" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await page.getByRole("heading", { name: "Logs" }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Details" }).waitFor();
  expect(refused).toEqual([]);
  await page.context().close();
});

test("single keys can be turned off", async () => {
  const { page, url } = await openConsolePage({});
  await page.goto(`${url}t/main/shortcuts`);
  await page.getByRole("button", { name: "Turn off single keys" }).click();
  await page.reload();
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  expect(page.url()).toBe(`${url}t/main/shortcuts`);
  await page.context().close();
});

test("the live log shows an event without a reload", async () => {
  const { page, url, failSignIn } = await openConsolePage({});
  await page.goto(`${url}t/main/logs?kind=tokens`);
  const before = await page.getByRole("row").count();
  await page.getByRole("button", { name: "Follow live" }).click();
  await failSignIn();
  await expect.poll(() => page.getByRole("row").count()).toBeGreaterThan(before);
  await page.getByRole("button", { name: "Stop following" }).click();
  await page.context().close();
});

test("several clicks on a button send one form, and an id is copied", async () => {
  const { page, url, paths } = await openConsolePage({});
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${url}t/main/apps/new`);
  await page.getByLabel("Name").fill("Shop");
  await page.getByRole("button", { name: "Create app" }).click({ clickCount: 3 });
  await page.getByRole("heading", { name: "App created" }).waitFor();
  await page.goto(`${url}t/main/apps`);
  expect(await page.getByRole("link", { name: "Shop", exact: true }).count()).toBe(1);
  const user = paths.find((path) => path.startsWith("users/Username")) ?? "";
  await page.goto(`${url}t/main/${user}`);
  await page.getByRole("button", { name: "Copy id", exact: true }).click();
  await page.getByText("Copied").waitFor({ state: "attached" });
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(decodeURIComponent(user.split("/")[1] ?? ""));
  await page.context().close();
});
