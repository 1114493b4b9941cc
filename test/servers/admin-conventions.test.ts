import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { startExample, temporaryFolder } from "../standalone/start.ts";
import { tableOf } from "../support/documented-table.ts";
import { fillExample, signInToConsole } from "./support/admin-console.ts";
import { consoleScreens, readPageFacts, routeOf, type PageFacts } from "./support/console-conventions.ts";

/** The conventions that every screen of the admin console keeps. */

/** Screens that respond with data, or lead to a provider. */
const withoutPage = ["/logs/csv", "/settings/branding/preview", "/connections/:id/try/start"];
const records = /^\/(users|organizations|roles|apis|connections|apps)\/:id/;
const lists = /^\/(users|organizations|roles|apis|connections|apps|settings\/domains|settings\/streams)$/;
/** Lists that are empty if all is well. */
const goodNews = ["No sign-in has failed in the last 24 hours.", "All checks passed."];

let browser: Browser;
/** The pages by the path of their screen. A screen with several pages, such as a list and an empty list, has several. */
const shown = new Map<string, PageFacts[]>();
beforeAll(async () => void (browser = await launchBrowser()));
afterAll(() => browser.close());

/** Returns the pages of the screens that a pattern matches. */
function pagesOf(pattern: RegExp): readonly (readonly [path: string, page: PageFacts])[] {
  const found = [...shown].filter(([path]) => pattern.test(path)).flatMap(([path, pages]) => pages.map((one) => [path, one] as const));
  expect(found.length, String(pattern)).toBeGreaterThan(0);
  return found;
}

/** Expects a value for every page of the screens that a pattern matches. */
function expectAll(pattern: RegExp, read: (one: PageFacts, path: string) => unknown): void {
  const wrong = pagesOf(pattern).map(([path, one]) => [path, read(one, path)] as const);
  expect(wrong.filter(([, value]) => value !== true)).toEqual([]);
}

// The other tests read what this one collects.
test("every screen with a page opens", async () => {
  const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signInToConsole(page, ready);
  const open = async (url: string): Promise<void> => {
    await page.goto(url);
    const path = new URL(page.url()).pathname.replace(/^\/admin(\/t\/main)?/, "");
    const screen = routeOf(path);
    if (screen === undefined) return;
    const pages = shown.get(screen) ?? [];
    shown.set(screen, [...pages, await readPageFacts(page)]);
  };
  // The tenant of a new installation: its lists are empty.
  const [origin, ofUser] = [`${ready.issuer}admin/t/main/`, ["events", "sessions", "roles", "organizations", "consents", "factors"]];
  for (const path of ["", "organizations", "settings/domains", "settings/streams", "settings/deliveries", "settings/mail"])
    await open(origin + path);
  await page.goto(`${origin}users`);
  const user = await page.getByRole("main").locator("tbody a").first().getAttribute("href");
  for (const tab of ofUser) await open(new URL(`${user}/${tab}`, origin).href);
  const { paths, tenantPaths, url } = await fillExample(ready);
  for (const path of paths) await open(origin + path);
  for (const path of tenantPaths) await open(url + path);
  const all = consoleScreens.map(({ path }) => path).filter((path) => !withoutPage.includes(path));
  expect(all.filter((path) => !shown.has(path))).toEqual([]);
}, 300_000);

describe("the title bar", () => {
  test("stays below the bar of the console when a page is scrolled", () => {
    expectAll(/./, ({ barTop, title }) => barTop === 0 && title !== "");
  });

  test("has a breadcrumb on each page below a list, and the id of a record with a button that copies it", () => {
    expectAll(/^\/(?!settings)\w+\/./, ({ trail }) => trail > 0);
    expectAll(/\/:(id|user)/, ({ trail, id, canCopyId }) => trail > 0 && id !== "" && canCopyId);
  });

  test("ends with the primary action", () => {
    expectAll(lists, ({ primary, empty }) => primary === 1 || empty > 0);
    expectAll(/./, ({ actionsEnd }) => Math.abs(actionsEnd) < 1);
  });
});

test("each tab is a link, and the current one is marked", () => {
  expectAll(/./, ({ areTabsLinks, tabs, currentTabs }) => areTabsLinks && currentTabs === (tabs.length > 0 ? 1 : 0));
  expectAll(/^\/settings(\/\w+)?$/, ({ tabs }) => tabs.length > 5);
});

test("each date is relative, with the exact instant", () => {
  expectAll(/./, ({ inexactDates, bareDates }) => inexactDates.length + bareDates.length === 0 || [inexactDates, bareDates]);
  expectAll(/^\/(users|logs)$/, ({ dates, empty }) => dates + empty > 0);
});

test("an empty list says the next step", () => {
  expectAll(/./, ({ deadEnds }) => deadEnds.every((text) => goodNews.includes(text)) || deadEnds);
});

describe("a record", () => {
  test("has its raw JSON", () => {
    expectAll(records, ({ raw }) => raw);
    expectAll(/^\/(logs|settings\/streams)\/:id$/, ({ raw }) => raw);
  });

  test("ends with the danger zone, which leads to a page that asks", () => {
    expectAll(records, ({ tabs }) => tabs.at(-1) === "Danger zone");
    expectAll(/\/danger$|^\/(settings\/streams|tenants)\/:id$/, ({ endsWithDanger }) => endsWithDanger);
  });
});

test("a page asks before each deletion, and asks for the name of a connection or a tenant, whose users go with it", () => {
  expectAll(/\/(delete|remove|withdraw|revoke|pause|resume|upgrade)$|^\/apps\/:id\/rotate$/, ({ confirms }) => confirms);
  expectAll(/./, ({ typed }, path) => typed === /^\/(connections|tenants)\/:id\/delete$/.test(path));
});

describe("a secret", () => {
  test("is on no page that an operator can open again", () => {
    expectAll(/./, ({ secrets }) => secrets === 0);
  });

  test("is shown once, with a copy button", async () => {
    const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
    const page = await browser.newPage();
    await signInToConsole(page, ready);
    const { url, paths } = await fillExample(ready);
    const pathOf = (end: string): string => paths.find((path) => path.endsWith(end)) ?? "";
    const creations: readonly (readonly [path: string, fields: { readonly [label: string]: string }, button: string])[] = [
      [pathOf("/rotate"), {}, "Replace secret"],
      ["settings/streams/new/http", { Name: "Once", URL: "https://once.example.com/" }, "Create log stream"],
      ["users/new", { "Email address": "once@example.com" }, "Create user"],
      [pathOf("/invitations/new"), { "Email address": "invited@example.com" }, "Create invitation"],
    ];
    for (const [path, fields, button] of creations) {
      await page.goto(`${url}t/main/${path}`);
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByRole("main").getByRole("button", { name: button, exact: true }).click();
      const secret = (await page.locator(".secret code").textContent()) ?? "";
      expect(secret.length, path).toBeGreaterThan(20);
      expect(await page.locator(".secret [data-copy]").isVisible(), path).toBe(true);
      const next = await page.getByRole("main").locator("a.button, .trail a").first().getAttribute("href");
      for (const again of [page.url(), new URL(next ?? "", url).href]) {
        await page.goto(again);
        expect(await page.content(), again).not.toContain(secret);
      }
    }
    await page.context().close();
  }, 120_000);
});

test("docs/design/admin-console.md has the conventions of every screen", () => {
  const yes = (isShown: boolean): string => (isShown ? "yes" : "-");
  const rows = consoleScreens.flatMap(({ path }) => {
    const pages = shown.get(path) ?? [];
    const some = (holds: (one: PageFacts) => boolean): boolean => pages.some(holds);
    const [trail, id] = [some((one) => one.trail > 0), some((one) => one.id !== "")];
    const bar = ["name", ...(trail ? ["breadcrumb"] : []), ...(id ? ["id"] : [])].join(", ");
    const danger = some((one) => one.endsWithDanger)
      ? "danger zone"
      : some((one) => one.typed)
        ? "asks for the name"
        : some((one) => one.confirms)
          ? "asks"
          : "-";
    const found = [
      some((one) => one.tabs.length > 0),
      some((one) => one.actions.length > 0),
      some((one) => one.dates > 0),
      some((one) => one.empty > 0),
    ];
    return pages.length === 0 ? [] : [[`\`${path}\``, bar, ...found.map(yes), danger, yes(some((one) => one.raw))]];
  });
  const documented = tableOf("docs/design/admin-console.md", "## Conventions");
  expect(documented.map((row) => row.join(" | "))).toEqual(rows.map((row) => row.join(" | ")));
});
