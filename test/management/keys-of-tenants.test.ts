import { decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { createPostern, type Postern } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { expectError, list, managerOf, object, text, type Json } from "../support/api.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { insertHost } from "../support/rows.ts";
import { clientSecret, createTestPostern, type Answer, type TestOptions, type TestPostern } from "../support/postern.ts";

const rotation = "/api/v2/keys/signing/rotate";
const places = 50;
const shared = "id.example.test";

/** Fills places of the shared issuer with tenants that have none of their own here. */
async function fill({ data, clock }: TestPostern, upTo: number): Promise<void> {
  for (let place = 0; place < upTo; place++)
    await data.collections.directory.insert([{ kind: "keys", value: String(place), tenant_id: `t${place}`, created_at: clock.now() }]);
}

const placesOf = async ({ data }: TestPostern, tenantId: string): Promise<number> =>
  (await data.collections.directory.find({ where: { kind: "keys" }, limit: 100 })).filter((row) => row.tenant_id === tenantId).length;

async function ask({ postern }: { readonly postern: Postern }, host: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await postern.fetch(new Request(`https://${host}${path}`, init));
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function published(service: { readonly postern: Postern }, host: string): Promise<readonly unknown[]> {
  return list(await ask(service, host, "/.well-known/jwks.json"), "keys").map(({ kid }) => kid);
}

function tokenAt(service: { readonly postern: Postern }, host: string, tenantId: string): Promise<Answer> {
  const body = {
    grant_type: "client_credentials",
    client_id: `${tenantId}-manager`,
    client_secret: clientSecret,
    audience: `https://${host}/api/v2/`,
  };
  return ask(service, host, "/oauth/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const signedBy = async (service: { readonly postern: Postern }, host: string, tenantId: string): Promise<unknown> =>
  decodeProtectedHeader(text(object(await tokenAt(service, host, tenantId)), "access_token")).kid;

const manager = (tenantId: string) => ({
  tenantId,
  clients: [
    {
      clientId: `${tenantId}-manager`,
      secret: clientSecret,
      settings: { name: "Manager", app_type: "non_interactive" as const },
      managesTenant: true as const,
    },
  ],
});

async function rotateAs(service: TestPostern, tenantId: string): Promise<Answer> {
  const token = text(object(await tokenAt(service, shared, tenantId)), "access_token");
  return service.call("POST", rotation, { token });
}

describe("a tenant's own keys at the shared issuer", () => {
  test("sign, and stand in its JWKS, where the tenant had a place left", async () => {
    const service = await createTestPostern();
    const made = text(object(await rotateAs(service, "other"), 201), "kid");
    expect(await signedBy(service, shared, "other")).toBe(made);
    expect(await published(service, shared)).toContain(made);
    expect(await signedBy(service, shared, "main")).not.toBe(made);
    expect(await placesOf(service, "other")).toBe(1);
    await rotateAs(service, "other");
    expect(await placesOf(service, "other")).toBe(1);
    expect(await placesOf(service, "main")).toBe(0);
  });

  test("are refused where no place is left and the tenant has no host of its own: nothing is made, and the JWKS stays as it is", async () => {
    const service = await createTestPostern();
    await fill(service, places);
    const before = await published(service, shared);
    expectError(await rotateAs(service, "other"), 409, "conflict", "could not be used anywhere");
    expect(await published(service, shared)).toEqual(before);
    expect(await service.data.collections.signing_keys.count({ tenant_id: "other" })).toBe(0);
    // The other type signs no token and stands in no JWKS; the control plane needs no place.
    const manage = await managerOf(service, "other");
    expect(await manage("POST", `${rotation}?type=saml_encryption`)).toMatchObject({ status: 201, body: { current: true } });
    expect(await rotateAs(service, "main")).toMatchObject({ status: 201 });
    // A tenant that goes gives its place back.
    await service.data.collections.directory.delete({ kind: "keys", value: "7" });
    expect(await rotateAs(service, "other")).toMatchObject({ status: 201 });
  });

  test("for the last place 32 tenants ask at once: one has it", async () => {
    // Statements that are asked side by side are answered together: all tenants see the place free.
    const service = await createTestPostern({ data: countingAdapter(createMemoryAdapter({ strict: true })) });
    await fill(service, places - 1);
    const tenants = Array.from({ length: 32 }, (_, i) => `racer-${i}`);
    for (const tenantId of tenants) await service.postern.seed(manager(tenantId));
    const tokens = await Promise.all(
      tenants.map(async (tenantId) => text(object(await tokenAt(service, shared, tenantId)), "access_token")),
    );
    const answers = await Promise.all(tokens.map((token) => service.call("POST", rotation, { token })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 31 }, () => 409)]);
    expect(await service.data.collections.directory.count({ kind: "keys" })).toBe(places);
    const made = answers.flatMap(({ status, body }) => (status === 201 ? [(body as Json)["kid"]] : []));
    service.clock.advance("5s");
    expect((await published(service, shared)).filter((kid) => made.includes(kid))).toEqual(made);
    const losers = tenants.filter((_tenant, i) => answers[i]?.status === 409);
    for (const tenantId of losers) expect(await service.data.collections.signing_keys.count({ tenant_id: tenantId })).toBe(0);
  });

  test("take one place, also when the tenant rotates eight times at once", async () => {
    const service = await createTestPostern();
    await Promise.all(Array.from({ length: 8 }, () => rotateAs(service, "other")));
    expect(await placesOf(service, "other")).toBe(1);
  });

  test.each<[string, TestOptions, string, (service: TestPostern) => Promise<void>]>([
    ["custom domain", {}, "login.other.example", (service) => insertHost(service, "other", "login.other.example")],
    [
      "subdomain",
      { subdomainRouting: { baseDomain: "id.example.test", useOrganizations: false } },
      "other.id.example.test",
      async () => {},
    ],
  ])("count under its %s alone where no place is left: each host says which key signs there", async (_, options, own, give) => {
    const service = await createTestPostern(options);
    await fill(service, places);
    await give(service);
    service.clock.advance("6s");
    const made = text(object(await rotateAs(service, "other"), 201), "kid");
    const [main] = await published(service, shared);
    expect(await published(service, shared)).toEqual([main]);
    expect(await signedBy(service, shared, "other")).toBe(main);
    expect(await published(service, own)).toEqual([made, main]);
    expect(await signedBy(service, own, "other")).toBe(made);
    const currentAt = async (host: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${await service.token("other")}` };
      return list(await ask(service, host, "/api/v2/keys/signing", { headers })).find(({ current }) => current === true)?.["kid"];
    };
    expect([await currentAt(shared), await currentAt(own)]).toEqual([main, made]);
    // What either signed is taken at both.
    for (const host of [shared, own]) {
      const headers = { authorization: `Bearer ${text(object(await tokenAt(service, host, "other")), "access_token")}` };
      for (const at of [shared, own]) expect(await ask(service, at, "/api/v2/clients", { headers })).toMatchObject({ status: 200 });
    }
  });

  test("can be revoked when they count nowhere any more", async () => {
    const service = await createTestPostern();
    const manage = await managerOf(service, "other");
    const { kid } = await manage.create(rotation, {});
    await service.data.collections.directory.delete({ kind: "keys", tenant_id: "other" });
    await fill(service, places);
    service.clock.advance("6s");
    const current = await managerOf(service, "other");
    expect(await current("PUT", `/api/v2/keys/signing/${String(kid)}/revoke`)).toMatchObject({ status: 201, body: { revoked: true } });
    expect(await published(service, shared)).toHaveLength(1);
  });

  test("in a database that does not answer keep nobody else waiting: those that were read last stay published", async () => {
    let broken = false;
    const own = createMemoryAdapter({ strict: true });
    const getAdapters = (): typeof own => {
      if (broken) throw new Error("no database");
      return own;
    };
    const service = await createTestPostern({ databaseIsolation: { getAdapters, idleSeconds: 1 }, logger: { log() {} } });
    const made = text(object(await rotateAs(service, "other"), 201), "kid");
    expect(await own.collections.signing_keys.count({ tenant_id: "other" })).toBe(1);
    const before = await published(service, shared);
    expect(before).toContain(made);
    broken = true;
    service.clock.advance("10s");
    // Closes what is idle.
    await service.postern.jobs.sweep();
    expect(await published(service, shared)).toEqual(before);
    expectError(await service.call("GET", "/.well-known/jwks.json", { headers: { "tenant-id": "never" } }), 404, "not_found");
    expectError(await tokenAt(service, shared, "other"), 503, "temporarily_unavailable");
    expect(await tokenAt(service, shared, "main")).toMatchObject({ status: 200 });
  });
});

describe("without a control plane", () => {
  test("50 tenants share the issuer with keys of their own; the next needs a host of its own, and issues nothing elsewhere", async () => {
    const postern = createPostern({
      issuer: "https://id.example.test/",
      data: createMemoryAdapter({ strict: true }),
      crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
      logger: { log() {} },
    });
    for (let i = 0; i < places; i++) await postern.seed({ tenantId: `t${i}` });
    const inJwks = async (): Promise<number> => {
      const response = await postern.fetch(
        new Request("https://id.example.test/.well-known/jwks.json", { headers: { "tenant-id": "t0" } }),
      );
      return ((await response.json()) as { keys: unknown[] }).keys.length;
    };
    expect(await inJwks()).toBe(places);
    await expect(postern.seed({ tenantId: "late" })).rejects.toMatchObject({
      code: "configuration_error",
      message: expect.stringContaining("controlPlane"),
    });
    await expect(postern.seed({ ...manager("late"), domains: ["login.late.example"] })).resolves.toMatchObject({
      created: [expect.stringContaining("client")],
    });
    await postern.seed({ tenantId: "late" });
    await postern.seed({ tenantId: "t7" });
    expect(await inJwks()).toBe(places);
    expect(await published({ postern }, "login.late.example")).toEqual([await signedBy({ postern }, "login.late.example", "late")]);
    expectError(await tokenAt({ postern }, shared, "late"), 400, "invalid_request", "own host names");
  });
});
