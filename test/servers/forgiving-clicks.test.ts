import { mkdir } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { screenshots } from "../pages/show.ts";
import { list, text } from "../support/api.ts";
import { organizationsBy } from "../support/organizations.ts";
import { password } from "./support/people.ts";
import { act, givePassword, sayWho } from "./support/person.ts";
import { ends, heading, openPlace, type Place } from "./support/person-at-pages.ts";

/** People click again while nothing seems to happen, and work in two tabs: what they meant happens once, and as who they are. */
let place: Place;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  await mkdir(screenshots, { recursive: true });
  place = await openPlace();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await place.close();
});

describe.each([true, false])("with JavaScript: %s", (javaScriptEnabled) => {
  const named = (name: string): string => `${name}-${javaScriptEnabled ? "js" : "nojs"}`;

  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: "en-US", reducedMotion: "reduce" });
    page = await context.newPage();
  });
  afterEach(async () => {
    place.conditions.slowness = 0;
    await context.close();
  });

  const begin = (query = "", at = page): Promise<unknown> => at.goto(`${place.app}/login?${query}`);
  const home = (email: string): string => `Signed in: ${email}`;
  const sees = (shown: string, at = page): Promise<void> => expect.poll(() => heading(at)).toBe(shown);

  async function signIn(email: string, at = page): Promise<void> {
    await sayWho(at, email);
    await givePassword(at);
  }

  /** Signs in to the first app, whoever was signed in before. */
  async function signedIn(email: string, at = page): Promise<void> {
    await begin("prompt=login", at);
    await signIn(email, at);
    await sees(home(email), at);
  }

  /** Presses a button several times on a server that takes its time. @returns how often the form was sent. */
  async function impatiently(clicks: number, action: string): Promise<number> {
    const box = await page.locator(`button[value=${action}]`).boundingBox();
    if (box === null) throw new Error("there is no such button");
    place.posts.length = 0;
    place.conditions.slowness = 1500;
    for (let click = 0; click < clicks; click++) {
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      // Each click is sent before the next: browsers drop what they did not send yet.
      if (javaScriptEnabled) await wait(200);
      else await expect.poll(() => place.posts.length).toBe(click + 1);
    }
    return place.posts.length;
  }

  test("three clicks on a slow server are one wrong password", async () => {
    const { email } = await place.enroll("clicks");
    await begin();
    await sayWho(page, email);
    await page.fill("#password", "wrong");
    expect(await impatiently(3, "sign-in")).toBe(javaScriptEnabled ? 1 : 3);
    await expect.poll(() => page.textContent("#problem")).toContain("Wrong email or password.");
    expect(await place.failures(email)).toBe(1);
    await ends(page, named("three-clicks-wrong"));
    place.conditions.slowness = 0;
    await givePassword(page);
    await sees(home(email));
  });

  test("three clicks on a slow server sign in once", async () => {
    const { email } = await place.enroll("clicks");
    await begin();
    await sayWho(page, email);
    await page.fill("#password", password);
    expect(await impatiently(3, "sign-in")).toBe(javaScriptEnabled ? 1 : 3);
    await sees(home(email));
    expect(await place.failures(email)).toBe(0);
    await ends(page, named("three-clicks-right"));
  });

  test("two clicks make one account of an invitation", async () => {
    const manage = await place.manage();
    const organization = await organizationsBy(manage).create(named("crew"), { display_name: "Crew" });
    const email = `new-${javaScriptEnabled}@example.com`;
    const invitation = { inviter: { name: "Ann" }, invitee: { email }, client_id: "team", send_invitation_email: false };
    await page.goto(text(await manage.create(`/api/v2/organizations/${organization}/invitations`, invitation), "invitation_url"));
    await page.fill("#password", password);
    expect(await impatiently(2, "create-account")).toBe(javaScriptEnabled ? 1 : 2);
    await sees("Front page");
    expect((await organizationsBy(manage).members(organization)).map((member) => member["email"])).toEqual([email]);
    expect(list(await manage("GET", `/api/v2/users-by-email?email=${email}`))).toHaveLength(1);
    expect(await place.failures(email)).toBe(0);
    await ends(page, named("two-clicks-account"));
    place.conditions.slowness = 0;
    await begin("client_id=team");
    await sees(home(email));
  });

  test("two clicks allow an app once", async () => {
    const { email } = await place.enroll("allows");
    await begin("client_id=partner");
    await signIn(email);
    await sees("Allow Partner to use your account?");
    expect(await impatiently(2, "accept")).toBe(javaScriptEnabled ? 1 : 2);
    await sees(home(email));
    await ends(page, named("two-clicks-allow"));
  });

  test("a page that asked one person asks the other who signed in in another tab", async () => {
    const [ada, bob] = [await place.enroll("ada"), await place.enroll("bob")];
    await signedIn(ada.email);
    await begin("client_id=partner");
    expect(await page.textContent("main")).toContain(ada.email);
    await signedIn(bob.email, await context.newPage());
    await act(page, "accept");
    await expect.poll(() => page.textContent("main")).toContain(bob.email);
    await sees("Allow Partner to use your account?");
    await ends(page, named("asked-as-bob"));
    await act(page, "accept");
    await sees(home(bob.email));
  });

  test("nobody chooses an organization as somebody else", async () => {
    const [ada, bob] = [await place.enroll("ada"), await place.enroll("bob")];
    const organizations = organizationsBy(await place.manage());
    for (const [name, people] of Object.entries({ north: [ada, bob], south: [ada], west: [bob] })) {
      await organizations.addMembers(await organizations.create(named(name), { display_name: `${name} team` }), ...people);
    }
    await signedIn(ada.email);
    await begin("client_id=team");
    await sees("Choose an organization");
    await signedIn(bob.email, await context.newPage());
    await page.getByRole("button", { name: "north team" }).click();
    await expect.poll(() => page.textContent("main")).toContain(bob.email);
    expect(await page.locator(".row-name").allTextContents()).toEqual(["north team", "west team"]);
    await ends(page, named("chooses-as-bob"));
    await page.getByRole("button", { name: "north team" }).click();
    await sees(home(bob.email));
  });
});
