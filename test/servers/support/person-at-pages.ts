import axe from "axe-core";
import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { keepPicture } from "../../pages/show.ts";
import { auditEvents, managerOf, text, type Manager } from "../../support/api.ts";
import { appSecret, carefulApp } from "./careful-app.ts";
import { password } from "./people.ts";
import { hosts, listenSecurely, serveSecurely } from "./secure.ts";

/** How things stand. Tests change it. */
interface Conditions {
  /** Milliseconds that a post waits before it arrives. */
  slowness: number;
  /** Milliseconds that the service's clock is ahead. */
  ahead: number;
}

/** A Postern and an app that takes each `state` once, for people who go back, reload and click twice. */
export interface Place {
  readonly issuer: string;
  /** The app's origin. */
  readonly app: string;
  /** Forms that were posted to the login, by their addresses: emptied by tests. */
  readonly posts: string[];
  readonly conditions: Conditions;
  manage(): Promise<Manager>;
  /** Adds somebody, whom nobody else in the file signs in as. @returns the address. */
  enroll(name: string): Promise<{ readonly email: string; readonly password: string; readonly userId: string }>;
  /** How many failures stand in the logs for an address. */
  failures(email: string): Promise<number>;
  close(): Promise<void>;
}

/** The apps that people come from, by their ids. */
const clients = {
  web: {},
  partner: { name: "Partner", is_first_party: false },
  team: { name: "Team", organization_usage: "require", organization_require_behavior: "post_login_prompt" },
  member: { name: "Member", organization_usage: "allow" },
} as const;

/** Opens a {@link Place}. */
export async function openPlace(): Promise<Place> {
  const app = await listenSecurely(
    hosts.app,
    carefulApp(
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
  const postern = await serveSecurely(seed, { testing: { clock: { now: () => Date.now() + conditions.ahead } } }, arrives);
  let people = 0;
  const place: Place = {
    issuer: postern.issuer,
    app: origin,
    posts,
    conditions,
    manage: () => managerOf(postern.service),
    enroll: async (name) => {
      const email = `${name}-${++people}@example.com`;
      const body = { connection: "Username-Password-Authentication", email, password, email_verified: true };
      const userId = text(await (await place.manage()).create("/api/v2/users", body), "user_id");
      return { email, password, userId };
    },
    failures: async (email) =>
      (await auditEvents(await place.manage(), "fp")).filter((entry) => JSON.stringify(entry).includes(email)).length,
    close: async () => {
      await postern.close();
      await app.close();
    },
  };
  return place;
}

/** The heading of the page that somebody sees. */
export async function heading(page: Page): Promise<string> {
  return (await page.textContent("h1")) ?? "";
}

/** Where a case ends: the page is kept as a picture to look at, and axe has nothing to say against it. */
export async function ends(page: Page, name: string): Promise<void> {
  await keepPicture(page, `forgiving-${name}`);
  // axe waits for timers, which do not run where a page has no scripts: a copy of the page is asked, without the page's own.
  const context = (await page.context().browser()?.newContext({ ignoreHTTPSErrors: true, reducedMotion: "reduce" })) ?? page.context();
  const copy = await context.newPage();
  await copy.setContent((await page.content()).replaceAll(/<script\b.*?<\/script>/gs, ""));
  await copy.evaluate(axe.source);
  const values = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await copy.evaluate((tags) => window.axe.run({ runOnly: { type: "tag", values: tags } }), values);
  await copy.close();
  if (context !== page.context()) await context.close();
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}
