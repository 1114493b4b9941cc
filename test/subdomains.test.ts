import { describe, expect, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import { expectError, managerOf, jsonBody, stringMember } from "./support/api.ts";
import { openBrowser, type Browser } from "./support/browser.ts";
import { countingAdapter } from "./support/counting-adapter.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  login,
  offline,
  openService,
  tokens,
  type App,
  type LoginService,
} from "./support/flow.ts";
import { insertHost } from "./support/rows.ts";
import { clientSecret, createTestPostern, type ApiResponse, type TestOptions, type TestPostern } from "./support/postern.ts";

const baseDomain = "id.example.test";
const discovery = "/.well-known/openid-configuration";

async function at(service: TestPostern, host: string, path: string, init: RequestInit = {}): Promise<ApiResponse> {
  const response = await service.postern.fetch(new Request(`https://${host}${path}`, init));
  const body = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(body) as unknown) : body };
}

async function issuerAt(service: TestPostern, host: string): Promise<unknown> {
  const { status, body } = await at(service, host, discovery);
  return status === 200 && typeof body === "object" && body !== null && "issuer" in body ? body.issuer : status;
}

/** Opens a service where the organization `acme` of the control plane represents the tenant `other`. */
async function open(options: TestOptions = {}): Promise<LoginService> {
  const service = await openService({ subdomainRouting: { baseDomain }, ...options });
  await representTenant(service, "acme", "other");
  return service;
}

async function representTenant(service: TestPostern, name: string, tenantId: string): Promise<string> {
  const organization = stringMember(await (await managerOf(service)).create("/api/v2/organizations", { name }), "id");
  await service.data.collections.tenants.update({ id: tenantId }, { set: { organization_id: organization } });
  service.clock.advance("6s");
  return organization;
}

describe("a subdomain", () => {
  test("is the exact issuer of the tenant whose organization has this name", async () => {
    const service = await open();
    expect(await issuerAt(service, "acme.id.example.test")).toBe("https://acme.id.example.test/");
    for (const host of ["ACME.id.example.test", "acme.id.example.test:8443"])
      expect(await issuerAt(service, host)).toBe("https://acme.id.example.test/");
    const audience = "https://acme.id.example.test/api/v2/";
    const body = { grant_type: "client_credentials", client_id: "other-manager", client_secret: clientSecret, audience };
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const token = stringMember(jsonBody(await at(service, "acme.id.example.test", "/oauth/token", post)), "access_token");
    expect(claimsOf(token)).toMatchObject({ iss: "https://acme.id.example.test/", aud: audience, tenant_id: "other" });
    // The token is valid under each issuer of its tenant, which all share one Management API.
    for (const host of ["acme.id.example.test", "id.example.test"])
      expect(await at(service, host, "/api/v2/clients", { headers: { authorization: `Bearer ${token}` } })).toMatchObject({ status: 200 });
    const otherHost = { authorization: `Bearer ${await service.token("other")}` };
    expect(await at(service, "acme.id.example.test", "/api/v2/clients", { headers: otherHost })).toMatchObject({ status: 200 });
    const grants = `/api/v2/client-grants?audience=${encodeURIComponent(audience)}`;
    expect((await at(service, "id.example.test", grants, { headers: otherHost })).body).toMatchObject([{ client_id: "other-manager" }]);
  });

  test("is resolved while a client requests an organization that is named like its cache key", async () => {
    const inner = createMemoryAdapter({ strict: true });
    const { organizations } = inner.collections;
    const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: typeof organizations = {
      ...organizations,
      async find(query) {
        if (query.where.name === "name:acme") {
          requested.resolve();
          await released.promise;
        }
        return organizations.find(query);
      },
    };
    const service = await open({ data: { ...inner, collections: { ...inner.collections, organizations: slow } } });
    const other = sendAuthorization(service.browser(), service.spa, { organization: "name:acme" });
    await requested.promise;
    const issuer = issuerAt(service, "acme.id.example.test");
    await new Promise((resolve) => setImmediate(resolve));
    released.resolve();
    expect(await issuer).toBe("https://acme.id.example.test/");
    await other;
  });

  test("is accepted as an issuer only in its exact form", async () => {
    const service = await open();
    const ask = (issuer: string): Promise<ApiResponse> =>
      service.call("POST", "/oauth/token", {
        body: { grant_type: "client_credentials", client_id: "other-manager", client_secret: clientSecret, audience: `${issuer}api/v2/` },
      });
    expect(await ask("https://acme.id.example.test/")).toMatchObject({ status: 200 });
    for (const issuer of [
      "http://acme.id.example.test/",
      "https://ACME.id.example.test/",
      "https://acme.id.example.test:443/",
      "https://acme.id.example.test:8443/",
      "https://acme.id.example.test",
      "https://acme.id.example.test/x/",
      "https://acme.id.example.test/?",
      "https://a@acme.id.example.test/",
      "https://acme.id.example.test./",
      "https://main.id.example.test/",
      "https://unknown.id.example.test/",
      "https://www.id.example.test/",
    ])
      expectError(await ask(issuer), 400, "access_denied");
  });

  test("has the scheme, port and path of the configured issuer", async () => {
    const service = await createTestPostern({
      issuer: "http://localhost:3000/auth/",
      subdomainRouting: { baseDomain: "localhost", useOrganizations: false },
    });
    const response = await service.postern.fetch(new Request(`http://other.localhost:3000/auth${discovery}`));
    expect(await response.json()).toMatchObject({ issuer: "http://other.localhost:3000/auth/" });
  });

  test("is the tenant's id with `useOrganizations: false`, and the control plane's is its own id in both modes", async () => {
    const byId = await open({ subdomainRouting: { baseDomain, useOrganizations: false } });
    expect(await issuerAt(byId, "other.id.example.test")).toBe("https://other.id.example.test/");
    expect(await issuerAt(byId, "acme.id.example.test")).toBe(404);
    const byOrganization = await open();
    // Neither the tenant's id nor an organization with the id of another tenant is accepted.
    expect(await issuerAt(byOrganization, "other.id.example.test")).toBe(404);
    await representTenant(byOrganization, "main", "other");
    for (const service of [byId, byOrganization]) {
      const main = await at(service, "main.id.example.test", "/oauth/token", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          grant_type: "client_credentials",
          client_id: "main-manager",
          client_secret: clientSecret,
          audience: "https://main.id.example.test/api/v2/",
        }),
      });
      expect(claimsOf(stringMember(jsonBody(main), "access_token"))).toMatchObject({
        tenant_id: "main",
        iss: "https://main.id.example.test/",
      });
    }
  });

  test("that belongs to no tenant responds with 404, and never as the default tenant, with every content of the request", async () => {
    const service = await open();
    await managerOf(service).then((manage) => manage.create("/api/v2/organizations", { name: "no-tenant" }));
    const bearer = { authorization: `Bearer ${await service.token("main")}` };
    for (const host of [
      "unknown",
      "no-tenant",
      "a.acme",
      "acme.acme",
      "-acme",
      "acme-",
      "xn--a",
      "xn--bcher-kva",
      "_",
      "ac_me",
      "a".repeat(63),
    ])
      expect([host, await issuerAt(service, `${host}.id.example.test`)]).toEqual([host, 404]);
    expect(await issuerAt(service, "acme.id.example.test.")).toBe(404);
    for (const [path, init] of [
      [discovery, { headers: { "tenant-id": "main" } }],
      ["/api/v2/users", { headers: bearer }],
      ["/api/v2/nothing", { headers: bearer }],
    ] as const) {
      const answer = await at(service, "unknown.id.example.test", path, init);
      expectError(answer, 404, "not_found");
      expect(JSON.stringify([answer.body, [...answer.headers]])).not.toMatch(/\bmain\b/);
    }
    for (const path of ["/authorize?client_id=main-manager", "/u/login?state=main.x"]) {
      const page = await at(service, "unknown.id.example.test", path);
      expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(page.body).toContain('<code id="error-code" dir="ltr">not_found</code>');
      expect(page.body).not.toMatch(/main-manager|tenant_id/);
    }
  });

  test("that is reserved responds as the configured issuer, and so do the base domain and other hosts", async () => {
    const service = await open({
      issuer: "https://login.example.test/",
      subdomainRouting: { baseDomain: "example.test", reservedSubdomains: ["status"] },
    });
    await representTenant(service, "status", "other");
    for (const host of [
      "www.example.test",
      "api.example.test",
      "status.example.test",
      "example.test",
      "login.example.test:444",
      "evilexample.test",
      "192.0.2.1",
    ])
      expect([host, await issuerAt(service, host)]).toEqual([host, "https://login.example.test/"]);
    expect(await issuerAt(service, "status.evil.test")).toBe("https://login.example.test/");
  });

  test("is read from X-Forwarded-Host only if a trusted proxy sent it, and is never parsed as a URL", async () => {
    const service = await open({ trustedProxies: ["10.0.0.0/8"] });
    const from = async (clientAddress: string, host: string): Promise<unknown> => {
      const request = new Request(`https://internal.test${discovery}`, { headers: { "x-forwarded-host": host } });
      const response = await service.postern.fetch(request, { clientAddress });
      const body = await response.text();
      return response.status === 200 ? /"issuer":"([^"]*)"/.exec(body)?.[1] : response.status;
    };
    expect(await from("10.1.2.3", "acme.id.example.test")).toBe("https://acme.id.example.test/");
    expect(await from("192.0.2.1", "acme.id.example.test")).toBe("https://id.example.test/");
    for (const host of [
      "evil/.id.example.test",
      "a b.id.example.test",
      "%61cme.id.example.test",
      "acme@.id.example.test",
      "xn--a.id.example.test",
      ".id.example.test",
      "ácme.id.example.test",
    ])
      expect([host, await from("10.1.2.3", encodeURI(host).replaceAll("%25", "%"))]).toEqual([host, 404]);
  });

  test("that contradicts the tenant-id header, the client or the token is rejected", async () => {
    const service = await open();
    const host = "acme.id.example.test";
    expectError(await at(service, host, discovery, { headers: { "tenant-id": "main" } }), 400, "invalid_request", "tenant-id");
    const body = JSON.stringify({
      grant_type: "client_credentials",
      client_id: "main-manager",
      client_secret: clientSecret,
      audience: "https://id.example.test/api/v2/",
    });
    const post = { method: "POST", headers: { "content-type": "application/json" }, body };
    expectError(await at(service, host, "/oauth/token", post), 401, "invalid_client");
    const third = await createTestPostern({ subdomainRouting: { baseDomain, useOrganizations: false } });
    await third.postern.seed({ tenantId: "third" });
    const bearer = { authorization: `Bearer ${await third.token("other")}` };
    expectError(await at(third, "third.id.example.test", "/api/v2/users", { headers: bearer }), 403, "forbidden");
  });

  test("follows its tenant after a deletion, a new assignment and a new name of the organization", async () => {
    const service = await open();
    await service.postern.seed({ tenantId: "third" });
    const { collections } = service.data;
    await collections.tenants.update({ id: "other" }, { set: { deleting_at: service.clock.now() } });
    service.clock.advance("6s");
    expect(await issuerAt(service, "acme.id.example.test")).toBe(404);
    const [organization] = await collections.organizations.find({ where: { tenant_id: "main", name: "acme" }, limit: 1 });
    await collections.tenants.update({ id: "other" }, { set: { organization_id: null } });
    await collections.tenants.update({ id: "third" }, { set: { organization_id: organization?.id ?? "" } });
    service.clock.advance("6s");
    expect(await issuerAt(service, "acme.id.example.test")).toBe("https://acme.id.example.test/");
    expect(await service.manage("PATCH", `/api/v2/organizations/${organization?.id}`, { name: "initech" })).toMatchObject({ status: 200 });
    expect(await issuerAt(service, "acme.id.example.test")).toBe(404);
    expect(await issuerAt(service, "initech.id.example.test")).toBe("https://initech.id.example.test/");
  });

  test("needs no more statements than other hosts once it is cached, and causes no warning", async () => {
    const data = countingAdapter(createMemoryAdapter({ strict: true }));
    const warnings: unknown[] = [];
    const service = await open({ data, logger: { log: (entry) => void (entry.event === "setup" && warnings.push(entry)) } });
    const cold = await data.costOf(() => issuerAt(service, "acme.id.example.test"));
    expect(cold.statements.filter((statement) => /^(organizations|tenants)/.test(statement))).toEqual([
      "organizations.find",
      "tenants.find",
      "tenants.find",
    ]);
    for (const path of [discovery, "/.well-known/jwks.json"]) {
      await at(service, "acme.id.example.test", path);
      expect((await data.costOf(() => at(service, "acme.id.example.test", path))).statements).toEqual([]);
    }
    expect(warnings).toEqual([]);
  });
});

describe("users at a subdomain", () => {
  test("sign in from /authorize to the callback, and have no session at another subdomain", async () => {
    const service = await open();
    await service.postern.seed({ tenantId: "third" });
    await representTenant(service, "globex", "third");
    const settings = {
      name: "App",
      app_type: "regular_web" as const,
      callbacks: ["https://app.example.test/callback"],
      grant_types: ["authorization_code", "refresh_token"],
    };
    const apps = new Map<string, App>();
    for (const [tenantId, name] of [
      ["other", "acme"],
      ["third", "globex"],
    ] as const) {
      const clientId = `${name}-app`;
      await service.postern.seed({
        tenantId,
        clients: [{ clientId, secret: clientSecret, settings }],
        user: { email: "p@example.test", password: "correct horse battery" },
      });
      apps.set(name, { clientId, secret: clientSecret, redirectUri: "https://app.example.test/callback" });
    }
    const person = { email: "p@example.test", password: "correct horse battery", userId: "" };
    const browserAt = (name: string, cookies?: ReadonlyMap<string, string>): Browser =>
      openBrowser({ ...service.postern, issuer: `https://${name}.id.example.test/` }, cookies);
    const acme = apps.get("acme") as App;
    const browser = browserAt("acme");
    const answer = await login(browser, acme, person, offline);
    expect(answer["iss"]).toBe("https://acme.id.example.test/");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const exchange = (host: string) =>
      at(service, host, "/oauth/token", {
        method: "POST",
        headers: form,
        body: new URLSearchParams(codeGrant(acme, answer["code"] ?? "")).toString(),
      });
    expectError(await exchange("globex.id.example.test"), 401, "invalid_client");
    const { id, access } = tokens(await exchange("acme.id.example.test"));
    expect(claimsOf(id)).toMatchObject({ iss: "https://acme.id.example.test/", tenant_id: "other" });
    const userinfo = (host: string) => at(service, host, "/userinfo", { headers: { authorization: `Bearer ${access}` } });
    expect(await userinfo("acme.id.example.test")).toMatchObject({ status: 200, body: { email: "p@example.test" } });
    expectError(await userinfo("globex.id.example.test"), 403, "forbidden");
    // The user has a session here and none at the other subdomain, even with all cookies of this one.
    expect(await sendAuthorization(browser, acme, { prompt: "none" })).toMatchObject({
      kind: "response",
      parameters: { code: expect.any(String) },
    });
    const otherBrowser = browserAt("globex", browser.cookies);
    expect(await sendAuthorization(otherBrowser, apps.get("globex") as App, { prompt: "none" })).toMatchObject({
      parameters: { error: "login_required" },
    });
    expect(await sendAuthorization(otherBrowser, acme)).toMatchObject({ kind: "page", status: 400 });
    // No cookie has a Domain attribute, so browsers send it only to the host that set it.
    const login302 = await browserAt("acme").get(
      `/authorize?client_id=acme-app&response_type=code&redirect_uri=${encodeURIComponent(acme.redirectUri)}&scope=openid`,
    );
    expect(login302.headers.get("location")).toMatch(/^https:\/\/acme\.id\.example\.test\/u\/login\?/);
    expect(login302.headers.getSetCookie().join()).not.toMatch(/domain=/i);
  });
});

describe("a resolver of the host application", () => {
  const openWithResolver = async (
    resolveSubdomain: (label: string) => unknown,
  ): Promise<{ readonly service: TestPostern; readonly requestedLabels: string[] }> => {
    const requestedLabels: string[] = [];
    const service = await createTestPostern({
      logger: { log() {} },
      subdomainRouting: {
        baseDomain,
        resolveSubdomain: (label) => {
          requestedLabels.push(label);
          // A host without types may return anything.
          return resolveSubdomain(label) as string | undefined;
        },
      },
    });
    return { service, requestedLabels };
  };

  test("replaces organizations and ids, and is called once in five seconds, also for unknown subdomains", async () => {
    const { service, requestedLabels } = await openWithResolver((label) => (label === "shop" ? "other" : undefined));
    for (let i = 0; i < 3; i++) {
      expect(await issuerAt(service, "shop.id.example.test")).toBe("https://shop.id.example.test/");
      expect(await issuerAt(service, "other.id.example.test")).toBe(404);
    }
    expect(await issuerAt(service, "main.id.example.test")).toBe("https://main.id.example.test/");
    expect(requestedLabels).toEqual(["shop", "other"]);
    service.clock.advance("5s");
    await Promise.all(Array.from({ length: 32 }, () => issuerAt(service, "shop.id.example.test")));
    expect(requestedLabels).toEqual(["shop", "other", "shop"]);
    // An invalid label belongs to no tenant and is not passed to the resolver.
    for (const host of ["a.b", "-a", "a~"]) expect(await issuerAt(service, `${host}.id.example.test`)).toBe(404);
    expect(requestedLabels).toHaveLength(3);
    // Unknown subdomains do not evict known ones from the cache.
    for (let i = 0; i < 2000; i++) await issuerAt(service, `guess-${i}.id.example.test`);
    requestedLabels.length = 0;
    await issuerAt(service, "shop.id.example.test");
    expect(requestedLabels).toEqual([]);
  });

  test.each([null, 7, "", {}, [], ["other"], true, "unknown", "OTHER", " other", "a".repeat(300), "other\u0000", Symbol("x")])(
    "that returns no tenant id resolves no tenant: %j",
    async (answer) => {
      const { service } = await openWithResolver(() => answer);
      expect(await issuerAt(service, "shop.id.example.test")).toBe(404);
      expect(await issuerAt(service, "id.example.test")).toBe("https://id.example.test/");
    },
  );

  test("that throws, rejects or hangs causes 503 for its request, and is called again by the next", async () => {
    let behavior = 0;
    const behaviors = [
      () => {
        throw new Error("no");
      },
      () => Promise.reject(new Error("no")),
      () => new Promise(() => {}),
      () => "other",
    ];
    const { service } = await openWithResolver(() => behaviors[behavior]?.());
    for (behavior = 0; behavior < 3; behavior++) {
      const [shop, otherHost] = await Promise.all([at(service, "shop.id.example.test", discovery), issuerAt(service, "id.example.test")]);
      expectError(shop, 503, "temporarily_unavailable");
      expect(otherHost).toBe("https://id.example.test/");
    }
    expect(await issuerAt(service, "shop.id.example.test")).toBe("https://shop.id.example.test/");
  });
});

describe("a custom domain", () => {
  test("below the base domain is rejected, by the API and by the seed", async () => {
    const service = await open({ domainVerifier: { verify: async () => true } });
    const manage = await managerOf(service, "other");
    for (const domain of ["globex.id.example.test", "a.b.id.example.test", "id.example.test"]) {
      expectError(await manage("POST", "/api/v2/custom-domains", { domain, type: "self_managed_certs" }), 409, "conflict");
      await expect(service.postern.seed({ tenantId: "other", domains: [domain] })).rejects.toMatchObject({ code: "configuration_error" });
    }
    expect(await service.data.collections.directory.find({ where: { kind: "host" }, limit: 10 })).toEqual([]);
    await manage.create("/api/v2/custom-domains", { domain: "login.globex.example", type: "self_managed_certs" });
  });

  test("below a newly configured base domain is no longer valid, and neither are its tokens", async () => {
    const data = createMemoryAdapter({ strict: true });
    const before = await createTestPostern({ data });
    const hosts = ["globex.tenants.example", "tenants.example"];
    for (const host of hosts) await insertHost(before, "main", host);
    before.clock.advance("6s");
    const issued: string[] = [];
    for (const host of hosts) {
      const audience = `https://${host}/api/v2/`;
      const body = JSON.stringify({ grant_type: "client_credentials", client_id: "main-manager", client_secret: clientSecret, audience });
      const post = { method: "POST", headers: { "content-type": "application/json" }, body };
      issued.push(stringMember(jsonBody(await at(before, host, "/oauth/token", post)), "access_token"));
      expect(claimsOf(issued.at(-1) ?? "").iss).toBe(`https://${host}/`);
    }
    const subdomainRouting = { baseDomain: "tenants.example" };
    const after = await createTestPostern({ data, subdomainRouting, testing: { clock: before.clock } });
    expect(await issuerAt(after, "globex.tenants.example")).toBe(404);
    expect(await issuerAt(after, "tenants.example")).toBe("https://id.example.test/");
    for (const token of issued) expectError(await after.call("GET", "/api/v2/clients", { token }), 401, "invalid_token");
  });
});

describe("the option subdomainRouting", () => {
  test.each([
    [{}, "baseDomain"],
    [{ baseDomain: "" }, "baseDomain"],
    [{ baseDomain: "ID.example.test" }, "baseDomain"],
    [{ baseDomain: "https://id.example.test" }, "baseDomain"],
    [{ baseDomain: "id.example.test:3000" }, "baseDomain"],
    [{ baseDomain: ".example.test" }, "baseDomain"],
    [{ baseDomain: "example.test." }, "baseDomain"],
    [{ baseDomain: "127.0.0.1" }, "baseDomain"],
    [{ baseDomain: "*.example.test" }, "baseDomain"],
    [{ baseDomain, useOrganizations: "no" }, "useOrganizations"],
    [{ baseDomain, reservedSubdomains: ["a.b"] }, "reservedSubdomains"],
    [{ baseDomain, reservedSubdomains: ["WWW"] }, "reservedSubdomains"],
    [{ baseDomain, resolveSubdomain: "other" }, "resolveSubdomain"],
    [{ baseDomain, reserved: [] }, "reserved"],
  ])("%j is rejected, and the error names the member", async (subdomainRouting, name) => {
    // A host without types may pass anything.
    const options = { subdomainRouting } as unknown as TestOptions;
    await expect(createTestPostern(options)).rejects.toMatchObject({
      code: "configuration_error",
      message: expect.stringContaining(`subdomainRouting.${name}`),
    });
  });

  test("with organizations requires a control plane", async () => {
    const data = createMemoryAdapter();
    const { createPostern } = await import("@postern/core");
    const createWith = (subdomainRouting: object) =>
      createPostern({
        issuer: "https://id.example.test/",
        data,
        crypto: { secret: "0123456789abcdef0123456789abcdef" },
        subdomainRouting: { baseDomain, ...subdomainRouting },
      });
    expect(() => createWith({})).toThrow("controlPlane");
    for (const other of [{ useOrganizations: false }, { resolveSubdomain: () => undefined }]) createWith(other);
  });
});
