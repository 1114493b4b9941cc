import { createAdmin } from "@postern/admin";
import { appSessions } from "@postern/app";
import { createPostern } from "@postern/core";
import { createSqliteAdapter } from "@postern/kysely";
import { Database } from "bun:sqlite";
import { consoleOptions, consolePaths, consoleSeed } from "./console-setup.ts";

/** Serves Postern at `/auth/` and consoles on Bun, as docs/admin-console.md shows. */
const { ORIGIN = "http://localhost:3000", PORT = "3000" } = process.env;

const data = createSqliteAdapter({ database: new Database(":memory:") });
await data.migrate();
const secret = "0123456789abcdef0123456789abcdef";
const postern = createPostern({ issuer: `${ORIGIN}/auth/`, data, crypto: { secret }, defaultTenantId: "main" });
const appUrls = consolePaths.map((path) => ORIGIN + path);
await postern.seed(consoleSeed(...appUrls));
const consoles = appUrls.map((appUrl) => createAdmin({ ...consoleOptions(appUrl), postern, store: appSessions(data) }));

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(PORT),
  fetch: async (request, server) => {
    const peer = server.requestIP(request);
    const extra = peer === null ? {} : { clientAddress: peer.address };
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/auth/")) return postern.fetch(request, extra);
    // The console at `/` has every path, and is the first one.
    const admin = consoles.findLast(({ issuer }) => `${pathname}/`.startsWith(new URL(issuer).pathname));
    return admin?.fetch(request, extra) ?? new Response(null, { status: 404 });
  },
});
