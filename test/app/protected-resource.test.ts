import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTokenCheck, TokenError, type TokenCheck } from "@postern/app";
import * as forExpress from "@postern/express";
import * as forHono from "@postern/hono";
import express from "express";
import { Hono } from "hono";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openService, type LoginService } from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";

const tools = "https://tools.example.test/mcp";
const scopes = ["read", "write", "offline_access"];
const document = "/.well-known/oauth-protected-resource/mcp";

let service: LoginService;
let check: TokenCheck;
let token: string;

beforeAll(async () => {
  service = await openService();
  const settings = { name: "Worker", app_type: "non_interactive" } as const;
  await service.postern.seed({
    tenantId: "main",
    apis: [{ identifier: tools, scopes: [{ value: "read" }, { value: "write" }] }],
    clients: [{ clientId: "worker", secret: clientSecret, settings, grants: { [tools]: ["read"] } }],
  });
  check = checkOf(tools);
  const form = { grant_type: "client_credentials", client_id: "worker", client_secret: clientSecret, resource: tools };
  const { body } = await service.exchange(form);
  token = (body as { access_token: string }).access_token;
});

const checkOf = (audience: string, more: object = {}): TokenCheck => {
  const resource = { scopes, name: "Tools", documentation: "https://tools.example.test/docs", ...more };
  return createTokenCheck({ postern: service.postern, tenantId: "main", audience, resource, now: () => service.clock.now() });
};

const challengeOf = async (authorization: string | undefined, required: readonly string[] = []): Promise<string> => {
  const error: unknown = await check.verify(authorization, required).catch((thrown: unknown) => thrown);
  if (!(error instanceof TokenError)) throw new Error(`not rejected: ${String(error)}`);
  return error.challenge;
};

test("the document names the API as it is registered, its issuer and its scopes (RFC 9728 section 2)", async () => {
  const response = await check.metadata(new Request(`https://tools.example.test${document}`));
  expect(await response?.json()).toEqual({
    resource: tools,
    authorization_servers: [service.postern.issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: ["ES256", "ES384", "PS256", "RS256", "EdDSA", "Ed25519"],
    resource_name: "Tools",
    resource_documentation: "https://tools.example.test/docs",
  });
  expect(response?.headers.get("access-control-allow-origin")).toBe("*");
  const preflight = await check.metadata(new Request(`https://tools.example.test${document}`, { method: "OPTIONS" }));
  expect([preflight?.status, preflight?.headers.get("access-control-allow-headers")]).toEqual([204, "MCP-Protocol-Version"]);
});

test.each([
  ["https://tools.example.test", "/.well-known/oauth-protected-resource"],
  ["https://tools.example.test/", "/.well-known/oauth-protected-resource"],
  ["https://tools.example.test/a/b", "/.well-known/oauth-protected-resource/a/b"],
  ["https://tools.example.test/a/", "/.well-known/oauth-protected-resource/a/"],
  ["https://tools.example.test/a?b=c", "/.well-known/oauth-protected-resource/a"],
])("the document of %s is at %s", async (audience, path) => {
  const response = await checkOf(audience).metadata(new Request(`https://tools.example.test${path}`));
  expect(await response?.json()).toMatchObject({ resource: audience });
});

test("other requests are the app's, and all requests to an API without a description", async () => {
  const others = ["/mcp", "/.well-known/oauth-protected-resource", `${document}/`, `${document}x`];
  for (const path of others) expect(await check.metadata(new Request(`https://tools.example.test${path}`)), path).toBeUndefined();
  const posted = new Request(`https://tools.example.test${document}`, { method: "POST" });
  expect(await check.metadata(posted)).toBeUndefined();
  const plain = createTokenCheck({ postern: service.postern, tenantId: "main", audience: tools });
  expect(await plain.metadata(new Request(`https://tools.example.test${document}`))).toBeUndefined();
});

test("each challenge names the document, and that for a missing token the scopes to request", async () => {
  const metadata = `resource_metadata="https://tools.example.test${document}"`;
  expect(await challengeOf(undefined, ["read"])).toBe(`Bearer ${metadata}, scope="read offline_access"`);
  expect(await challengeOf("Bearer none", ["read"])).toMatch(/^Bearer error="invalid_token", .*resource_metadata="/);
  expect(await challengeOf(`Bearer ${token}`, ["read", "write"])).toBe(
    `Bearer error="insufficient_scope", scope="read write", ${metadata}`,
  );
  check = checkOf(tools, { scopes: ["read"] });
  expect(await challengeOf(undefined)).toBe(`Bearer ${metadata}`);
});

test.each(["tools", "urn:tools", "ftp://tools.example.test/", "https://tools.example.test/#a"])("an API %s has no document", (audience) => {
  expect(() => checkOf(audience)).toThrow("must be an http or https URL without a fragment");
});

describe("the glue", () => {
  const apps: { readonly [name: string]: () => Promise<(path: string, method?: string) => Promise<Response>> } = {
    Express: async () => {
      const app = express();
      app.use(forExpress.resourceMetadata(check));
      app.get("/mcp", forExpress.requireToken(check, ["read"]), (_, response) => void response.send("tools"));
      app.use((_, response) => void response.send("my own"));
      const server = createServer(app).listen(0, "127.0.0.1");
      onTestFinished(() => server.close().closeAllConnections());
      await once(server, "listening");
      return (path, method = "GET") => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method });
    },
    Hono: async () => {
      const app = new Hono();
      app.use(forHono.resourceMetadata(check));
      app.get("/mcp", forHono.requireToken(check, ["read"]), (c) => c.text("tools"));
      app.all("*", (c) => c.text("my own"));
      return async (path, method = "GET") => app.request(`https://tools.example.test${path}`, { method });
    },
  };

  test.for(Object.entries(apps))("of %s serves the document that a challenge names, and passes other requests on", async ([, open]) => {
    const send = await open();
    const challenge = (await send("/mcp")).headers.get("www-authenticate") ?? "";
    const [, url = ""] = /resource_metadata="([^"]*)"/.exec(challenge) ?? [];
    expect(await (await send(new URL(url).pathname)).json()).toMatchObject({ resource: tools });
    expect((await send(document, "OPTIONS")).status).toBe(204);
    expect(await (await send(document, "POST")).text()).toBe("my own");
    expect(await (await send("/")).text()).toBe("my own");
  });
});
