import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { startExample, temporaryFolder } from "../standalone/start.ts";
import { expectUsable } from "./support/usable-page.ts";

/** The pages of the standalone example and its login in a new user's browser. */
let browser: Browser;
beforeAll(async () => void (browser = await launchBrowser()));
afterAll(() => browser.close());

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

async function signIn(page: Page, { email, password }: { readonly email: string; readonly password: string }): Promise<void> {
  await press(page, "Sign in");
  await page.waitForURL(/\/u\/login/);
  await page.getByRole("textbox").fill(email);
  await press(page, "Continue");
  await page.locator("input[type=password]").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test.each([
  [320, "light"],
  [320, "dark"],
  [1280, "light"],
  [1280, "dark"],
] as const)("the pages are accessible before and after a sign-in, at %i pixels, %s", async (width, colorScheme) => {
  const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && refused.push(message.text())));

  await page.goto(ready.issuer);
  await expectUsable(page);
  expect(await page.getByRole("button", { name: /^Copy/ }).count()).toBe(6);
  await page.goto(`${ready.issuer}dev/inbox`);
  await expectUsable(page);

  await page.goto(ready.issuer);
  await signIn(page, ready.user);
  await page.waitForURL(ready.issuer);
  await press(page, "Refresh the tokens");
  await page.getByText("before:").waitFor();
  await expectUsable(page);
  await press(page, "Sign out");
  await page.getByText("You are signed out").waitFor();
  await expectUsable(page);
  expect(refused).toEqual([]);
  await context.close();
});

test("the pages fit their window if the browser shows all text at twice the size", async () => {
  const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
  const large = await launchBrowser(["--blink-settings=defaultFontSize=32"]);
  onTestFinished(() => large.close());
  const page = await large.newPage({ viewport: { width: 320, height: 640 } });
  const sizes = (): Promise<string[]> =>
    page.evaluate(() => ["body", "h1", "p"].map((name) => getComputedStyle(document.querySelector(name) ?? document.body).fontSize));
  for (const path of ["", "dev/inbox", "dev/nothing"]) {
    await page.goto(ready.issuer + path);
    expect([path, await sizes()]).toEqual([path, ["32px", "56px", "32px"]]);
    await expectUsable(page, path);
  }
});

test("a user signs in, refreshes the tokens and signs out without JavaScript", async () => {
  const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(ready.issuer);
  await signIn(page, ready.user);
  await page.waitForURL(ready.issuer);
  expect(await page.getByRole("heading", { name: ready.user.email }).count()).toBe(1);
  const claims = await page.getByLabel("Claims of the ID token").textContent();
  expect(JSON.parse(claims ?? "")).toMatchObject({ iss: ready.issuer, email: ready.user.email });
  await press(page, "Refresh the tokens");
  await page.getByText("before:").waitFor();
  await press(page, "Sign in silently");
  await page.waitForURL(ready.issuer);
  await press(page, "Sign out");
  await page.getByText("You are signed out").waitFor();
  // Buttons that need JavaScript are hidden.
  expect(await page.getByRole("button", { name: /^Copy/ }).count()).toBe(0);
  await context.close();
});
