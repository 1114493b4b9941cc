import { exportSPKI, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { managerOf, stringMember } from "./support/api.ts";
import { countingAdapter, type CountingAdapter } from "./support/counting-adapter.ts";
import { clientSecret, createTestPostern, issuer, managementAudience, type ApiResponse, type TestPostern } from "./support/postern.ts";

/** The number of statements, and the number of sequential steps among them. */
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

describe.each(stores)("the cost of a request on $name, in statements and sequential steps", ({ open }) => {
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

  const manage = async (method: string, path: string, body?: unknown): Promise<ApiResponse> => {
    const answer = await service.call(method, path, { token, ...(body !== undefined && { body }) });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer;
  };
  const newUser = (): object => ({ connection: "Username-Password-Authentication", email: `person${number++}@example.test` });
  const tokenFor = async (credentials: object): Promise<ApiResponse> => {
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

  /** Expects the cost of a request without and with cached settings. */
  const expectCost = async (request: () => Promise<unknown>, budget: { readonly warm: Budget; readonly cold: Budget }): Promise<void> => {
    // Settings are cached for five seconds.
    service.clock.advance("6s");
    const cold = await data.costOf(request);
    expect([cold.statements.length, cold.roundTrips], `cold: ${cold.statements.join(", ")}`).toEqual(budget.cold);
    const warm = await data.costOf(request);
    expect([warm.statements.length, warm.roundTrips], `warm: ${warm.statements.join(", ")}`).toEqual(budget.warm);
  };

  test("client_credentials with a secret", () =>
    expectCost(() => tokenFor({ client_id: "main-manager", client_secret: clientSecret }), { warm: [1, 1], cold: [7, 7] }));

  test("client_credentials with private_key_jwt needs one more statement, which prevents a replay of the assertion", async () =>
    expectCost(
      async () =>
        tokenFor({
          client_id: assertingClient,
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          client_assertion: await assertion(),
        }),
      { warm: [2, 2], cold: [8, 8] },
    ));

  test("client_credentials for an organization and a call with its token need no more statements with cached settings", async () => {
    const manager = await managerOf(service, "other");
    const organization = stringMember(await manager.create("/api/v2/organizations", { name: "acme" }), "id");
    const client = await manager.create("/api/v2/clients", { name: "Robot", app_type: "non_interactive" });
    const { client_id, client_secret } = client;
    const grant = { client_id, audience: managementAudience, scope: ["read:users"], organization_usage: "require" };
    const { id: grant_id } = await manager.create("/api/v2/client-grants", grant);
    await manager.create(`/api/v2/organizations/${organization}/client-grants`, { grant_id });
    const requestToken = () => tokenFor({ client_id, client_secret, organization });
    await expectCost(requestToken, { warm: [1, 1], cold: [10, 10] });
    const accessToken = member(await requestToken(), "access_token");
    const call = () => service.call("GET", "/api/v2/users", { token: accessToken });
    expect((await call()).status).toBe(200);
    await expectCost(call, { warm: [1, 1], cold: [9, 6] });
  });

  test("discovery, which reads the keys, the connections and whether clients may register in parallel", () =>
    expectCost(() => service.call("GET", "/.well-known/openid-configuration"), { warm: [0, 0], cold: [4, 2] }));

  test("JWKS, which also reads the tenants with their own keys at the issuer", () =>
    expectCost(() => service.call("GET", "/.well-known/jwks.json"), { warm: [0, 0], cold: [3, 2] }));

  test("reading a user by id", async () => {
    const id = encodeURIComponent(member(await manage("POST", "/api/v2/users", newUser()), "user_id"));
    await expectCost(() => manage("GET", `/api/v2/users/${id}`), { warm: [1, 1], cold: [6, 4] });
  });

  test("reading a page of users", () => expectCost(() => manage("GET", "/api/v2/users?per_page=5"), { warm: [1, 1], cold: [6, 4] }));

  test("reading a page of users with totals", () =>
    expectCost(() => manage("GET", "/api/v2/users?per_page=5&include_totals=true"), { warm: [2, 1], cold: [7, 4] }));

  test("reading a page of users with a cursor", async () => {
    const first = await manage("GET", "/api/v2/users?take=5");
    const next = encodeURIComponent(member(first, "next"));
    await expectCost(() => manage("GET", `/api/v2/users?take=5&from=${next}`), { warm: [1, 1], cold: [6, 4] });
  });

  test("creating a user with a password", () =>
    expectCost(() => manage("POST", "/api/v2/users", { ...newUser(), password: "correct horse battery" }), { warm: [3, 3], cold: [9, 7] }));

  test("creating a user without a password", () =>
    expectCost(() => manage("POST", "/api/v2/users", newUser()), { warm: [2, 2], cold: [8, 6] }));

  test("updating a user", async () => {
    const id = encodeURIComponent(member(await manage("POST", "/api/v2/users", newUser()), "user_id"));
    await expectCost(() => manage("PATCH", `/api/v2/users/${id}`, { name: `Name ${number++}` }), { warm: [3, 3], cold: [8, 6] });
  });
});

function member({ body }: ApiResponse, name: string): string {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  if (typeof value === "string") return value;
  throw new Error(`no ${name} in ${JSON.stringify(body)}`);
}
