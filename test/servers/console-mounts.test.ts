import type { RequestListener } from "node:http";
import { createAdmin, type Admin } from "@postern/admin";
import { appSessions } from "@postern/app";
import type { Postern } from "@postern/core";
import { systemClock } from "@postern/core/testing";
import { toExpressHandler, toNodeHandler } from "@postern/express";
import { toHonoHandler } from "@postern/hono";
import { Hono } from "hono";
import { afterEach, describe, expect, test } from "vitest";
import { formFields } from "../support/browser.ts";
import { openHttpBrowser } from "../support/code-flow.ts";
import { testUser } from "../support/code-flow-fixtures.ts";
import { createTestPostern } from "../support/postern.ts";
import { hasher } from "./support/fixtures.ts";
import { expresses, listenerOf, openMountServer } from "./support/mount-server.ts";

/** Mounts the console beside Postern in each framework, with and without a TLS proxy. */
const paths = ["/", "/admin/", "/a/b/admin/"] as const;

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

type Mount = (postern: Postern, admin: Admin, path: string) => RequestListener;

/** Starts a server with Postern at `/auth/` and the console at a path. @returns the URL of the console. */
async function serveConsole(path: string, behindTls: boolean, mount: Mount): Promise<string> {
  const server = await openMountServer(behindTls);
  closings.push(server.close);
  const appUrl = `${server.origin}${path}`;
  const issuer = `${server.origin}/auth/`;
  const { postern, data } = await createTestPostern({ issuer, testing: { clock: systemClock }, crypto: { hasher } });
  const settings = { name: "Console", token_endpoint_auth_method: "none" as const, callbacks: [`${appUrl}callback`] };
  await postern.seed({ tenantId: "main", clients: [{ clientId: "console", settings }], user: { ...testUser, managesTenant: true } });
  const secret = "a-console-secret-0123456789-abcdefgh";
  const admin = createAdmin({ postern, tenantId: "main", clientId: "console", appUrl, secret, store: appSessions(data) });
  server.listen(mount(postern, admin, path));
  return appUrl;
}

/** Signs in, loads the files of a page, submits a form, and signs out. Every URL must be below the console or the issuer. */
async function useConsole(appUrl: string): Promise<void> {
  const { origin, pathname } = new URL(appUrl);
  const browser = openHttpBrowser(`${origin}/auth/`);
  const started = await browser.go(`${appUrl}login?${new URLSearchParams({ returnTo: `${pathname}users` })}`);
  // A page redirects, because proxies limit the length of a header.
  const [, target = ""] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(started.html) ?? [];
  const identifier = await browser.go(new URL(target.replaceAll("&amp;", "&"), started.url).href);
  expect(identifier.url).toContain(`${origin}/auth/u/login`);
  const password = await browser.submit(identifier, { identifier: testUser.email, action: "continue" });
  const users = await browser.submit(password, { password: testUser.password, action: "sign-in" });
  expect([users.url, users.html.includes(testUser.email)]).toEqual([`${appUrl}users`, true]);

  const links = [...users.html.matchAll(/(?:href|src|action|data-search-url)="([^"#]+)"/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !link.startsWith(pathname) && link !== "data:,")).toEqual([]);
  const files = links.filter((link) => link.includes("assets/"));
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const response = await fetch(new URL(file, appUrl));
    expect([file, response.status, response.headers.get("cache-control")]).toEqual([file, 200, "public, max-age=31536000, immutable"]);
    expect(response.headers.get("content-type")).toMatch(/^(text\/css|text\/javascript|application\/javascript|image\/)/);
  }

  const form = await browser.go(`${appUrl}roles/new`);
  const fields = new URLSearchParams({ ...formFields(form.html), name: "Clerk ü", description: "" });
  const role = await browser.go(form.url, { method: "POST", body: fields });
  expect([role.url.startsWith(`${appUrl}roles/rol_`), role.html.includes("Clerk ü")]).toEqual([true, true]);
  const out = await browser.go(`${appUrl}logout`, { method: "POST" });
  expect([`${origin}/auth/`, appUrl].some((url) => out.url.startsWith(url))).toBe(true);
}

const mounts: { readonly [name: string]: Mount } = {
  ...Object.fromEntries(
    Object.entries(expresses).flatMap(([version, create]): [string, Mount][] => [
      [version, (postern, admin) => mounted(create(), postern, (app) => app.use(toExpressHandler(admin)))],
      [
        `${version}, on the path itself`,
        (postern, admin, path) => mounted(create(), postern, (app) => app.use(path, toExpressHandler(admin))),
      ],
    ]),
  ),
  Hono: (postern, admin, path) => {
    const app = new Hono();
    app.all("/auth/*", toHonoHandler(postern));
    app.all(`${path}*`, toHonoHandler(admin));
    if (path !== "/") app.all(path.slice(0, -1), toHonoHandler(admin));
    return listenerOf(app);
  },
  "plain Node.js": (postern, admin) => {
    const [service, operators] = [toNodeHandler(postern), toNodeHandler(admin)];
    return (request, response) => (request.url?.startsWith("/auth/") === true ? service : operators)(request, response);
  },
};

function mounted<App extends ReturnType<(typeof expresses)["Express 5"]>>(app: App, postern: Postern, mount: (app: App) => unknown): App {
  app.use(toExpressHandler(postern));
  mount(app);
  return app;
}

describe.each(paths)("the console at %s", (path) => {
  describe.each([false, true])("behind a TLS proxy: %s", (behindTls) => {
    test.each(Object.keys(mounts))("signs an operator in, loads its files and accepts a form in %s", async (name) => {
      const { [name]: mount } = mounts;
      if (mount === undefined) throw new Error(`there is no mount '${name}'`);
      await useConsole(await serveConsole(path, behindTls, mount));
    });
  });
});
