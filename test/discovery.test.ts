import { createLocalJWKSet, createRemoteJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from "jose";
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { list, managerOf, jsonBody, stringMember } from "./support/api.ts";
import { serve, type ServedPostern } from "./support/http.ts";
import { clientSecret, createTestPostern } from "./support/postern.ts";

const documents = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

describe.each([
  ["at the root", "https://id.example.test/", "https://id.example.test/"],
  ["under a path", "https://example.test/some/auth", "https://example.test/some/auth/"],
  ["on a port", "http://localhost:8080", "http://localhost:8080/"],
])("an issuer %s", (_, issuer, expected) => {
  test("has exactly the same form wherever it appears", async () => {
    const service = await createTestPostern({ issuer });
    expect(service.postern.issuer).toBe(expected);
    for (const path of documents) {
      const metadata = jsonBody(await service.call("GET", path));
      expect(metadata).toMatchObject({
        issuer: expected,
        token_endpoint: `${expected}oauth/token`,
        jwks_uri: `${expected}.well-known/jwks.json`,
      });
      const urls = Object.values(metadata).filter((value) => typeof value === "string" && value.includes("://"));
      for (const url of urls) expect(String(url).startsWith(expected), String(url)).toBe(true);
    }
    const claims = decodeJwt(await service.token());
    expect([claims.iss, claims.aud]).toEqual([expected, `${expected}api/v2/`]);
    const manage = await managerOf(service);
    expect(list(await manage("GET", "/api/v2/resource-servers"))[0]).toMatchObject({ identifier: `${expected}api/v2/` });
  });
});

test("the JWKS of an issuer with a thousand tenants contains the keys of the control plane and of the fifty tenants with a slot", async () => {
  const service = await createTestPostern();
  const [key] = await service.data.collections.signing_keys.find({ where: { tenant_id: "main", type: "jwt_signing" }, limit: 1 });
  if (key === undefined) throw new Error("the seed created no key");
  const copies = Array.from({ length: 1200 }, (_, index) => ({
    ...key,
    tenant_id: `t${index}`,
    kid: `kid-${index}`,
    public_jwk: { ...key.public_jwk, kid: `kid-${index}` },
  }));
  expect(await service.data.collections.signing_keys.insert(copies)).toBe(true);
  const published = async (): Promise<unknown> => {
    service.clock.advance("10s");
    const { keys } = jsonBody(await service.call("GET", "/.well-known/jwks.json"));
    return Array.isArray(keys) && keys.length;
  };
  expect(await published()).toBe(1);
  const slots = Array.from({ length: 50 }, (_, slot) => ({ kind: "keys", value: String(slot), tenant_id: `t${slot}`, created_at: 0 }));
  expect(await service.data.collections.directory.insert(slots)).toBe(true);
  expect(await published()).toBe(51);
});

test("paths outside the base path and similar paths respond with 404", async () => {
  const { postern } = await createTestPostern({ issuer: "https://example.test/auth/" });
  for (const path of ["/", "/auth", "/authx/.well-known/jwks.json", "/.well-known/jwks.json", "/auth/../.well-known/jwks.json"]) {
    const response = await postern.fetch(new Request(`https://example.test${path}`));
    expect(response.status, path).toBe(404);
    expect(await response.json()).toMatchObject({ error: "not_found" });
  }
});

test("the metadata documents of OpenID Connect and RFC 8414 are identical, publicly cacheable and readable by any origin", async () => {
  const { postern } = await createTestPostern();
  const answers = await Promise.all(documents.map((path) => postern.fetch(new Request(`https://id.example.test${path}`))));
  const [first, second] = await Promise.all(answers.map((answer) => answer.text()));
  expect(first).toBe(second);
  for (const { headers } of answers) {
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("public, max-age=60");
    // A shared cache may return this response to a script of any origin.
    expect(headers.get("access-control-allow-origin")).toBe("*");
    // These headers select the tenant of the document.
    expect(headers.get("vary")).toBe("Host, X-Forwarded-Host, Tenant-Id");
    expect(headers.get("set-cookie")).toBeNull();
  }
});

test.each([...documents, "/.well-known/jwks.json"])(
  "%s responds with 304 to a matching If-None-Match, and with 200 otherwise",
  async (path) => {
    const service = await createTestPostern();
    const first = await service.call("GET", path, { headers: { origin: "https://anywhere.example" } });
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w+/=-]{20,}"$/);
    // Any script may read public documents.
    expect(first.headers.get("access-control-allow-origin")).toBe("*");
    for (const matching of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await service.call("GET", path, { headers: { "if-none-match": matching } });
      expect(again.headers.get("vary")).toBe("Host, X-Forwarded-Host, Tenant-Id");
      expect([again.status, again.body, again.headers.get("etag"), again.headers.get("cache-control")]).toEqual([
        304,
        undefined,
        etag,
        first.headers.get("cache-control"),
      ]);
    }
    for (const other of ['"other"', "", "W/", etag.slice(1, -1)]) {
      expect(await service.call("GET", path, { headers: { "if-none-match": other } })).toMatchObject({ status: 200, body: first.body });
    }
    const head = await service.call("HEAD", path);
    expect([head.status, head.body, head.headers.get("etag")]).toEqual([200, undefined, etag]);
  },
);

test("the JWKS contains only public keys with certificates, and verifies the tokens of every tenant of the issuer", async () => {
  const service = await createTestPostern();
  const { keys } = jsonBody(await service.call("GET", "/.well-known/jwks.json"));
  if (!Array.isArray(keys)) throw new Error("no keys");
  for (const key of keys) {
    expect(key).toMatchObject({ kty: "EC", use: "sig", alg: "ES256", kid: expect.any(String), x5c: [expect.any(String)] });
    for (const secret of ["d", "p", "q", "k"]) expect(key).not.toHaveProperty(secret);
  }
  const set = createLocalJWKSet({ keys } as JSONWebKeySet);
  for (const tenant of ["main", "other"] as const) {
    const options = {
      issuer: service.postern.issuer,
      audience: `${service.postern.issuer}api/v2/`,
      currentDate: new Date(service.clock.now()),
    };
    expect((await jwtVerify(await service.token(tenant), set, options)).payload).toMatchObject({ tenant_id: tenant });
  }
});

test("the JWKS of a service with RS256 contains RSA keys", async () => {
  const service = await createTestPostern({ crypto: { signingAlgorithm: "RS256" } });
  expect(jsonBody(await service.call("GET", "/.well-known/jwks.json"))).toMatchObject({ keys: [{ kty: "RSA", alg: "RS256" }] });
});

describe("over HTTP", () => {
  let root: ServedPostern;
  let underPath: ServedPostern;

  beforeAll(async () => {
    [root, underPath] = await Promise.all([serve(), serve((origin) => ({ issuer: `${origin}/my/login/` }))]);
  });
  afterAll(async () => {
    await Promise.all([root.close(), underPath.close()]);
  });

  test("jose verifies a token with the remote JWKS", async () => {
    for (const service of [root, underPath]) {
      const { issuer } = service.postern;
      const set = createRemoteJWKSet(new URL(`${issuer}.well-known/jwks.json`));
      const { payload } = await jwtVerify(await service.token(), set, { issuer, audience: `${issuer}api/v2/` });
      expect(payload).toMatchObject({ sub: "main-manager@clients" });
    }
  });

  test("openid-client discovers the issuer with both documents and gets a token with client_secret_post and client_secret_basic", async () => {
    for (const service of [root, underPath]) {
      const { issuer } = service.postern;
      for (const algorithm of ["oidc", "oauth2"] as const) {
        // The document of RFC 8414 is at a path outside the issuer's path, which the host application would have to
        // route.
        if (algorithm === "oauth2" && service === underPath) continue;
        for (const method of [client.ClientSecretPost(clientSecret), client.ClientSecretBasic(clientSecret)]) {
          const config = await client.discovery(new URL(issuer), "main-manager", undefined, method, {
            algorithm,
            execute: [client.allowInsecureRequests],
          });
          expect(config.serverMetadata().issuer).toBe(issuer);
          const tokens = await client.clientCredentialsGrant(config, { audience: `${issuer}api/v2/`, scope: "read:users read:clients" });
          expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 86_400, scope: "read:users read:clients" });
          const users = await fetch(`${issuer}api/v2/users`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
          expect([users.status, await users.json()]).toEqual([200, []]);
        }
      }
    }
  });

  test("openid-client reports invalid_client for a wrong secret", async () => {
    const { issuer } = root.postern;
    const config = await client.discovery(new URL(issuer), "main-manager", undefined, client.ClientSecretPost("wrong"), {
      execute: [client.allowInsecureRequests],
    });
    await expect(client.clientCredentialsGrant(config, { audience: `${issuer}api/v2/` })).rejects.toMatchObject({
      error: "invalid_client",
      status: 401,
    });
  });

  test("HEAD has no body, and a host name that is not configured appears in no response", async () => {
    const { request } = await import("node:http");
    const get = (path: string, headers: { readonly [name: string]: string }): Promise<string> =>
      new Promise((resolve, reject) => {
        const call = request(`${root.origin}${path}`, { headers }, (response) => {
          let body = JSON.stringify(response.headers);
          response.on("data", (chunk: Buffer) => (body += chunk.toString())).on("end", () => resolve(body));
        });
        call.on("error", reject).end();
      });
    for (const path of [...documents, "/.well-known/jwks.json", "/nothing", "/api/v2/users"]) {
      const answer = await get(path, {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "gopher",
        forwarded: "host=evil.example",
      });
      expect(answer).not.toContain("evil.example");
      expect(answer).not.toContain("gopher");
    }
    const head = await fetch(`${root.origin}${documents[0]}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(stringMember(jsonBody(await root.call("GET", documents[0] ?? "")), "issuer")).toBe(root.postern.issuer);
  });
});
