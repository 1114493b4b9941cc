import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { serveInbox, type ServedInbox } from "../standalone/serve-inbox.ts";

/** For what comes by itself every few seconds. */

let browser: Browser;
beforeAll(async () => void (browser = await launchBrowser()));
afterAll(() => browser.close());

let inbox: ServedInbox;
beforeEach(async () => {
  inbox = await serveInbox();
  return () => inbox.close();
});

/** The inbox in a window of its own. What the browser refused, such as a script without a nonce, fails the test. */
async function look(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Page> {
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

test("a message appears by itself above those that are there, and is told", async () => {
  const page = await look();
  expect(await page.getByText("No message yet").isVisible()).toBe(true);
  await inbox.receive({ subject: "First" });
  await page.getByRole("article", { name: "First" }).waitFor();
  expect(await page.getByText("No message yet").count()).toBe(0);
  await inbox.receive({ subject: "Second" });
  await inbox.receive({ subject: "Third" });
  await expect.poll(() => subjects(page)).toEqual(["Third", "Second", "First"]);
  expect(await page.getByRole("status").textContent()).toMatch(/^[12] new messages?$/);
  // Once it knows the list, nothing is sent and nothing changes.
  const before = inbox.asked.length;
  await expect.poll(() => inbox.asked.length).toBeGreaterThan(before + 1);
  expect(inbox.asked.slice(before + 1)).not.toContain(200);
});

test("somebody who reads further down keeps place, focus and selection, and a link leads to what is new", async () => {
  for (let number = 1; number <= 12; number += 1)
    await inbox.receive({ subject: `Message ${number}`, text: "http://localhost/\n".repeat(4) });
  const page = await look();
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

test("at the top, the newest message is seen at once", async () => {
  for (let number = 1; number <= 12; number += 1) await inbox.receive({ subject: `Message ${number}` });
  const page = await look();
  const place = await top(page, "Message 12");
  await inbox.receive({ subject: "New" });
  await page.getByRole("article", { name: "New" }).waitFor();
  expect(await top(page, "New")).toBe(place);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("links are followed in a tab of their own, which knows nothing of the inbox; other addresses are text", async () => {
  const target = inbox.url.replace("dev/inbox", ".well-known/openid-configuration?a=1&b=2");
  await inbox.receive({ subject: "Links", link: target, text: `Go to ${target}.\n(Or https://example.test/x?y)! javascript:alert(1)` });
  await inbox.receive({ subject: "Bad", link: "javascript:alert(1)", text: "data:text/html,x" });
  const page = await look();
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

test("a code is copied by one click, also out of a message that came later", async () => {
  const page = await look();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await inbox.receive({ subject: "Later", code: "042917" });
  const copy = page.getByRole("button", { name: "Copy: the code" });
  await copy.click();
  await page.getByRole("status").getByText("Copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("042917");
  // Twice in a row, and the button still says what it does.
  await copy.click();
  await expect.poll(() => copy.textContent()).toBe("Copy");
});

test("hostile messages stay text, however they come onto the page", async () => {
  const hostile = `</pre></script><script>document.title="evil"</script><img src=x onerror='document.title="evil"'>"'&`;
  const message = { subject: hostile, text: hostile, to: hostile, code: hostile, link: `https://x.test/"onclick="alert(1)${hostile}` };
  await inbox.receive(message);
  const page = await look();
  await inbox.receive(message);
  await expect.poll(() => subjects(page)).toEqual([hostile, hostile]);
  expect(await page.locator("pre").allTextContents()).toEqual([hostile, hostile]);
  expect(await page.locator(".code").allTextContents()).toEqual([hostile, hostile]);
  expect(await page.locator("main").locator("img, script, [onclick], [onerror]").count()).toBe(0);
  expect(await page.title()).toBe("Inbox · Postern");
});

test("a server that is gone is told of, and its return as well", async () => {
  await inbox.receive({ subject: "Before" });
  const page = await look();
  const trouble = page.getByRole("alert");
  await inbox.close();
  await trouble.waitFor();
  expect(await trouble.textContent()).toContain("does not answer");
  inbox = await serveInbox(Number(new URL(inbox.url).port));
  await inbox.receive({ subject: "After" });
  // What the server forgot as it stopped is forgotten here too.
  await expect.poll(() => subjects(page)).toEqual(["After"]);
  expect(await trouble.count()).toBe(0);
});

test("a page that nobody sees asks for nothing", async () => {
  const page = await look();
  await expect.poll(() => inbox.asked.length).toBeGreaterThan(0);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
  });
  await page.waitForTimeout(500);
  const before = inbox.asked.length;
  await page.waitForTimeout(4_500);
  expect(inbox.asked.length).toBe(before);
  await page.evaluate(() => {
    Reflect.deleteProperty(document, "visibilityState");
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(() => inbox.asked.length).toBe(before + 1);
});

test("without JavaScript the page loads itself again, and shows no button that does nothing", async () => {
  const page = await look({ javaScriptEnabled: false });
  await inbox.receive({ subject: "Came", code: "042917" });
  await expect.poll(() => subjects(page)).toEqual(["Came"]);
  expect(await page.getByRole("button").count()).toBe(0);
});
