import { exportSPKI, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { managerOf, text } from "./support/api.ts";
import { countingAdapter, type CountingAdapter } from "./support/counting-adapter.ts";
import { clientSecret, createTestPostern, issuer, managementAudience, type Answer, type TestPostern } from "./support/postern.ts";

/** Statements, and how many of them had to wait for one before. */
type Budget = readonly [statements: number, legs: number];

const stores: readonly { readonly name: string; readonly open: () => Promise<DataAdapter> }[] = [
  { name: "memory", open: async () => createMemoryAdapter({ strict: true }) },
  {
    name: "sqlite",
    open: async () => {
      const adapter = await openDatabase("sqlite::memory:");
      await adapter.migrate();
      return adapter;
    },
  },
];

describe.each(stores)("what a request costs on $name, in statements and sequential legs", ({ open }) => {
  let data: CountingAdapter;
  let service: TestPostern;
  let token: string;
  let keys: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
  let assertingClient: string;
  let number = 0;

  beforeAll(async () => {
    data = countingAdapter(await open());
    service = await createTestPostern({ data });
    token = await service.token();
    keys = await generateKeyPair("ES256");
    const method = {
      private_key_jwt: { credentials: [{ credential_type: "public_key", alg: "ES256", pem: await exportSPKI(keys.publicKey) }] },
    };
    const created = await manage("POST", "/api/v2/clients", {
      name: "Signs",
      app_type: "non_interactive",
      client_authentication_methods: method,
    });
    assertingClient = member(created, "client_id");
    await manage("POST", "/api/v2/client-grants", { client_id: assertingClient, audience: managementAudience, scope: ["read:users"] });
    for (let i = 0; i < 12; i++) await manage("POST", "/api/v2/users", newUser());
  });
  afterAll(() => data.close?.());

  const manage = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await service.call(method, path, { token, ...(body !== undefined && { body }) });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer;
  };
  const newUser = (): object => ({ connection: "Username-Password-Authentication", email: `person${number++}@example.test` });
  const tokenFor = async (credentials: object): Promise<Answer> => {
    const body = { grant_type: "client_credentials", audience: managementAudience, ...credentials };
    const answer = await service.call("POST", "/oauth/token", { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer;
  };
  const assertion = async (): Promise<string> =>
    new SignJWT({ jti: `${number++}` })
      .setProtectedHeader({ alg: "ES256" })
      .setIssuer(assertingClient)
      .setSubject(assertingClient)
      .setAudience(issuer)
      .setExpirationTime(Math.floor(service.clock.now() / 1000) + 60)
      .sign(keys.privateKey);

  /** Holds a request to its budgets: at its first time, and when the settings it needs are known. */
  const costs = async (request: () => Promise<unknown>, budget: { readonly warm: Budget; readonly cold: Budget }): Promise<void> => {
    // Settings are kept for five seconds.
    service.clock.advance("6s");
    const cold = await data.costOf(request);
    expect([cold.statements.length, cold.roundTrips], `cold: ${cold.statements.join(", ")}`).toEqual(budget.cold);
    const warm = await data.costOf(request);
    expect([warm.statements.length, warm.roundTrips], `warm: ${warm.statements.join(", ")}`).toEqual(budget.warm);
  };

  test("client_credentials with a secret", () =>
    costs(() => tokenFor({ client_id: "main-manager", client_secret: clientSecret }), { warm: [1, 1], cold: [7, 7] }));

  test("client_credentials with private_key_jwt: one more, which decides that an assertion is used once", async () =>
    costs(
      async () =>
        tokenFor({
          client_id: assertingClient,
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          client_assertion: await assertion(),
        }),
      { warm: [2, 2], cold: [8, 8] },
    ));

  test("client_credentials for an organization, and a call with its token: nothing more, once the settings are known", async () => {
    const manager = await managerOf(service, "other");
    const organization = text(await manager.create("/api/v2/organizations", { name: "acme" }), "id");
    const client = await manager.create("/api/v2/clients", { name: "Robot", app_type: "non_interactive" });
    const { client_id, client_secret } = client;
    const grant = { client_id, audience: managementAudience, scope: ["read:users"], organization_usage: "require" };
    const { id: grant_id } = await manager.create("/api/v2/client-grants", grant);
    await manager.create(`/api/v2/organizations/${organization}/client-grants`, { grant_id });
    const ask = () => tokenFor({ client_id, client_secret, organization });
    await costs(ask, { warm: [1, 1], cold: [10, 10] });
    const own = member(await ask(), "access_token");
    const call = () => service.call("GET", "/api/v2/users", { token: own });
    expect((await call()).status).toBe(200);
    await costs(call, { warm: [1, 1], cold: [9, 6] });
  });

  test("discovery", () => costs(() => service.call("GET", "/.well-known/openid-configuration"), { warm: [0, 0], cold: [2, 2] }));

  test("JWKS, with one more for the tenants whose own keys count there", () =>
    costs(() => service.call("GET", "/.well-known/jwks.json"), { warm: [0, 0], cold: [3, 2] }));

  test("a user by id", async () => {
    const id = encodeURIComponent(member(await manage("POST", "/api/v2/users", newUser()), "user_id"));
    await costs(() => manage("GET", `/api/v2/users/${id}`), { warm: [1, 1], cold: [6, 4] });
  });

  test("a page of users", () => costs(() => manage("GET", "/api/v2/users?per_page=5"), { warm: [1, 1], cold: [6, 4] }));

  test("a page of users with totals", () =>
    costs(() => manage("GET", "/api/v2/users?per_page=5&include_totals=true"), { warm: [2, 1], cold: [7, 4] }));

  test("a page of users by cursor", async () => {
    const first = await manage("GET", "/api/v2/users?take=5");
    const next = encodeURIComponent(member(first, "next"));
    await costs(() => manage("GET", `/api/v2/users?take=5&from=${next}`), { warm: [1, 1], cold: [6, 4] });
  });

  test("a user created with a password", () =>
    costs(() => manage("POST", "/api/v2/users", { ...newUser(), password: "correct horse battery" }), { warm: [3, 3], cold: [9, 7] }));

  test("a user created without one", () => costs(() => manage("POST", "/api/v2/users", newUser()), { warm: [2, 2], cold: [8, 6] }));

  test("a user changed", async () => {
    const id = encodeURIComponent(member(await manage("POST", "/api/v2/users", newUser()), "user_id"));
    await costs(() => manage("PATCH", `/api/v2/users/${id}`, { name: `Name ${number++}` }), { warm: [3, 3], cold: [8, 6] });
  });
});

function member({ body }: Answer, name: string): string {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  if (typeof value === "string") return value;
  throw new Error(`no ${name} in ${JSON.stringify(body)}`);
}
