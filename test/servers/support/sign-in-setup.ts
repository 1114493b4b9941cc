import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { totpAt } from "../../factors/support.ts";
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
