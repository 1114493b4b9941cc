import type { RequestListener } from "node:http";
import { createAdmin, type Admin } from "@postern/admin";
import { appSessions } from "@postern/app";
import type { Postern } from "@postern/core";
import { systemClock } from "@postern/core/testing";
import { toExpressHandler, toNodeHandler } from "@postern/express";
import { toHonoHandler } from "@postern/hono";
import { Hono } from "hono";
import { afterEach, describe, test } from "vitest";
import { createTestPostern } from "../support/postern.ts";
import { hasher } from "./support/fixtures.ts";
import { consoleOptions, consolePaths, consoleSeed } from "./support/console-setup.ts";
import { useConsole } from "./support/mounted-console.ts";
import { expresses, listenerOf, openMountServer } from "./support/mount-server.ts";

/** Mounts the console beside Postern in each framework, with and without a TLS proxy. */
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
  await postern.seed(consoleSeed(appUrl));
  const admin = createAdmin({ ...consoleOptions(appUrl), postern, store: appSessions(data) });
  server.listen(mount(postern, admin, path));
  return appUrl;
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

describe.each(consolePaths)("the console at %s", (path) => {
  describe.each([false, true])("behind a TLS proxy: %s", (behindTls) => {
    test.each(Object.keys(mounts))("signs an operator in, loads its files and accepts a form in %s", async (name) => {
      const { [name]: mount } = mounts;
      if (mount === undefined) throw new Error(`there is no mount '${name}'`);
      const appUrl = await serveConsole(path, behindTls, mount);
      await useConsole(appUrl, new URL("/auth/", appUrl).href);
    });
  });
});
