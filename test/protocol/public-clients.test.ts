import { beforeAll, describe, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { obtainTokens, offline, openService, refreshGrant, tokens, type App, type LoginService } from "../support/flow.ts";
import { createTestPostern, type ApiResponse } from "../support/postern.ts";

const callback = "https://app.example.test/callback";
const nonRotating = { rotation_type: "non-rotating", expiration_type: "non-expiring" } as const;
const rotating = { rotation_type: "rotating", expiration_type: "expiring" } as const;

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const create = (body: JsonBody = {}) => service.manage.create("/api/v2/clients", { name: "App", callbacks: [callback], ...body });
const change = (client: JsonBody, body: JsonBody): Promise<ApiResponse> =>
  service.manage("PATCH", `/api/v2/clients/${stringMember(client, "client_id")}`, body);
const read = async (client: JsonBody): Promise<JsonBody> =>
  jsonBody(await service.manage("GET", `/api/v2/clients/${stringMember(client, "client_id")}`));

/** Signs in, refreshes, and uses the first refresh token again much later. */
async function replay(client: JsonBody, secret?: string): Promise<ApiResponse> {
  const app = { clientId: stringMember(client, "client_id"), redirectUri: callback, ...(secret !== undefined && { secret }) };
  const { refresh } = await obtainTokens(service, app, service.ada, offline);
  tokens(await service.exchange(refreshGrant(app, tokens(await service.exchange(refreshGrant(app, refresh))).refresh || refresh)));
  service.clock.advance("2m");
  return service.exchange(refreshGrant(app, refresh));
}

describe("a client without client authentication", () => {
  test.each(["regular_web", "native", "spa", undefined])(
    "has rotating, expiring refresh tokens, also with the application type %s",
    async (appType) => {
      const client = await create({ ...(appType !== undefined && { app_type: appType }), token_endpoint_auth_method: "none" });
      expect(client["refresh_token"]).toMatchObject({ ...rotating, infinite_token_lifetime: false, infinite_idle_token_lifetime: false });
      expectError(await replay(client), 400, "invalid_grant");
    },
  );

  test.each([
    // The settings that Terraform and the Dashboard of Auth0 send for a native application by default.
    {
      ...nonRotating,
      leeway: 0,
      token_lifetime: 2_592_000,
      idle_token_lifetime: 1_296_000,
      infinite_token_lifetime: true,
      infinite_idle_token_lifetime: true,
    },
    { ...nonRotating, expiration_type: "expiring" },
    { ...rotating, infinite_token_lifetime: true, infinite_idle_token_lifetime: true },
  ])("stores refresh token settings without rotation or expiry, which have no effect: %o", async (refresh_token) => {
    const changed = await create({ app_type: "spa" });
    jsonBody(await change(changed, { refresh_token }));
    for (const client of [await create({ token_endpoint_auth_method: "none", refresh_token }), changed]) {
      expect((await read(client))["refresh_token"]).toMatchObject(refresh_token);
      expectError(await replay(client), 400, "invalid_grant");
      const app = { clientId: stringMember(client, "client_id"), redirectUri: callback };
      const { refresh } = await obtainTokens(service, app, service.ada, offline);
      service.clock.advance("31d");
      expectError(await service.exchange(refreshGrant(app, refresh)), 400, "invalid_grant");
    }
  });

  test("may have refresh tokens that live as long as they are used", async () => {
    const long = { ...rotating, infinite_token_lifetime: true };
    expect(await create({ app_type: "native", refresh_token: long })).toMatchObject({ refresh_token: long });
  });

  test("rotates refresh tokens after its authentication method changes to none", async () => {
    const client = await create({ app_type: "regular_web", refresh_token: nonRotating });
    expect((await replay(client, stringMember(client, "client_secret"))).status, "its tokens are unchanged").toBe(200);
    jsonBody(await change(client, { token_endpoint_auth_method: "none" }));
    expectError(await replay(client), 400, "invalid_grant");
  });

  test("is not a client of type spa with a secret, which may have non-rotating refresh tokens", async () => {
    const client = await create({ app_type: "spa", token_endpoint_auth_method: "client_secret_post", refresh_token: nonRotating });
    expect(client["refresh_token"]).toMatchObject(nonRotating);
  });
});

test("a new client has the implicit grant only if the request lists it in grant_types", async () => {
  for (const appType of ["spa", "native", "regular_web", undefined]) {
    expect((await create({ ...(appType !== undefined && { app_type: appType }) }))["grant_types"]).not.toContain("implicit");
  }
  expect(await create({ app_type: "spa", grant_types: ["implicit"] })).toMatchObject({ grant_types: ["implicit"] });
});

test("the default recovery_window, in which a used refresh token can repeat a lost response, is 15 minutes for spa and one day for other types; the maximum is a week", async () => {
  const window = async (body: JsonBody) => (await create(body))["refresh_token"];
  expect(await window({ app_type: "spa" })).toMatchObject({ recovery_window: 900 });
  expect(await window({ app_type: "native" })).toMatchObject({ recovery_window: 86_400 });
  expect(await window({ app_type: "regular_web" })).toMatchObject({ recovery_window: 86_400 });
  expect(await window({ refresh_token: { ...rotating, recovery_window: 604_800 } })).toMatchObject({ recovery_window: 604_800 });
  for (const [name, value] of Object.entries({ recovery_window: 604_801, leeway: 61 })) {
    expectError(
      await service.manage("POST", "/api/v2/clients", { name: "App", refresh_token: { ...rotating, [name]: value } }),
      400,
      "invalid_request",
      name,
    );
  }
});

test("a refresh token from when the client had a secret is treated like those of a public client once it has none", async () => {
  const app = await service.register({ secret: true });
  const unused = await obtainTokens(service, app, service.ada, offline);
  let { refresh } = await obtainTokens(service, app, service.ada, offline);
  expect(await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, { token_endpoint_auth_method: "none" })).toMatchObject({
    status: 200,
  });
  const now: App = { clientId: app.clientId, redirectUri: app.redirectUri };
  for (let week = 0; week < 4; week++) {
    service.clock.advance("7d");
    refresh = tokens(await service.exchange(refreshGrant(now, refresh))).refresh;
  }
  service.clock.advance("3d");
  for (const text of [refresh, unused.refresh]) expectError(await service.exchange(refreshGrant(now, text)), 400, "invalid_grant");
});

describe("a callback URL with plain http", () => {
  const exposed = [
    "http://app.example.test/callback",
    "HTTP://10.0.0.1/cb",
    "http://localhost.example.test/cb",
    "http://127.0.0.1.example/cb",
  ];
  const loopback = ["http://localhost:3000/cb", "http://127.0.0.1/cb", "http://[::1]:8080/cb", "http://{organization_name}.localhost/cb"];

  test.each(exposed)("is rejected: %s", async (url) => {
    expectError(
      await service.manage("POST", "/api/v2/clients", { name: "App", callbacks: [callback, url] }),
      400,
      "invalid_request",
      "callbacks",
    );
    expectError(await change(await create(), { callbacks: [url] }), 400, "invalid_request", "callbacks");
    const settings = { name: "Seeded", callbacks: [url] };
    await expect(service.postern.seed({ tenantId: "main", clients: [{ clientId: "seeded", settings }] })).rejects.toThrow("callbacks");
  });

  test("is accepted for loopback addresses, and for any host if the issuer uses plain http", async () => {
    expect(await create({ callbacks: loopback })).toMatchObject({ callbacks: loopback });
    const desk = await createTestPostern({ issuer: "http://id.example.test/" });
    const body = { name: "App", callbacks: [exposed[0]] };
    expect(await (await managerOf(desk)).create("/api/v2/clients", body)).toMatchObject(body);
  });

  test("that was stored earlier can be read and written back", async () => {
    const client = await create();
    const old = ["http://app.example.test/callback"];
    const where = { tenant_id: "main", client_id: stringMember(client, "client_id") };
    await service.data.collections.clients.update(where, { set: { callbacks: old } });
    service.clock.advance("6s");
    expect(await read(client)).toMatchObject({ callbacks: old });
    expect(jsonBody(await change(client, { name: "Other", callbacks: [...old, callback] }))).toMatchObject({
      callbacks: [...old, callback],
    });
  });
});
