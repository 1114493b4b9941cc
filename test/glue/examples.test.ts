import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toNodeHandler } from "@postern/express";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";

/** The examples that these tests run behind a real server, each with a separate in-memory database. */
const examples: Readonly<Record<string, () => Promise<RequestListener>>> = {
  express: async () => (await import("../../examples/express/app.ts")).app,
  // Hono and Next.js run on several servers. Any server that converts Node's objects to a Request is sufficient here.
  hono: async () => {
    const { app } = await import("../../examples/hono/app.ts");
    return toNodeHandler({ issuer: "http://localhost/", fetch: async (request) => app.fetch(request) });
  },
  next: async () => {
    const handlers = await import("../../examples/next/app/auth/[...postern]/route.ts");
    const { GET, POST } = handlers;
    const route = (request: Request) => (request.method === "POST" ? POST(request) : GET(request));
    return toNodeHandler({ issuer: "http://localhost/", fetch: route });
  },
};

const servers: Server[] = [];
beforeEach(() => {
  vi.stubEnv("DATABASE_URL", "sqlite::memory:");
  onTestFinished(() => void vi.unstubAllEnvs());
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

test.for(Object.entries(examples))("the %s example issues a token and accepts it", async ([name, load]) => {
  const server = createServer(await load());
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const discovery = await (await fetch(`${url}/auth/.well-known/openid-configuration`)).json();
  expect(discovery).toMatchObject({ issuer: "http://localhost:3000/auth/" });
  const response = await fetch(`${url}/auth/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("backend:for-development-only")}` },
    body: new URLSearchParams({ grant_type: "client_credentials", audience: "http://localhost:3000/auth/api/v2/" }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  const users = await fetch(`${url}/auth/api/v2/users`, { headers: { authorization: `Bearer ${access_token}` } });
  expect([users.status, await users.json()]).toEqual([200, []]);
  if (name !== "next") expect(await (await fetch(url)).text()).toBe("My own page");
});

test("Postern rejects a body of 2 MB in every framework, and serves the next request", async () => {
  for (const server of servers) {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/auth/oauth/token`;
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify("x".repeat(2 * 1024 * 1024)) });
    expect(response.status).toBe(413);
    expect((await fetch(url, { method: "POST", headers, body: "{" })).status).toBe(400);
  }
});

/** The functions that load the service of an example, by the name of the example. */
const services: Readonly<Record<string, () => Promise<unknown>>> = {
  express: () => import("../../examples/express/app.ts"),
  hono: () => import("../../examples/hono/app.ts"),
  "own-pages": () => import("../../examples/own-pages/server.ts"),
  "custom-adapter": () => import("../../examples/custom-adapter/standalone.ts"),
  next: async () => (await import("../../examples/next/lib/postern.ts")).openPostern(),
};

const nonDevelopment: readonly { readonly [name: string]: string }[] = [
  { NODE_ENV: "production" },
  { NODE_ENV: "development", ISSUER: "https://login.example.test/auth/" },
];

test.for(Object.entries(services).flatMap(([name, load]) => nonDevelopment.map((variables) => ({ name, load, variables }))))(
  "the $name example rejects its public default secrets under $variables",
  async ({ name: example, load, variables }) => {
    const folder = mkdtempSync(join(tmpdir(), "postern-examples-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const all = { DATA_FILE: join(folder, "postern.log"), PORT: "0", ...variables };
    for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
    const secondVariable = example === "own-pages" ? "USER_PASSWORD" : "BACKEND_SECRET";
    const secrets = { POSTERN_SECRET: "a-secret-of-the-host-0123456789-abcdef", [secondVariable]: "a-secret-of-the-backend-01234" };
    for (const [name, value] of Object.entries(secrets)) {
      vi.resetModules();
      await expect(load()).rejects.toThrow(`${name} is not set`);
      vi.stubEnv(name, value);
    }
  },
);

test.for(
  Object.entries({
    express: () => import("../../examples/express/server.ts"),
    hono: () => import("../../examples/hono/server.ts"),
    "own-pages": () => import("../../examples/own-pages/server.ts"),
  }),
)("the %s example listens only on the loopback address", async ([, load]) => {
  vi.stubEnv("PORT", "0");
  vi.resetModules();
  const { server } = await load();
  onTestFinished(() => void server.close());
  if (!server.listening) await once(server, "listening");
  expect(server.address()).toMatchObject({ address: "127.0.0.1" });
});

test("the Next.js example listens only on the loopback address", async () => {
  const { scripts } = (await import("../../examples/next/package.json")).default;
  for (const command of [scripts.dev, scripts.start]) expect(command).toMatch(/ -H 127\.0\.0\.1$/);
});
