import type { DomainClaim } from "@postern/core";
import { beforeEach, describe, expect, test } from "vitest";
import { ForbiddenAddressError } from "../../packages/core/src/adapters/network.ts";
import { expectError, list, managerOf, jsonBody, stringMember, listAllPages, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, issuer, clientSecret, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

const base = "/api/v2/custom-domains";
const domain = "login.customer.example";

let service: TestPostern;
let manage: Manager;
let other: Manager;
/** The claims that the verifier received, and its next result. */
let claims: DomainClaim[];
let verifyDomain: () => Promise<boolean>;
/** The next response of the server at a domain. */
let answerAt: (request: Request) => Promise<Response>;

beforeEach(async () => {
  claims = [];
  verifyDomain = async () => true;
  const domainVerifier = {
    verify: (claim: DomainClaim) => {
      claims.push(claim);
      return verifyDomain();
    },
  };
  answerAt = async () => new Response(null, { status: 500 });
  service = await createTestPostern({ domainVerifier, network: { fetch: (request) => answerAt(request) } });
  manage = await managerOf(service);
  other = await managerOf(service, "other");
});

const add = (more: object = {}, call: Manager = manage): Promise<JsonBody> =>
  call.create(base, { domain, type: "self_managed_certs", ...more });
const pathOf = (made: JsonBody): string => `${base}/${stringMember(made, "custom_domain_id")}`;

async function issuerAt(host: string): Promise<unknown> {
  const response = await service.postern.fetch(new Request(`https://${host}/.well-known/openid-configuration`));
  return jsonBody({ status: response.status, headers: response.headers, body: await response.json() })["issuer"];
}

describe("a custom domain", () => {
  test("is created unverified with the DNS record for its verification, and does not serve its tenant yet", async () => {
    const made = await add({ domain: "LOGIN.customer.example" });
    expect(made).toEqual({
      custom_domain_id: expect.stringMatching(/^cd_/),
      domain,
      primary: false,
      is_default: false,
      status: "pending_verification",
      type: "self_managed_certs",
      verification: {
        methods: [{ name: "txt", domain: `_postern.${domain}`, record: expect.stringMatching(/^postern-verification=[\w-]{32}$/) }],
        status: "pending",
      },
      tls_policy: "recommended",
      custom_client_ip_header: null,
      created_at: "2026-01-01T00:00:00.000Z",
    });
    expect(jsonBody(await manage("GET", pathOf(made)))).toEqual(made);
    expect(list(await manage("GET", base))).toEqual([made]);
    expect(await issuerAt(domain)).toBe(issuer);
  });

  test("serves its tenant and is an issuer once it is verified, until it is deleted", async () => {
    const made = await add({}, other);
    const ready = jsonBody(await other("POST", `${pathOf(made)}/verify`));
    expect(ready).toMatchObject({ status: "ready", verification: { status: "verified", last_verified_at: "2026-01-01T00:00:00.000Z" } });
    const [record] = /postern-verification=[\w-]+/.exec(JSON.stringify(made)) ?? [];
    expect(claims).toEqual([{ tenantId: "other", domain, recordName: `_postern.${domain}`, recordValue: record }]);
    expect(jsonBody(await other("POST", `${pathOf(made)}/verify`))).toEqual(ready);
    expect(claims).toHaveLength(1);
    expect(await issuerAt(domain)).toBe(`https://${domain}/`);

    const tokenRequest = {
      grant_type: "client_credentials",
      client_id: "other-manager",
      client_secret: clientSecret,
      audience: `https://${domain}/api/v2/`,
    };
    const response = await service.postern.fetch(
      new Request(`https://${domain}/oauth/token`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(tokenRequest),
      }),
    );
    const token = stringMember(
      jsonBody({ status: response.status, headers: response.headers, body: await response.json() }),
      "access_token",
    );
    expect(await service.call("GET", base, { token })).toMatchObject({ status: 200 });

    for (let i = 0; i < 2; i++) expect(await other("DELETE", pathOf(made))).toMatchObject({ status: 204 });
    expectError(await other("GET", pathOf(made)), 404, "not_found");
    expect(await issuerAt(domain)).toBe(issuer);
    expectError(await service.call("GET", base, { token }), 401, "invalid_token");
    expect(await add({}, manage)).toMatchObject({ domain });
  });

  test("stays unverified if the check fails, throws or is not configured", async () => {
    const made = await add();
    verifyDomain = async () => false;
    expect(jsonBody(await manage("POST", `${pathOf(made)}/verify`))).toMatchObject({
      status: "pending_verification",
      verification: { error_msg: expect.stringMatching(/not found/) },
    });
    verifyDomain = () => Promise.reject(new Error("no resolver"));
    const failed = jsonBody(await manage("POST", `${pathOf(made)}/verify`));
    expect(failed).toMatchObject({
      status: "pending_verification",
      verification: { status: "pending", error_msg: expect.stringMatching(/later/) },
    });
    expect(JSON.stringify(failed)).not.toContain("no resolver");
    verifyDomain = async () => true;
    const ready = jsonBody(await manage("POST", `${pathOf(made)}/verify`));
    expect(ready).toMatchObject({ status: "ready" });
    expect(ready["verification"]).not.toHaveProperty("error_msg");

    const without = await createTestPostern();
    const call = await managerOf(without);
    const pending = await add({}, call);
    expect(jsonBody(await call("POST", `${pathOf(pending)}/verify`))).toMatchObject({
      status: "pending_verification",
      verification: { error_msg: expect.any(String) },
    });
  });

  test("that is verified belongs to one tenant, and errors do not reveal which", async () => {
    const made = await add();
    jsonBody(await manage("POST", `${pathOf(made)}/verify`));
    const twice = expectError(await manage("POST", base, { domain, type: "self_managed_certs" }), 409, "conflict");
    const foreign = expectError(await other("POST", base, { domain, type: "self_managed_certs" }), 409, "conflict");
    expect(foreign).toEqual(twice);
    expectError(await manage("POST", base, { domain: new URL(issuer).hostname, type: "self_managed_certs" }), 409, "conflict");
  });

  test("that is unverified blocks no other tenant: the first tenant that verifies it gets it", async () => {
    const unverifiedFirst = await add();
    const owned = await add({}, other);
    expect(jsonBody(await other("POST", `${pathOf(owned)}/verify`))).toMatchObject({ status: "ready" });
    const rejected = jsonBody(await manage("POST", `${pathOf(unverifiedFirst)}/verify`));
    expect(rejected).toMatchObject({ status: "pending_verification", verification: { status: "pending", error_msg: expect.any(String) } });
    expect(rejected["verification"]).not.toHaveProperty("last_verified_at");
    expect(await issuerAt(domain)).toBe(`https://${domain}/`);
    expect(await manage("DELETE", pathOf(unverifiedFirst))).toMatchObject({ status: 204 });
    expect(await issuerAt(domain)).toBe(`https://${domain}/`);
    // After the owner deletes the domain, the next tenant that verifies it gets it.
    expect(await other("DELETE", pathOf(owned))).toMatchObject({ status: 204 });
    expect(jsonBody(await manage("POST", `${pathOf(await add())}/verify`))).toMatchObject({ status: "ready" });
  });

  test("belongs to one tenant after two tenants verify it 16 times in parallel", async () => {
    const [ofMain, ofOther] = [await add(), await add({}, other)];
    await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        i % 2 === 0 ? manage("POST", `${pathOf(ofMain)}/verify`) : other("POST", `${pathOf(ofOther)}/verify`),
      ),
    );
    const states = [jsonBody(await manage("GET", pathOf(ofMain)))["status"], jsonBody(await other("GET", pathOf(ofOther)))["status"]];
    expect(new Set(states)).toEqual(new Set(["pending_verification", "ready"]));
    const owner = await service.data.collections.directory.find({ where: { kind: "host", value: domain }, limit: 2 });
    expect(owner).toMatchObject([{ tenant_id: states[0] === "ready" ? "main" : "other" }]);
  });

  test("is created once by 16 parallel requests", async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => manage("POST", base, { domain, type: "self_managed_certs" })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15);
  });

  test("fails seven days after its creation if it is unverified, and can be added again", async () => {
    const made = await add();
    const verified = await add({ domain: "proven.customer.example" });
    jsonBody(await manage("POST", `${pathOf(verified)}/verify`));
    service.clock.advance("7d");
    // Tokens expire after a day.
    const later = await managerOf(service);
    const ended = { status: "failed", verification: { status: "pending", error_msg: expect.stringMatching(/seven days/) } };
    expect(jsonBody(await later("GET", pathOf(made)))).toMatchObject(ended);
    expect(jsonBody(await later("POST", `${pathOf(made)}/verify`))).toMatchObject(ended);
    expect(claims).toHaveLength(1);
    expect(await issuerAt(domain)).toBe(issuer);

    const again = await later.create(base, { domain, type: "self_managed_certs" });
    expect(again).toMatchObject({ status: "pending_verification" });
    expect(again["verification"]).not.toEqual(made["verification"]);
    expectError(await later("GET", pathOf(made)), 404, "not_found");
    expect(jsonBody(await later("POST", `${pathOf(again)}/verify`))).toMatchObject({ status: "ready" });

    const forgotten = await later.create(base, { domain: "forgotten.customer.example", type: "self_managed_certs" });
    service.clock.advance("8d");
    await service.postern.jobs.sweep();
    const muchLater = await managerOf(service);
    expectError(await muchLater("GET", pathOf(forgotten)), 404, "not_found");
    for (const [kept, host] of [
      [again, domain],
      [verified, "proven.customer.example"],
    ] as const) {
      expect(jsonBody(await muchLater("GET", pathOf(kept)))).toMatchObject({ status: "ready" });
      expect(await issuerAt(host)).toBe(`https://${host}/`);
    }
  });

  test("keeps the fields that a PATCH does not contain", async () => {
    const made = await add({ domain_metadata: { a: "1", b: "2" }, custom_client_ip_header: "cf-connecting-ip" });
    expect(made).toMatchObject({ domain_metadata: { a: "1", b: "2" }, custom_client_ip_header: "cf-connecting-ip" });
    expect(jsonBody(await manage("PATCH", pathOf(made), { domain_metadata: { a: null, c: "3" } }))).toEqual({
      ...made,
      domain_metadata: { b: "2", c: "3" },
    });
    expect(
      jsonBody(await manage("PATCH", pathOf(made), { relying_party_identifier: "customer.example", custom_client_ip_header: null })),
    ).toMatchObject({
      relying_party_identifier: "customer.example",
      custom_client_ip_header: null,
      domain_metadata: { b: "2", c: "3" },
    });
    const answers = await Promise.all(["x", "y", "z"].map((name) => manage("PATCH", pathOf(made), { domain_metadata: { [name]: "1" } })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(jsonBody(await manage("GET", pathOf(made)))).toMatchObject({ domain_metadata: { b: "2", c: "3", x: "1", y: "1", z: "1" } });
    expectError(await manage("PATCH", pathOf(made), { domain: "x.example.com" }), 400, "invalid_request", "'domain'");
    expectError(await manage("PATCH", pathOf(made), { domain_metadata: { a: 1 } }), 400, "invalid_request", "'domain_metadata.a'");
  });

  test.each([
    [{ domain: "localhost" }, "'domain'"],
    [{ domain: "192.0.2.1" }, "'domain'"],
    [{ domain: "https://x.example.com" }, "'domain'"],
    [{ domain: "x.example.com:8443" }, "'domain'"],
    [{ domain: "-x.example.com" }, "'domain'"],
    [{ domain: `${"x".repeat(64)}.example.com` }, "'domain'"],
    [{ domain: "x..example.com" }, "'domain'"],
    [{ domain: undefined }, "'domain'"],
    [{ type: "managed" }, "'type'"],
    [{ tls_policy: "compatible" }, "'tls_policy'"],
    [{ custom_client_ip_header: "x-real-ip" }, "'custom_client_ip_header'"],
    [{ status: "ready" }, "'status'"],
    [{ domain_metadata: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, "v"])) }, "'domain_metadata'"],
  ])("is rejected with %j, and the error names the field", async (body, says) => {
    expectError(await manage("POST", base, { domain, type: "self_managed_certs", ...body }), 400, "invalid_request", says);
  });

  test("of another tenant responds with 404", async () => {
    const made = await add();
    for (const [call, path] of [
      [other, pathOf(made)],
      [manage, `${base}/cd_nothing`],
      [manage, `${base}/${"x".repeat(300)}`],
    ] as const) {
      expect(expectError(await call("GET", path), 404, "not_found")).toMatchObject({ errorCode: "inexistent_custom_domain" });
      expectError(await call("PATCH", path, {}), 404, "not_found");
      expectError(await call("POST", `${path}/verify`), 404, "not_found");
      expect(await call("DELETE", path)).toMatchObject({ status: 204 });
    }
    expect(jsonBody(await manage("GET", pathOf(made)))).toEqual(made);
    expect(list(await other("GET", base))).toEqual([]);
  });
});

describe("a domain in the host's seed", () => {
  const seed = { tenantId: "other", domains: ["Seeded.customer.example"] };

  test("is verified at once, and a repeated seed changes nothing", async () => {
    for (let i = 0; i < 2; i++) await service.postern.seed(seed);
    expect(await issuerAt("seeded.customer.example")).toBe("https://seeded.customer.example/");
    const [made = {}, ...more] = list(await other("GET", base));
    expect(more).toEqual([]);
    expect(made).toMatchObject({ domain: "seeded.customer.example", status: "ready", type: "self_managed_certs" });
    expect(await other("DELETE", pathOf(made))).toMatchObject({ status: 204 });
    expect(await issuerAt("seeded.customer.example")).toBe(issuer);
  });

  test("verifies an existing domain of the tenant, and is rejected if another tenant owns it", async () => {
    const made = await add({ domain: "seeded.customer.example" }, other);
    await service.postern.seed(seed);
    expect(jsonBody(await other("GET", pathOf(made)))).toMatchObject({ status: "ready" });
    jsonBody(await manage("POST", `${pathOf(await add())}/verify`));
    await expect(service.postern.seed({ tenantId: "other", domains: [domain] })).rejects.toMatchObject({ code: "configuration_error" });
    await expect(service.postern.seed({ tenantId: "other", domains: ["no domain"] })).rejects.toMatchObject({
      code: "configuration_error",
    });
  });
});

test("the list is complete without take, and paged with it", async () => {
  for (let i = 0; i < 12; i++) await add({ domain: `d${i}.customer.example` });
  const all = list(await manage("GET", base));
  expect(all).toHaveLength(12);
  expect(await listAllPages(manage, base, "custom_domains", 5)).toEqual(all);
  expectError(await manage("GET", `${base}?sort=status:asc`), 400, "invalid_request", "'sort'");
});

test("the list can be sorted by domain and searched with q", async () => {
  const domains = ["b.customer.example", "a.customer.example", "c.elsewhere.example"];
  for (const domain of domains) await add({ domain });
  const found = async (query: string) => list(await manage("GET", `${base}?${query}`)).map(({ domain }) => domain);
  expect(await found("sort=domain:1")).toEqual(domains.toSorted());
  expect(await found("sort=domain:-1")).toEqual(domains.toSorted().toReversed());
  expect(await found("q=domain:a.customer.example")).toEqual(["a.customer.example"]);
  expect(await found("q=domain:*elsewhere*")).toEqual(["c.elsewhere.example"]);
  expect(await found("q=status:pending_verification&sort=domain:1")).toEqual(domains.toSorted());
  expect(await found("q=status:ready")).toEqual([]);
  expectError(await manage("GET", `${base}?q=verification:x`), 400, "invalid_request");
});

test("each route of custom domains requires its scope", async () => {
  const made = await add();
  const all = ["read", "create", "update", "delete"].map((verb) => `${verb}:custom_domains`);
  for (const [method, path, scope, body] of [
    ["GET", base, "read:custom_domains", undefined],
    ["POST", base, "create:custom_domains", {}],
    ["GET", pathOf(made), "read:custom_domains", undefined],
    ["PATCH", pathOf(made), "update:custom_domains", {}],
    ["POST", `${pathOf(made)}/verify`, "create:custom_domains", undefined],
    ["DELETE", pathOf(made), "delete:custom_domains", undefined],
  ] as const) {
    expectError(await service.call(method, path), 401, "invalid_token");
    const token = await tokenWith(
      service,
      manage,
      all.filter((name) => name !== scope),
    );
    expectError(await service.call(method, path, { token, ...(body && { body }) }), 403, "insufficient_scope", scope);
  }
});

describe("the test of a custom domain", () => {
  const runTest = async (made: JsonBody) => jsonBody(await manage("POST", `${pathOf(made)}/test`));

  test("fails until the domain is verified", async () => {
    expect(await runTest(await add())).toEqual({ success: false, message: "The domain is not verified yet." });
    expectError(await manage("POST", `${base}/cd_unknown/test`), 404, "not_found");
  });

  test("succeeds if the domain leads to this service", async () => {
    const made = await add();
    await manage("POST", `${pathOf(made)}/verify`);
    answerAt = (request) => service.postern.fetch(request);
    expect(await runTest(made)).toMatchObject({ success: true, message: expect.stringContaining(`https://${domain}/`) });
  });

  test.each([
    ["another issuer", async () => Response.json({ issuer: "https://elsewhere.example/" })],
    ["an error", async () => new Response("secret of the server", { status: 502 })],
    ["a redirect", async () => Response.redirect("https://elsewhere.example/", 302)],
    ["no response", () => Promise.reject(new Error("connect ECONNREFUSED 10.1.2.3:443"))],
    ["text that is no JSON", async () => new Response("{", { headers: { "content-type": "application/json" } })],
  ])("fails with %s, and reveals neither the response nor an address", async (_, answer) => {
    const made = await add();
    await manage("POST", `${pathOf(made)}/verify`);
    answerAt = answer;
    const result = await runTest(made);
    expect(result).toMatchObject({ success: false, message: expect.stringMatching(/^The domain (does not lead|leads to another)/) });
    expect(JSON.stringify(result)).not.toMatch(/secret of the server|10\.1\.2\.3|elsewhere/);
  });

  test.each([
    ["ENOTFOUND", "its name has no DNS record with an IP address"],
    ["ECONNREFUSED", "its server accepts no connections"],
    ["ETIMEDOUT", "its server did not respond in time"],
    ["CERT_HAS_EXPIRED", "its server has no valid certificate for this name"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "its server has no valid certificate for this name"],
  ])("names the reason of %s", async (code, reason) => {
    const made = await add();
    await manage("POST", `${pathOf(made)}/verify`);
    const cause = Object.assign(new Error("10.1.2.3:443"), { code });
    answerAt = () => Promise.reject(new TypeError("fetch failed", { cause }));
    expect(await runTest(made)).toEqual({ success: false, message: `The domain does not lead to this service: ${reason}` });
  });

  test("names an address that is not public, without the address", async () => {
    const made = await add();
    await manage("POST", `${pathOf(made)}/verify`);
    answerAt = () => Promise.reject(new ForbiddenAddressError("it has the address 10.1.2.3", "it has an address that is not public"));
    expect(await runTest(made)).toMatchObject({
      message: "The domain does not lead to this service: it has an address that is not public",
    });
  });
});
