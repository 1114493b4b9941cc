import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { serveInbox, type ServedInbox } from "../standalone/serve-inbox.ts";

/** The inbox polls for new messages every few seconds. */

let browser: Browser;
beforeAll(async () => void (browser = await launchBrowser()));
afterAll(() => browser.close());

let inbox: ServedInbox;
beforeEach(async () => {
  inbox = await serveInbox();
  return () => inbox.close();
});

/** Opens the inbox in a new browser context. A violation of the content security policy fails the test. */
async function openInbox(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 }, ...options });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on("console", (message) => void (/Content Security Policy/.test(message.text()) && refused.push(message.text())));
  onTestFinished(async () => {
    await context.close();
    expect(refused).toEqual([]);
  });
  await page.goto(inbox.url);
  return page;
}

const subjects = (page: Page): Promise<string[]> => page.locator("article h2").allTextContents();
const top = (page: Page, subject: string): Promise<number> =>
  page.getByRole("article", { name: subject, exact: true }).evaluate((article) => Math.round(article.getBoundingClientRect().top));

test("a new message appears above the existing ones and is announced", async () => {
  const page = await openInbox();
  expect(await page.getByText("No message yet").isVisible()).toBe(true);
  await inbox.receive({ subject: "First" });
  await page.getByRole("article", { name: "First" }).waitFor();
  expect(await page.getByText("No message yet").count()).toBe(0);
  await inbox.receive({ subject: "Second" });
  await inbox.receive({ subject: "Third" });
  await expect.poll(() => subjects(page)).toEqual(["Third", "Second", "First"]);
  expect(await page.getByRole("status").textContent()).toMatch(/^[12] new messages?$/);
  // After the list is known, the responses are empty and the page does not change.
  const before = inbox.pollStatuses.length;
  await expect.poll(() => inbox.pollStatuses.length).toBeGreaterThan(before + 1);
  expect(inbox.pollStatuses.slice(before + 1)).not.toContain(200);
});

test("a page that is scrolled down keeps its scroll position, focus and selection, and offers a link to the new message", async () => {
  for (let number = 1; number <= 12; number += 1)
    await inbox.receive({ subject: `Message ${number}`, text: "http://localhost/\n".repeat(4) });
  const page = await openInbox();
  const link = page.getByRole("article", { name: "Message 3", exact: true }).getByRole("link").last();
  await link.focus();
  const place = await top(page, "Message 3");
  await page.evaluate(() => getSelection()?.selectAllChildren(document.activeElement ?? document.body));
  await inbox.receive({ subject: "New", text: "long\n".repeat(9) });
  const news = page.getByRole("link", { name: "1 new message" });
  await news.waitFor();
  expect(await top(page, "Message 3")).toBe(place);
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await page.evaluate(() => String(getSelection()))).toBe("http://localhost/");

  await news.click();
  await expect.poll(() => news.count()).toBe(0);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect((await subjects(page))[0]).toBe("New");
});

test("a new message is visible at once if the page is at the top", async () => {
  for (let number = 1; number <= 12; number += 1) await inbox.receive({ subject: `Message ${number}` });
  const page = await openInbox();
  const place = await top(page, "Message 12");
  await inbox.receive({ subject: "New" });
  await page.getByRole("article", { name: "New" }).waitFor();
  expect(await top(page, "New")).toBe(place);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("links open in a new tab without opener or referrer, and other URL schemes stay text", async () => {
  const target = inbox.url.replace("dev/inbox", ".well-known/openid-configuration?a=1&b=2");
  await inbox.receive({ subject: "Links", link: target, text: `Go to ${target}.\n(Or https://example.test/x?y)! javascript:alert(1)` });
  await inbox.receive({ subject: "Bad", link: "javascript:alert(1)", text: "data:text/html,x" });
  const page = await openInbox();
  const message = page.getByRole("article", { name: "Links" });
  const hrefs = await message.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(hrefs).toEqual([target, target, "https://example.test/x?y"]);
  expect(await page.getByRole("article", { name: "Bad" }).getByRole("link").count()).toBe(0);

  for (const link of [message.getByRole("link").nth(0), message.getByRole("link").nth(1)]) {
    const opened = page.context().waitForEvent("page");
    await link.click();
    const tab = await opened;
    await tab.waitForLoadState();
    expect([tab.url(), await tab.evaluate(() => [window.opener, document.referrer])]).toEqual([target, [null, ""]]);
    await tab.close();
  }
});

test("a click copies a code, also from a message that arrived later", async () => {
  const page = await openInbox();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await inbox.receive({ subject: "Later", code: "042917" });
  const copy = page.getByRole("button", { name: "Copy: the code" });
  await copy.click();
  await page.getByRole("status").getByText("Copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("042917");
  // A second click works too, and the button's text returns to its label.
  await copy.click();
  await expect.poll(() => copy.textContent()).toBe("Copy");
});

test("hostile messages stay text in the page and in later updates", async () => {
  const hostile = `</pre></script><script>document.title="evil"</script><img src=x onerror='document.title="evil"'>"'&`;
  const message = { subject: hostile, text: hostile, to: hostile, code: hostile, link: `https://x.test/"onclick="alert(1)${hostile}` };
  await inbox.receive(message);
  const page = await openInbox();
  await inbox.receive(message);
  await expect.poll(() => subjects(page)).toEqual([hostile, hostile]);
  expect(await page.locator("pre").allTextContents()).toEqual([hostile, hostile]);
  expect(await page.locator(".code").allTextContents()).toEqual([hostile, hostile]);
  expect(await page.locator("main").locator("img, script, [onclick], [onerror]").count()).toBe(0);
  expect(await page.title()).toBe("Inbox · Postern");
});

test("an alert appears while the server is unreachable and disappears when it is back", async () => {
  await inbox.receive({ subject: "Before" });
  const page = await openInbox();
  const alert = page.getByRole("alert");
  await inbox.close();
  await alert.waitFor();
  expect(await alert.textContent()).toContain("does not respond");
  inbox = await serveInbox(Number(new URL(inbox.url).port));
  await inbox.receive({ subject: "After" });
  // The server lost its messages when it stopped, so the page removes them too.
  await expect.poll(() => subjects(page)).toEqual(["After"]);
  expect(await alert.count()).toBe(0);
});

test("a hidden page does not poll", async () => {
  const page = await openInbox();
  await expect.poll(() => inbox.pollStatuses.length).toBeGreaterThan(0);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
  });
  await page.waitForTimeout(500);
  const before = inbox.pollStatuses.length;
  await page.waitForTimeout(4_500);
  expect(inbox.pollStatuses.length).toBe(before);
  await page.evaluate(() => {
    Reflect.deleteProperty(document, "visibilityState");
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(() => inbox.pollStatuses.length).toBe(before + 1);
});

test("the page reloads itself without JavaScript and shows no button that needs it", async () => {
  const page = await openInbox({ javaScriptEnabled: false });
  await inbox.receive({ subject: "Came", code: "042917" });
  await expect.poll(() => subjects(page)).toEqual(["Came"]);
  expect(await page.getByRole("button").count()).toBe(0);
});
