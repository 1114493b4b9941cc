import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@postern/express";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

/** The three examples, each on a database of its own in memory, behind a real server. */
const examples: Readonly<Record<string, () => Promise<RequestListener>>> = {
  express: async () => (await import("../../examples/express/app.ts")).app,
  // Their own servers are the host's choice; any that turns Node's objects into a Request will do here.
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
beforeAll(() => vi.stubEnv("DATABASE_URL", "sqlite::memory:"));
afterAll(() => {
  vi.unstubAllEnvs();
  for (const server of servers) server.close().closeAllConnections();
});

test.for(Object.entries(examples))("the %s example issues a token and answers with it", async ([name, load]) => {
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

test("2 MB are refused by Postern, whatever the framework, and the next request is answered", async () => {
  for (const server of servers) {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/auth/oauth/token`;
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify("x".repeat(2 * 1024 * 1024)) });
    expect(response.status).toBe(413);
    expect((await fetch(url, { method: "POST", headers, body: "{" })).status).toBe(400);
  }
});
