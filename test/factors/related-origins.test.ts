import { handleRootRequest } from "@postern/core/glue";
import { toExpressHandler, toExpressRootHandler } from "@postern/express";
import { toHonoHandler, toHonoRootHandler } from "@postern/hono";
import { toNextRootHandlers } from "@postern/next";
import express from "express";
import { Hono } from "hono";
import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { jsonBody, list, managerOf, stringMember } from "../support/api.ts";
import { createTestPostern, type TestOptions, type TestPostern } from "../support/postern.ts";

/** The document with which several domains of a tenant share passkeys (WebAuthn section 5.11). */

const path = "/.well-known/webauthn";
const origins = ["https://login.two.example"];

/** Opens a service with two domains that share passkeys, a third domain, and a domain of another tenant. */
async function openDomains(options: TestOptions = {}): Promise<TestPostern> {
  const service = await createTestPostern(options);
  const { postern } = service;
  await postern.seed({ tenantId: "main", domains: ["login.one.example", "login.two.example", "login.three.example"] });
  await postern.seed({ tenantId: "other", domains: ["login.other.example"] });
  await share(service, "main", "login.two.example");
  return service;
}

/** Sets the RP ID of a domain to `login.one.example`. */
async function share(service: TestPostern, tenantId: "main" | "other", domain: string): Promise<void> {
  const manage = await managerOf(service, tenantId);
  const found = list(await manage("GET", "/api/v2/custom-domains")).find((one) => one["domain"] === domain) ?? {};
  const id = stringMember(found, "custom_domain_id");
  jsonBody(await manage("PATCH", `/api/v2/custom-domains/${id}`, { relying_party_identifier: "login.one.example" }));
}

test("lists the other domains whose RP ID is the host, as a public document without cookies", async () => {
  const { postern } = await openDomains();
  const response = await postern.fetch(new Request(`https://login.one.example${path}`));
  expect([response.status, await response.json()]).toEqual([200, { origins }]);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(response.headers.get("cache-control")).toBe("public, max-age=60");
  expect(response.headers.getSetCookie()).toEqual([]);
});

test("responds with 404 on every other host, and never lists a domain of another tenant or an unverified one", async () => {
  const service = await openDomains();
  const manage = await managerOf(service);
  await share(service, "other", "login.other.example");
  await manage.create("/api/v2/custom-domains", {
    domain: "login.claimed.example",
    type: "self_managed_certs",
    relying_party_identifier: "login.one.example",
  });
  const { postern } = service;
  for (const host of ["login.two.example", "login.three.example", "login.other.example", "id.example.test", "unknown.example"]) {
    expect((await postern.fetch(new Request(`https://${host}${path}`))).status, host).toBe(404);
  }
  const forged = await postern.fetch(
    new Request(`https://id.example.test${path}`, { headers: { "x-forwarded-host": "login.one.example" } }),
  );
  expect(forged.status).toBe(404);
  expect(await (await postern.fetch(new Request(`https://login.one.example${path}`))).json()).toEqual({ origins });
});

const below = { issuer: "https://id.example.test/auth/" };
type Send = (host: string) => Promise<{ readonly status: number; readonly body: string }>;
const read = async (response: Response) => ({ status: response.status, body: await response.text() });

/** Apps with an issuer below a path. */
const apps: Readonly<Record<string, (service: TestPostern) => Promise<Send>>> = {
  Express: async ({ postern }) => {
    const app = express();
    app.use(toExpressRootHandler(postern), toExpressHandler(postern));
    const server = createServer(app).listen(0, "127.0.0.1");
    onTestFinished(() => server.close().closeAllConnections());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return async (host) => {
      const sent = sendRequest({ port, host: "127.0.0.1", path, headers: { host } }).end();
      const [response] = await once(sent, "response");
      return { status: response.statusCode, body: await text(response) };
    };
  },
  Hono: async ({ postern }) => {
    const app = new Hono();
    app.use(toHonoRootHandler(postern));
    app.all("/auth/*", toHonoHandler(postern));
    return async (host) => read(await app.request(`https://${host}${path}`));
  },
  "Next.js": async ({ postern }) => {
    const { GET } = toNextRootHandlers(() => postern);
    return async (host) => read(await GET(new Request(`http://10.0.0.7:3000${path}`, { headers: { host } })));
  },
};

test.for(Object.entries(apps))("the %s root handler serves the document of the requested host", async ([, open]) => {
  const send = await open(await openDomains(below));
  expect(await send("login.one.example")).toEqual({ status: 200, body: JSON.stringify({ origins }) });
  expect((await send("login.two.example")).status).toBe(404);
  expect((await send("id.example.test")).status).toBe(404);
});

test("the root handler uses the host name that a trusted proxy sends", async () => {
  const { postern } = await openDomains({ ...below, trustedProxies: ["10.0.0.0/8"] });
  const headers = { "x-forwarded-host": "login.one.example", "x-forwarded-for": "192.0.2.9" };
  const request = new Request(`http://localhost:3000${path}`, { headers });
  const response = await handleRootRequest(postern, request, {}, { clientAddress: "10.0.0.1" });
  expect(await response?.json()).toEqual({ origins });
  expect((await handleRootRequest(postern, request, {}, { clientAddress: "192.0.2.9" }))?.status).toBe(404);
});
