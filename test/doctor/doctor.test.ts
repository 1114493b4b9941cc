import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createPostern, type Finding, type Postern } from "@postern/core";
import { createManualClock, systemClock } from "@postern/core/testing";
import { toExpressHandler } from "@postern/express";
import { createMemoryAdapter } from "@postern/memory";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { createTestPostern, type TestOptions } from "../support/postern.ts";

/** Handles requests in front of the service, as a proxy or middleware does. */
type Proxy = (request: Request, service: (request: Request) => Promise<Response>, postern: Postern) => Promise<Response>;

const passThrough: Proxy = async (request, service) => service(request);

/** Runs the doctor of a service that is served behind `proxy` over real HTTP. */
async function runDoctor(proxy: Proxy = passThrough, options: (origin: string) => TestOptions = () => ({})): Promise<readonly Finding[]> {
  let handle: (request: Request) => Promise<Response> = async () => new Response(null, { status: 500 });
  const listener = getRequestListener((request) => handle(request), { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response)).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { postern } = await createTestPostern({
    issuer: `${origin}/auth/`,
    messages: { mail: { send: async () => {} } },
    ...options(origin),
    testing: { clock: systemClock, ...options(origin).testing },
  });
  handle = (request) => proxy(request, (forwarded) => postern.fetch(forwarded, { clientAddress: "127.0.0.1" }), postern);
  return postern.doctor({ timeout: 5000 });
}

/** Returns the errors and warnings as short text. */
const problems = (findings: readonly Finding[]): readonly string[] =>
  findings
    .filter(({ level }) => level !== "ok")
    .map(({ check, level, message }) => `${level} ${check}: ${message.replaceAll(/localhost:\d+/g, "HOST")}`);

const withHeaders = (response: Response, change: (headers: Headers) => void): Response => {
  const headers = new Headers(response.headers);
  change(headers);
  return new Response(response.body, { status: response.status, headers });
};

const withUrl = (request: Request, path: string, headers: HeadersInit = request.headers): Request =>
  new Request(new URL(path, request.url), { method: request.method, headers, ...(request.body && { body: request.body, duplex: "half" }) });

test("a correct setup has no problems, and the findings include every check", async () => {
  const findings = await runDoctor();
  expect(problems(findings)).toEqual([]);
  expect(new Set(findings.map(({ check }) => check))).toEqual(
    new Set(["data", "secret", "factors", "client", "issuer", "host", "proxy", "cookie", "headers", "body"]),
  );
});

test("a public client whose stored refresh token settings have no effect is named", async () => {
  const { postern } = await createTestPostern();
  const refresh_token = { rotation_type: "non-rotating", expiration_type: "non-expiring" } as const;
  const { clients } = postern.tenant("main");
  const { client_id: phone } = await clients.create({ name: "Phone", app_type: "native", refresh_token });
  await clients.create({ name: "Server", app_type: "regular_web", refresh_token });
  const send = async (request: Request) => postern.fetch(request);
  const named = (await postern.doctor({ fetch: send })).filter(({ check }) => check === "client");
  expect(named).toHaveLength(1);
  expect(named).toMatchObject([
    { level: "warning", message: expect.stringContaining(`'${phone}' of the tenant 'main' rotate and expire`) },
  ]);
});

let cached: Response | undefined;

test.each<[what: string, expected: string, proxy?: Proxy, options?: (origin: string) => TestOptions]>([
  [
    "nothing listens there",
    "error connection: 'http://HOST/' does not respond: no server listens there",
    passThrough,
    () => ({ issuer: "http://localhost:49151/" }),
  ],
  [
    "the host name is unknown",
    "error connection: 'https://no-such-host.invalid/' does not respond: its host name",
    passThrough,
    () => ({ issuer: "https://no-such-host.invalid/" }),
  ],
  [
    "https requests reach a port that serves http",
    "error connection: 'https://HOST/auth/' does not respond: it does not support TLS there",
    passThrough,
    (origin) => ({ issuer: `${origin.replace("http:", "https:")}/auth/` }),
  ],
  [
    "the request times out",
    "error connection: 'http://HOST/auth/' does not respond: it did not answer within 5000 ms",
    () => new Promise(() => {}),
  ],
  [
    "a proxy does not reach the app",
    "error connection: 'http://HOST/auth/' responds with 502",
    async () => new Response("bad gateway", { status: 502 }),
  ],
  [
    "the proxy redirects to https",
    "error scheme: 'http://HOST/auth/.well-known/openid-configuration' is redirected to https",
    async (request) => new Response(null, { status: 308, headers: { location: request.url.replace("http:", "https:") } }),
  ],
  [
    "the site redirects to another address",
    "error redirect: 'http://HOST/auth/.well-known/openid-configuration' is redirected to '/login'",
    async () => new Response(null, { status: 302, headers: { location: "/login" } }),
  ],
  [
    "a proxy removes the path",
    "error mount: the service responds at 'http://HOST/' instead of 'http://HOST/auth/'",
    async (request, service) => service(withUrl(request, `/auth${new URL(request.url).pathname}`)),
  ],
  [
    "the handler is mounted nowhere",
    "error mount: 'http://HOST/auth/' responds with 404: no handler is mounted there",
    async () => new Response("not found", { status: 404 }),
  ],
  [
    "a proxy requires a login",
    "error mount: 'http://HOST/auth/' responds with 401",
    async () => new Response("who are you", { status: 401, headers: { "www-authenticate": "Basic" } }),
  ],
  [
    "a single-page app handles every request",
    "error issuer: 'http://HOST/auth/' reaches something else: 200, text/html, a page",
    async () => new Response("<html></html>", { headers: { "content-type": "text/html" } }),
  ],
  [
    "the service has another issuer",
    "error issuer: 'http://HOST/auth/' reaches a service with the issuer 'https://id.example.test/auth/'",
    async (request, service) => {
      const response = await service(request);
      return new Response((await response.text()).replaceAll(/http:\/\/localhost:\d+/g, "https://id.example.test"), response);
    },
  ],
  [
    "another installation responds",
    "error installation: 'http://HOST/auth/' reaches another installation",
    async (request, _, { issuer }) => (await createTestPostern({ issuer, data: createMemoryAdapter() })).postern.fetch(request),
  ],
  [
    "the proxy is missing in trustedProxies",
    "warning proxy: a proxy that is not in 'trustedProxies'",
    async (request, service) =>
      service(withUrl(request, request.url, { ...Object.fromEntries(request.headers), "x-forwarded-for": "198.51.100.1" })),
  ],
  [
    "every sender counts as a proxy",
    "warning proxy: a forged IP address is accepted",
    passThrough,
    () => ({ trustedProxies: ["127.0.0.0/8"] }),
  ],
  [
    "the proxy changes the host",
    "warning host: a request for 'http://HOST/auth/' arrives with the host 'backend:8080'",
    async (request, service) => service(new Request(request.url.replace(/localhost:\d+/, "backend:8080"), request)),
  ],
  [
    "cookies are dropped",
    "error cookie: cookies do not reach browsers",
    async (request, service) => withHeaders(await service(request), (headers) => headers.delete("set-cookie")),
  ],
  [
    "cookies get another path",
    "error cookie: cookies are changed before they reach browsers: Path=/auth/, Path=/",
    async (request, service) => {
      const response = await service(request);
      const lines = response.headers.getSetCookie();
      return withHeaders(response, (headers) => {
        headers.delete("set-cookie");
        for (const line of lines) headers.append("set-cookie", line.replace("Path=/auth/", "Path=/"));
      });
    },
  ],
  [
    "bodies are dropped",
    "error body: a form arrives at the token endpoint without its fields: 400",
    async (request, service) => service(new Request(request.url, { method: request.method, headers: request.headers })),
  ],
  [
    "middleware replaces the content security policy",
    "error headers: these headers of the login page are replaced before they reach browsers: content-security-policy",
    async (request, service) =>
      withHeaders(await service(request), (headers) => headers.set("content-security-policy", "default-src 'self'")),
  ],
  [
    "pages are cached",
    "error cache: the login page comes from a cache",
    async (request, service) => {
      if (!request.url.endsWith("/u/login")) return service(request);
      cached ??= await service(request);
      return withHeaders(cached.clone(), (headers) => headers.set("x-cache", "HIT"));
    },
  ],
  [
    "CORS headers are set twice",
    "warning cors: the header Access-Control-Allow-Origin of the discovery document is '*, https://app.example.test'",
    async (request, service) =>
      withHeaders(await service(request), (headers) => headers.append("access-control-allow-origin", "https://app.example.test")),
  ],
  [
    "the clock is wrong",
    "warning clock: the clock of 'http://HOST/auth/' is",
    passThrough,
    () => ({ testing: { clock: createManualClock(Date.now() - 3_600_000) } }),
  ],
  [
    "the default tenant does not exist",
    "error tenant: the tenant 'shop' in 'defaultTenantId' does not exist",
    passThrough,
    () => ({ defaultTenantId: "shop" }),
  ],
  ["no mail is sent", "warning mail: no mail sender is configured", passThrough, () => ({ messages: {} })],
  [
    "the issuer is plain http in public",
    "error scheme: the issuer 'http://login.example.test/' is http",
    passThrough,
    () => ({ issuer: "http://login.example.test/" }),
  ],
])("reports: %s", async (_, expected, proxy, options) => {
  cached = undefined;
  const findings = await runDoctor(proxy, options);
  expect(problems(findings)).toContainEqual(expect.stringContaining(expected));
  for (const { level, cure } of findings) expect(cure === undefined).toBe(level === "ok");
});

test("the forged IP address that the doctor sends does not cause a warning about a proxy", async () => {
  const logged: string[] = [];
  await runDoctor(passThrough, () => ({ logger: { log: ({ event }) => void logged.push(event) } }));
  expect(logged).toContain("request");
  expect(logged).not.toContain("setup");
});

test("an unavailable data store is not reported as a wrong secret", async () => {
  const data = createMemoryAdapter();
  const closed = {
    collections: {
      ...data.collections,
      signing_keys: { ...data.collections.signing_keys, find: () => Promise.reject(new Error("the driver was destroyed")) },
    },
  };
  const postern = createPostern({
    issuer: "http://localhost:49151/",
    data: closed,
    crypto: { secret: "another-secret-0123456789-abcdefghij" },
  });
  const findings = problems(await postern.doctor());
  expect(findings).toContainEqual("error data: the data store does not respond: the driver was destroyed");
  expect(findings.filter((finding) => finding.includes("secret:"))).toEqual([]);
});

test("reports a data store with an old schema, and a secret that does not decrypt its data", async () => {
  const data = createMemoryAdapter();
  await createTestPostern({ data });
  const options = { issuer: "http://localhost:49151/", defaultTenantId: "main" };
  const wrongSecret = createPostern({ ...options, data, crypto: { secret: "another-secret-0123456789-abcdefghij" } });
  expect(problems(await wrongSecret.doctor())).toContainEqual(
    expect.stringContaining("error secret: the secret cannot decrypt this data store"),
  );
  const check = async () => {
    throw new Error("the table 'users' has no column 'phone'");
  };
  const outdated = createPostern({
    ...options,
    data: { ...createMemoryAdapter(), check },
    crypto: { secret: "another-secret-0123456789-abcdefghij" },
  });
  expect(problems(await outdated.doctor())).toContainEqual(
    "error data: the data store does not have what this version needs: the table 'users' has no column 'phone'",
  );
});

test("reports no problem for a body parser before the service in Express, and an error for a catch-all handler before the service", async () => {
  const at = async (mount: (app: ReturnType<typeof express>, postern: Postern) => void): Promise<readonly string[]> => {
    const app = express();
    const server = createServer(app).listen(0, "127.0.0.1");
    onTestFinished(() => server.close().closeAllConnections());
    await once(server, "listening");
    const issuer = `http://localhost:${(server.address() as AddressInfo).port}/auth/`;
    const { postern } = await createTestPostern({ issuer, testing: { clock: systemClock }, messages: { mail: { send: async () => {} } } });
    mount(app, postern);
    return problems(await postern.doctor({ timeout: 5000 }));
  };
  expect(
    await at((app, postern) => void app.use(express.json(), express.urlencoded({ extended: false }), toExpressHandler(postern))),
  ).toEqual([]);
  const spa = await at((app, postern) => {
    app.use((_, response) => void response.send("<html>"));
    app.use(toExpressHandler(postern));
  });
  expect(spa).toEqual([expect.stringContaining("error issuer: 'http://HOST/auth/' reaches something else: 200, text/html")]);
});

test("only the doctor's requests receive the probe cookie, and the findings contain no secret", async () => {
  const { postern } = await createTestPostern();
  for (const token of ["", "x", "a".repeat(32)]) {
    const response = await postern.fetch(new Request(`${postern.issuer}u/login`, { headers: { "x-postern-probe": token } }));
    expect(response.headers.getSetCookie()).toEqual([]);
  }
  expect(JSON.stringify(await postern.doctor({ fetch: (request) => postern.fetch(request) }))).not.toContain("0123456789abcdef");
});

test("readiness responds with 200 while the data store is available, otherwise with 503 without a reason, and caches the result for a second", async () => {
  const inner = createMemoryAdapter();
  let isUnavailable = false;
  let queries = 0;
  const { tenants } = inner.collections;
  const find: typeof tenants.find = async (query) => {
    // The check of policies, which runs once after the first response, reads whole pages.
    if (query.limit === 1) queries++;
    if (isUnavailable) throw new Error("secret-host:5432 is unavailable");
    return tenants.find(query);
  };
  const { postern, clock } = await createTestPostern({
    data: { ...inner, collections: { ...inner.collections, tenants: { ...tenants, find } } },
  });
  const readiness = async () => {
    const response = await postern.ready();
    return [response.status, await response.json()];
  };
  queries = 0;
  const responses = await Promise.all(Array.from({ length: 50 }, readiness));
  expect([responses[0], queries]).toEqual([[200, { status: "ready" }], 1]);
  isUnavailable = true;
  expect(await readiness()).toEqual([200, { status: "ready" }]);
  clock.advance(1000);
  expect(await readiness()).toEqual([503, { status: "not ready" }]);
  isUnavailable = false;
  clock.advance(1000);
  expect(await readiness()).toEqual([200, { status: "ready" }]);
});
