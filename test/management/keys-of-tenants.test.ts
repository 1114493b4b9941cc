import { decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { createPostern, type Postern } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { expectError, list, managerOf, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { insertHost } from "../support/rows.ts";
import { clientSecret, createTestPostern, type ApiResponse, type TestOptions, type TestPostern } from "../support/postern.ts";

const rotation = "/api/v2/keys/signing/rotate";
const slots = 50;
const shared = "id.example.test";

/** Registers other tenants' keys at the shared issuer until `upTo` slots are used. */
async function useSlots({ data, clock }: TestPostern, count: number): Promise<void> {
  for (let slot = 0; slot < count; slot++)
    await data.collections.directory.insert([{ kind: "keys", value: String(slot), tenant_id: `t${slot}`, created_at: clock.now() }]);
}

const slotsOf = async ({ data }: TestPostern, tenantId: string): Promise<number> =>
  (await data.collections.directory.find({ where: { kind: "keys" }, limit: 100 })).filter((row) => row.tenant_id === tenantId).length;

async function send({ postern }: { readonly postern: Postern }, host: string, path: string, init: RequestInit = {}): Promise<ApiResponse> {
  const response = await postern.fetch(new Request(`https://${host}${path}`, init));
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function published(service: { readonly postern: Postern }, host: string): Promise<readonly unknown[]> {
  return list(await send(service, host, "/.well-known/jwks.json"), "keys").map(({ kid }) => kid);
}

function tokenAt(service: { readonly postern: Postern }, host: string, tenantId: string): Promise<ApiResponse> {
  const body = {
    grant_type: "client_credentials",
    client_id: `${tenantId}-manager`,
    client_secret: clientSecret,
    audience: `https://${host}/api/v2/`,
  };
  return send(service, host, "/oauth/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const signedBy = async (service: { readonly postern: Postern }, host: string, tenantId: string): Promise<unknown> =>
  decodeProtectedHeader(stringMember(jsonBody(await tokenAt(service, host, tenantId)), "access_token")).kid;

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

async function rotateAs(service: TestPostern, tenantId: string): Promise<ApiResponse> {
  const token = stringMember(jsonBody(await tokenAt(service, shared, tenantId)), "access_token");
  return service.call("POST", rotation, { token });
}

describe("a tenant's own keys at the shared issuer", () => {
  test("sign tokens and are in the shared JWKS if a slot is free", async () => {
    const service = await createTestPostern();
    const made = stringMember(jsonBody(await rotateAs(service, "other"), 201), "kid");
    expect(await signedBy(service, shared, "other")).toBe(made);
    expect(await published(service, shared)).toContain(made);
    expect(await signedBy(service, shared, "main")).not.toBe(made);
    expect(await slotsOf(service, "other")).toBe(1);
    await rotateAs(service, "other");
    expect(await slotsOf(service, "other")).toBe(1);
    expect(await slotsOf(service, "main")).toBe(0);
  });

  test("are rejected if no slot is free and the tenant has no own host: no key is created and the JWKS is unchanged", async () => {
    const service = await createTestPostern();
    await useSlots(service, slots);
    const before = await published(service, shared);
    expectError(await rotateAs(service, "other"), 409, "conflict", "could not be used anywhere");
    expect(await published(service, shared)).toEqual(before);
    expect(await service.data.collections.signing_keys.count({ tenant_id: "other" })).toBe(0);
    // SAML encryption keys sign no token and are in no JWKS. The control plane needs no slot.
    const manage = await managerOf(service, "other");
    expect(await manage("POST", `${rotation}?type=saml_encryption`)).toMatchObject({ status: 201, body: { current: true } });
    expect(await rotateAs(service, "main")).toMatchObject({ status: 201 });
    // The deletion of a tenant frees its slot.
    await service.data.collections.directory.delete({ kind: "keys", value: "7" });
    expect(await rotateAs(service, "other")).toMatchObject({ status: 201 });
  });

  test("get the last slot for one of 32 tenants that rotate their keys in parallel", async () => {
    // This adapter runs parallel statements together, so all tenants see the free slot.
    const service = await createTestPostern({ data: countingAdapter(createMemoryAdapter({ strict: true })) });
    await useSlots(service, slots - 1);
    const tenants = Array.from({ length: 32 }, (_, i) => `racer-${i}`);
    for (const tenantId of tenants) await service.postern.seed(manager(tenantId));
    const tokens = await Promise.all(
      tenants.map(async (tenantId) => stringMember(jsonBody(await tokenAt(service, shared, tenantId)), "access_token")),
    );
    const answers = await Promise.all(tokens.map((token) => service.call("POST", rotation, { token })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 31 }, () => 409)]);
    expect(await service.data.collections.directory.count({ kind: "keys" })).toBe(slots);
    const made = answers.flatMap(({ status, body }) => (status === 201 ? [(body as JsonBody)["kid"]] : []));
    service.clock.advance("5s");
    expect((await published(service, shared)).filter((kid) => made.includes(kid))).toEqual(made);
    const rejectedTenants = tenants.filter((_tenant, i) => answers[i]?.status === 409);
    for (const tenantId of rejectedTenants) expect(await service.data.collections.signing_keys.count({ tenant_id: tenantId })).toBe(0);
  });

  test("use one slot, also after eight parallel rotations", async () => {
    const service = await createTestPostern();
    await Promise.all(Array.from({ length: 8 }, () => rotateAs(service, "other")));
    expect(await slotsOf(service, "other")).toBe(1);
  });

  test.each<[string, TestOptions, string, (service: TestPostern) => Promise<void>]>([
    ["custom domain", {}, "login.other.example", (service) => insertHost(service, "other", "login.other.example")],
    [
      "subdomain",
      { subdomainRouting: { baseDomain: "id.example.test", useOrganizations: false } },
      "other.id.example.test",
      async () => {},
    ],
  ])("are used only at the tenant's %s if no slot is free, and each host reports its current key", async (_, options, ownHost, addHost) => {
    const service = await createTestPostern(options);
    await useSlots(service, slots);
    await addHost(service);
    service.clock.advance("6s");
    const made = stringMember(jsonBody(await rotateAs(service, "other"), 201), "kid");
    const [main] = await published(service, shared);
    expect(await published(service, shared)).toEqual([main]);
    expect(await signedBy(service, shared, "other")).toBe(main);
    expect(await published(service, ownHost)).toEqual([made, main]);
    expect(await signedBy(service, ownHost, "other")).toBe(made);
    const currentAt = async (host: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${await service.token("other")}` };
      return list(await send(service, host, "/api/v2/keys/signing", { headers })).find(({ current }) => current === true)?.["kid"];
    };
    expect([await currentAt(shared), await currentAt(ownHost)]).toEqual([main, made]);
    // Both hosts accept tokens that either host signed.
    for (const host of [shared, ownHost]) {
      const headers = { authorization: `Bearer ${stringMember(jsonBody(await tokenAt(service, host, "other")), "access_token")}` };
      for (const otherHost of [shared, ownHost])
        expect(await send(service, otherHost, "/api/v2/clients", { headers })).toMatchObject({ status: 200 });
    }
  });

  test("can be revoked when no host uses them any more", async () => {
    const service = await createTestPostern();
    const manage = await managerOf(service, "other");
    const { kid } = await manage.create(rotation, {});
    await service.data.collections.directory.delete({ kind: "keys", tenant_id: "other" });
    await useSlots(service, slots);
    service.clock.advance("6s");
    const current = await managerOf(service, "other");
    expect(await current("PUT", `/api/v2/keys/signing/${String(kid)}/revoke`)).toMatchObject({ status: 201, body: { revoked: true } });
    expect(await published(service, shared)).toHaveLength(1);
  });

  test("stay published as last read if the tenant's database is unavailable, and do not block other tenants", async () => {
    let broken = false;
    const ownHost = createMemoryAdapter({ strict: true });
    const getAdapters = (): typeof ownHost => {
      if (broken) throw new Error("no database");
      return ownHost;
    };
    const service = await createTestPostern({ databaseIsolation: { getAdapters, idleSeconds: 1 }, logger: { log() {} } });
    const made = stringMember(jsonBody(await rotateAs(service, "other"), 201), "kid");
    expect(await ownHost.collections.signing_keys.count({ tenant_id: "other" })).toBe(1);
    const before = await published(service, shared);
    expect(before).toContain(made);
    broken = true;
    service.clock.advance("10s");
    // Closes the idle adapter, so that the next request opens it again.
    await service.postern.jobs.sweep();
    expect(await published(service, shared)).toEqual(before);
    expectError(await service.call("GET", "/.well-known/jwks.json", { headers: { "tenant-id": "never" } }), 404, "not_found");
    expectError(await tokenAt(service, shared, "other"), 503, "temporarily_unavailable");
    expect(await tokenAt(service, shared, "main")).toMatchObject({ status: 200 });
  });
});

describe("a service without a control plane", () => {
  test("lets 50 tenants use their own keys at the issuer, and requires an own host for the next one", async () => {
    const postern = createPostern({
      issuer: "https://id.example.test/",
      data: createMemoryAdapter({ strict: true }),
      crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
      logger: { log() {} },
    });
    for (let i = 0; i < slots; i++) await postern.seed({ tenantId: `t${i}` });
    const inJwks = async (): Promise<number> => {
      const response = await postern.fetch(
        new Request("https://id.example.test/.well-known/jwks.json", { headers: { "tenant-id": "t0" } }),
      );
      return ((await response.json()) as { keys: unknown[] }).keys.length;
    };
    expect(await inJwks()).toBe(slots);
    await expect(postern.seed({ tenantId: "late" })).rejects.toMatchObject({
      code: "configuration_error",
      message: expect.stringContaining("controlPlane"),
    });
    await expect(postern.seed({ ...manager("late"), domains: ["login.late.example"] })).resolves.toMatchObject({
      created: [expect.stringContaining("client")],
    });
    await postern.seed({ tenantId: "late" });
    await postern.seed({ tenantId: "t7" });
    expect(await inJwks()).toBe(slots);
    expect(await published({ postern }, "login.late.example")).toEqual([await signedBy({ postern }, "login.late.example", "late")]);
    expectError(await tokenAt({ postern }, shared, "late"), 400, "invalid_request", "own host names");
  });
});
