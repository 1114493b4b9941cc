import compression from "compression";
import cors from "cors";
import helmet from "helmet";
import type { RequestListener } from "node:http";
import type { Postern } from "@postern/core";
import { systemClock } from "@postern/core/testing";
import { toExpressHandler, toNodeHandler } from "@postern/express";
import { toHonoHandler } from "@postern/hono";
import express from "express";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { cors as honoCors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { afterEach, describe, test } from "vitest";
import { codeFlow } from "../support/code-flow.ts";
import { webClient as client, testUser } from "../support/code-flow-fixtures.ts";
import { createTestPostern } from "../support/postern.ts";
import { hasher } from "./support/fixtures.ts";
import { expresses, listenerOf, openMountServer } from "./support/mount-server.ts";
import { testUnless } from "./support/repeated.ts";

/**
 * Mounts Postern at several paths in each framework, with and without a TLS proxy and after common middleware. Next.js
 * is tested in `next.test.ts`, Bun in `runtimes.test.ts`.
 */
const paths = ["/", "/auth/", "/api/auth/", "/a/b/c/"] as const;

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/**
 * Starts a server and creates a Postern below its URL or the proxy's. `mount` returns the request listener for Postern.
 */
async function serveMounted(path: string, { behindTls }: { readonly behindTls: boolean }, mount: (postern: Postern) => RequestListener) {
  const server = await openMountServer(behindTls);
  closings.push(server.close);
  const { postern } = await createTestPostern({ issuer: `${server.origin}${path}`, testing: { clock: systemClock }, crypto: { hasher } });
  await postern.seed({ tenantId: "main", clients: [client], user: testUser });
  server.listen(mount(postern));
  return postern.issuer;
}

const middlewares: { readonly [name: string]: () => readonly express.RequestHandler[] } = {
  nothing: () => [],
  helmet: () => [helmet()],
  compression: () => [compression({ threshold: 0 })],
  cors: () => [cors()],
  "express.json()": () => [express.json()],
  "express.urlencoded()": () => [express.urlencoded({ extended: true })],
  "express.text()": () => [express.text({ type: "*/*" })],
  "express.raw()": () => [express.raw({ type: "*/*" })],
  "all of them": () => [helmet(), compression({ threshold: 0 }), cors(), express.json(), express.urlencoded({ extended: false })],
};

describe.each(paths)("Postern mounted at %s", (path) => {
  describe.each([false, true])("behind a TLS proxy: %s", (behindTls) => {
    // What a framework does with a request depends neither on the path nor on TLS. Only `.ci/nightly` combines all of them.
    const testOnce = testUnless(path !== "/auth/" || behindTls);

    describe.each(["Express 4", "Express 5"] as const)("in %s", (version) => {
      testOnce.each(Object.keys(middlewares))("signs a user in after %s", async (name) => {
        const issuer = await serveMounted(path, { behindTls }, (postern) => {
          const app = expresses[version]();
          for (const middleware of middlewares[name]?.() ?? []) app.use(middleware);
          app.use(toExpressHandler(postern));
          return app;
        });
        await codeFlow(issuer);
      });

      test("signs a user in if it is mounted on the path itself", async () => {
        const issuer = await serveMounted(path, { behindTls }, (postern) => {
          const app = expresses[version]();
          app.use(path, toExpressHandler(postern));
          return app;
        });
        await codeFlow(issuer);
      });
    });

    testOnce.each(["route", "middleware", "mount", "separate app"] as const)(
      "signs a user in if it is mounted as a %s in Hono",
      async (how) => {
        const issuer = await serveMounted(path, { behindTls }, (postern) => {
          const app = new Hono();
          app.use(secureHeaders(), compress(), honoCors());
          const handler = toHonoHandler(postern);
          if (how === "route") app.all(`${path}*`, handler);
          else if (how === "middleware") app.use(handler);
          else if (how === "mount")
            app.mount(path === "/" ? path : path.slice(0, -1), (request) => postern.fetch(request), { replaceRequest: false });
          else app.route(path, new Hono().all("*", handler));
          return listenerOf(app);
        });
        await codeFlow(issuer);
      },
    );

    testOnce("signs a user in in Hono after another middleware read the body", async () => {
      const issuer = await serveMounted(path, { behindTls }, (postern) => {
        const app = new Hono();
        app.use(async (context, next) => {
          await (context.req.header("content-type")?.includes("json") === true ? context.req.json() : context.req.parseBody());
          await next();
        });
        app.all(`${path}*`, toHonoHandler(postern));
        return listenerOf(app);
      });
      await codeFlow(issuer);
    });

    test("signs a user in in plain Node.js", async () => {
      await codeFlow(await serveMounted(path, { behindTls }, toNodeHandler));
    });
  });
});
