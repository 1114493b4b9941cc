/** Postern at four paths in one app, in memory. Runs on any runtime that serves the `fetch` of a default export. */
import { createPostern, type Postern } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { webClient as web, mainManager, testUser } from "../../support/code-flow-fixtures.ts";

/** The app's public origin and its port. The bundler replaces these names. */
declare const ORIGIN: string;
declare const PORT: number;

const paths = ["/auth/", "/api/auth/", "/a/b/c/", "/"];

async function open(path: string): Promise<Postern> {
  const postern = createPostern({
    issuer: ORIGIN + path,
    data: createMemoryAdapter(),
    crypto: { secret: "0123456789abcdef0123456789abcdef" },
    defaultTenantId: "main",
  });
  const settings = { name: "Manager", app_type: "non_interactive" } as const;
  await postern.seed({ tenantId: "main", clients: [web, { ...mainManager, settings, managesTenant: true }], user: testUser });
  return postern;
}

// Opened at the first request, because some runtimes create no keys before one.
const opened = new Map<string, Promise<Postern>>();

export default {
  port: PORT,
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const path = paths.find((each) => pathname.startsWith(each)) ?? "/";
    const postern = opened.get(path) ?? open(path);
    opened.set(path, postern);
    return (await postern).fetch(request);
  },
};
