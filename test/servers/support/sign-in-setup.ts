import axe from "axe-core";
import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { totpAt } from "../../factors/support.ts";
import { saveScreenshot } from "../../pages/show.ts";
import { auditEvents, managerOf, stringMember, type Manager } from "../../support/api.ts";
import type { TestOptions } from "../../support/postern.ts";
import { appSecret, stateCheckingApp } from "./state-checking-app.ts";
import { password } from "./fixtures.ts";
import { clickAction } from "./login-page.ts";
import { hosts, listenSecurely, serveSecurely } from "./secure.ts";

/** Conditions of the service that tests change. */
interface Conditions {
  /** Milliseconds by which the proxy delays a POST request. */
  slowness: number;
  /** Milliseconds by which the service's clock is ahead. */
  ahead: number;
}

/** A Postern and an app that accepts each `state` once, for tests of repeated clicks, reloads and browser history. */
export interface SignInSetup {
  readonly issuer: string;
  /** The app's origin. */
  readonly app: string;
  /** The paths of the forms that were posted to the login. Tests clear the list. */
  readonly posts: string[];
  readonly conditions: Conditions;
  manage(): Promise<Manager>;
  /** Creates a user with an email address that is unique in the file. */
  createUser(name: string): Promise<{ readonly email: string; readonly password: string; readonly userId: string }>;
  /** Returns the number of failed sign-ins that the log has for an email address. */
  failures(email: string): Promise<number>;
  close(): Promise<void>;
}

/** The settings of the app's clients, by their ids. */
const clients = {
  web: {},
  partner: { name: "Partner", is_first_party: false },
  team: { name: "Team", organization_usage: "require", organization_require_behavior: "post_login_prompt" },
  member: { name: "Member", organization_usage: "allow" },
} as const;

/** Starts a {@link SignInSetup}. @param options more options of the service. */
export async function startSignInSetup(options: TestOptions = {}): Promise<SignInSetup> {
  const app = await listenSecurely(
    hosts.app,
    stateCheckingApp(
      () => postern,
      () => app.origin,
    ),
  );
  const { origin } = app;
  const posts: string[] = [];
  const conditions: Conditions = { slowness: 0, ahead: 0 };
  const common = { app_type: "regular_web", callbacks: [`${origin}/callback`] } as const;
  const seed = {
    tenantId: "main",
    clients: Object.entries(clients).map(([clientId, more]) => ({
      clientId,
      secret: appSecret,
      settings: { name: "Web", ...common, callbacks: [...common.callbacks], ...more },
    })),
  };
  const arrives = async ({ method = "", url = "" }: IncomingMessage): Promise<void> => {
    if (method !== "POST") return;
    posts.push(url);
    await wait(conditions.slowness);
  };
  const postern = await serveSecurely(seed, { ...options, testing: { clock: { now: () => Date.now() + conditions.ahead } } }, arrives);
  let users = 0;
  const setup: SignInSetup = {
    issuer: postern.issuer,
    app: origin,
    posts,
    conditions,
    manage: () => managerOf(postern.service),
    createUser: async (name) => {
      const email = `${name}-${++users}@example.com`;
      const body = { connection: "Username-Password-Authentication", email, password, email_verified: true };
      const userId = stringMember(await (await setup.manage()).create("/api/v2/users", body), "user_id");
      return { email, password, userId };
    },
    failures: async (email) =>
      (await auditEvents(await setup.manage(), "fp")).filter((entry) => JSON.stringify(entry).includes(email)).length,
    close: async () => {
      await postern.close();
      await app.close();
    },
  };
  return setup;
}

/** Returns the heading of the page. */
export async function heading(page: Page): Promise<string> {
  return (await page.textContent("h1")) ?? "";
}

/** Signs out at the end-session endpoint, as the user without a request of the app. */
export async function signOutOnPage({ issuer }: SignInSetup, page: Page): Promise<void> {
  await page.goto(`${issuer}oidc/logout`);
  await clickAction(page, "logout");
}

/** Returns the authenticator app's key or the recovery code that the page shows, without spaces. */
export async function shownSecret(page: Page): Promise<string> {
  return ((await page.textContent(".secret code")) ?? "").replaceAll(" ", "");
}

/** Returns the app's code of the next time step, and sets the service's clock to that step. */
export function nextCode({ conditions }: SignInSetup, secret: string): string {
  conditions.ahead += 30_000;
  return totpAt(secret, Date.now() + conditions.ahead);
}

/** The width of a window, and the color scheme that its user prefers. */
export interface Appearance {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
}

/**
 * Saves a screenshot of a page, and expects it to fit its window and to have no accessibility violations.
 * @param appearances are set one after the other. Default: the page is checked as it is.
 */
export async function expectAccessible(page: Page, name: string, appearances: readonly Appearance[] = []): Promise<void> {
  for (const appearance of appearances.length === 0 ? [undefined] : appearances) {
    if (appearance !== undefined) await showIn(page, appearance);
    const look = appearance === undefined ? "" : `-${appearance.width}-${appearance.colorScheme}`;
    await saveScreenshot(page, `forgiving-${name}${look}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), name + look).toBe(0);
  }
  // axe waits for timers, which do not run in a page without JavaScript. So it checks a copy of the page without the
  // page's own scripts.
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const media = { reducedMotion: "reduce", colorScheme: isDark ? "dark" : "light", viewport: page.viewportSize() } as const;
  const context =
    (await page
      .context()
      .browser()
      ?.newContext({ ignoreHTTPSErrors: true, ...media })) ?? page.context();
  const copy = await context.newPage();
  await copy.setContent((await page.content()).replaceAll(/<script\b.*?<\/script>/gs, ""));
  await copy.evaluate(axe.source);
  const values = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const found: string[] = [];
  for (const appearance of appearances.length === 0 ? [undefined] : appearances) {
    if (appearance !== undefined) await showIn(copy, appearance);
    const { violations } = await copy.evaluate((tags) => window.axe.run({ runOnly: { type: "tag", values: tags } }), values);
    found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)));
  }
  await copy.close();
  if (context !== page.context()) await context.close();
  expect(found).toEqual([]);
}

/** Changes the width of a window and its color scheme. */
async function showIn(page: Page, { width, colorScheme }: Appearance): Promise<void> {
  await page.setViewportSize({ width, height: 640 });
  await page.emulateMedia({ colorScheme });
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}
