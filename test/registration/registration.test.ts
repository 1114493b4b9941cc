import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody, list, stringMember } from "../support/api.ts";
import { codeGrant, login, refreshGrant, tokens, type LoginService } from "../support/flow.ts";
import { issuer } from "../support/postern.ts";
import {
  codeForTools,
  initialAccessToken,
  openServiceForStrangers,
  publicClient,
  register,
  registered,
  setOpenRegistration,
} from "../support/registration.ts";

const confidential = { redirect_uris: ["https://agent.example.test/cb"], client_name: "Agent" };

async function endpointOf({ call }: LoginService): Promise<unknown> {
  return jsonBody(await call("GET", "/.well-known/openid-configuration"))["registration_endpoint"];
}

describe("registration modes", () => {
  test("is off and not advertised by default, and known tokens of a client still work", async () => {
    const service = await openServiceForStrangers();
    expectError(await register(service), 404, "not_found", "registration");
    expectError(await register(service, publicClient, "made-up"), 404, "not_found");
    expect(await endpointOf(service)).toBeUndefined();

    await setOpenRegistration(service, true);
    expect(await endpointOf(service)).toBe(`${issuer}oidc/register`);
    const client = await registered(service);
    await setOpenRegistration(service, false);
    expectError(await register(service), 404, "not_found");
    expect(await endpointOf(service)).toBeUndefined();
    expect(jsonBody(await service.call("GET", client.path, { token: client.token }))).toEqual(client.registration);
    expect(await service.call("DELETE", client.path, { token: client.token })).toMatchObject({ status: 204 });
  });

  test("accepts an initial access token for as many registrations as it allows, and advertises the endpoint until then", async () => {
    const service = await openServiceForStrangers();
    const { manage } = service;
    const made = await manage.create("/api/v2/clients/initial-access-tokens", { uses: 2 });
    expect(made).toEqual({
      id: expect.stringMatching(/^iat_/),
      token: expect.stringMatching(/^[\w-]{43}$/),
      uses_left: 2,
      policy: {},
      created_at: "2026-01-01T00:00:00.000Z",
      expires_at: "2026-01-02T00:00:00.000Z",
    });
    const token = stringMember(made, "token");
    expect(await endpointOf(service)).toBe(`${issuer}oidc/register`);
    const missing = await register(service);
    expectError(missing, 401, "invalid_token");
    expect(missing.headers.get("www-authenticate")).toBe('Bearer realm="postern"');
    const wrong = await register(service, publicClient, "made-up");
    expectError(wrong, 401, "invalid_token");
    expect(wrong.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');

    expectError(await register(service, { redirect_uris: [] }, token), 400, "invalid_redirect_uri");
    await registered(service, publicClient, token);
    const { token: _, ...shown } = made;
    expect(list(await manage("GET", "/api/v2/clients/initial-access-tokens"))).toEqual([{ ...shown, uses_left: 1 }]);
    await registered(service, publicClient, token);
    expectError(await register(service, publicClient, token), 401, "invalid_token");
    expect(await endpointOf(service), "no token is live").toBeUndefined();
    expectError(await register(service), 404, "not_found");
  });

  test("rejects an initial access token that expired, whether it was swept or not", async () => {
    const service = await openServiceForStrangers();
    const short = await initialAccessToken(service, { expires_in: 60 });
    service.clock.advance("61s");
    expectError(await register(service, publicClient, short), 404, "not_found");
    await service.postern.jobs.sweep();
    expectError(await register(service, publicClient, short), 404, "not_found");
    await initialAccessToken(service);
    expectError(await register(service, publicClient, short), 401, "invalid_token");
  });

  test("rejects an initial access token that was deleted", async () => {
    const service = await openServiceForStrangers();
    const { id, token } = await service.manage.create("/api/v2/clients/initial-access-tokens", {});
    const path = `/api/v2/clients/initial-access-tokens/${String(id)}`;
    expect(await service.manage("DELETE", path)).toMatchObject({ status: 204 });
    expect(await service.manage("DELETE", path)).toMatchObject({ status: 204 });
    expectError(await register(service, publicClient, String(token)), 404, "not_found");
  });

  test("applies the policy of the initial access token to the registration and to every later change", async () => {
    const service = await openServiceForStrangers();
    const policy = { redirect_hosts: ["agent.example.test", "localhost"] };
    const token = await initialAccessToken(service, { policy });
    for (const uri of [
      "https://evil.example/cb",
      "http://127.0.0.1/cb",
      "localhost://localhost/cb",
      "https://agent.example.test.evil.example/",
    ])
      expectError(
        await register(service, { redirect_uris: ["https://agent.example.test/cb", uri] }, token),
        400,
        "invalid_redirect_uri",
        "host",
      );
    const client = await registered(service, { redirect_uris: ["https://agent.example.test:8443/cb", "http://localhost/cb"] }, token);
    const body = { client_id: client.clientId, redirect_uris: ["https://evil.example/cb"] };
    expectError(await service.call("PUT", client.path, { token: client.token, body }), 400, "invalid_redirect_uri", "host");
    const moved = { ...body, redirect_uris: ["https://agent.example.test/other"] };
    expect(jsonBody(await service.call("PUT", client.path, { token: client.token, body: moved }))).toMatchObject({
      redirect_uris: moved.redirect_uris,
    });
  });

  test.each([
    { uses: 0 },
    { uses: 10_001 },
    { expires_in: 0 },
    { policy: { redirect_hosts: [] } },
    { policy: { redirect_hosts: ["Example.com"] } },
    { policy: { redirect_hosts: ["example.com:8443"] } },
    { policy: { hosts: [] } },
    { use: 1 },
  ])("rejects the initial access token %j", async (body) => {
    const service = await openServiceForStrangers();
    expectError(await service.manage("POST", "/api/v2/clients/initial-access-tokens", body), 400, "invalid_request");
  });
});

describe("a registration", () => {
  let service: LoginService;
  beforeAll(async () => {
    service = await openServiceForStrangers({ limits: { registrationsPerAddress: 1000 } });
    await setOpenRegistration(service, true);
  });

  test("returns the registered metadata without the members that are not supported", async () => {
    const response = await register(service, {
      ...confidential,
      contacts: ["ops@example.test"],
      grant_types: ["authorization_code", "implicit", "client_credentials"],
      logo_uri: "https://agent.example.test/logo.png",
      scope: "openid read:tools",
      is_first_party: true,
      id_token_signed_response_alg: "none",
      connections: ["con_1"],
      client_id: "chosen",
    });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const body = jsonBody(response, 201);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^tpc_[A-Za-z0-9]{32}$/),
      client_id_issued_at: Date.UTC(2026, 0, 1) / 1000,
      client_secret: expect.stringMatching(/^[\w-]{64}$/),
      client_secret_expires_at: 0,
      registration_access_token: expect.stringMatching(/^[\w-]{43}$/),
      registration_client_uri: `${issuer}oidc/register/${String(body["client_id"])}?tenant=main`,
      client_name: "Agent",
      redirect_uris: ["https://agent.example.test/cb"],
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["authorization_code"],
      response_types: ["code"],
      application_type: "web",
      id_token_signed_response_alg: "ES256",
      logo_uri: "https://agent.example.test/logo.png",
      contacts: ["ops@example.test"],
      scope: "openid read:tools",
    });
    expect(jsonBody(await service.manage("GET", `/api/v2/clients/${String(body["client_id"])}`))).toMatchObject({
      name: "Agent",
      is_first_party: false,
      external_metadata_type: "dcr",
      external_metadata_created_by: "client",
      refresh_token: { rotation_type: "rotating" },
    });
  });

  test("chooses only algorithms that discovery lists, so that it creates no keys", async () => {
    const chosen = async (alg: string) => {
      const metadata = { ...confidential, id_token_signed_response_alg: alg, userinfo_signed_response_alg: alg };
      const { registration, path, token, clientId } = await registered(service, metadata);
      const { client_secret, redirect_uris } = registration;
      const body = { ...metadata, client_id: clientId, client_secret, redirect_uris };
      const replaced = jsonBody(await service.call("PUT", path, { token, body }));
      return [registration, replaced].map((one) => [one["id_token_signed_response_alg"], one["userinfo_signed_response_alg"]]);
    };
    expect(await chosen("RS256")).toEqual([
      ["RS256", "RS256"],
      ["RS256", "RS256"],
    ]);
    expect(await chosen("PS256")).toEqual([
      ["ES256", undefined],
      ["ES256", undefined],
    ]);
    const app = await service.register({ jwt_configuration: { alg: "PS256" } });
    const { code = "" } = await login(service.browser(), app, service.ada);
    tokens(await service.exchange(codeGrant(app, code)));
    expect(await chosen("PS256")).toEqual([
      ["PS256", "PS256"],
      ["PS256", "PS256"],
    ]);
  });

  test("answers the preflight request of any origin", async () => {
    const headers = {
      origin: "https://anywhere.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    };
    const response = await service.call("OPTIONS", "/oidc/register", { headers });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("https://anywhere.example");
  });

  test("is read, replaced as a whole, and deleted with its token", async () => {
    const client = await registered(service, { ...confidential, client_uri: "https://agent.example.test/", contacts: ["a@example.test"] });
    const { token, path } = client;
    const { client_secret: secret, client_secret_expires_at: _, ...known } = client.registration;
    expect(jsonBody(await service.call("GET", path, { token }))).toEqual(known);

    const body = { client_id: client.clientId, client_secret: secret, redirect_uris: ["https://agent.example.test/new"] };
    const replaced = jsonBody(await service.call("PUT", path, { token, body }));
    expect(replaced).toMatchObject({ client_name: client.clientId, redirect_uris: body.redirect_uris });
    for (const member of ["client_uri", "contacts", "client_secret"]) expect(replaced).not.toHaveProperty(member);
    const code = await codeForTools(service.browser(), { ...client, redirectUri: body.redirect_uris[0] ?? "" }, service.ada);
    tokens(await service.exchange(codeGrant({ ...client, redirectUri: body.redirect_uris[0] ?? "" }, code)));

    expect(await service.call("DELETE", path, { token })).toMatchObject({ status: 204 });
    for (const method of ["GET", "DELETE"]) expectError(await service.call(method, path, { token }), 401, "invalid_token");
    expect(await service.manage("GET", `/api/v2/clients/${client.clientId}`)).toMatchObject({ status: 404 });
    expect(list(await service.manage("GET", `/api/v2/grants?client_id=${client.clientId}`))).toEqual([]);
  });

  test("gets a secret when its method becomes confidential, and loses it when the method becomes public", async () => {
    const client = await registered(service, publicClient);
    const put = async (method: string) =>
      jsonBody(
        await service.call("PUT", client.path, {
          token: client.token,
          body: { ...publicClient, client_id: client.clientId, token_endpoint_auth_method: method },
        }),
      );
    const first = await put("client_secret_post");
    expect(first).toMatchObject({ client_secret: expect.any(String), client_secret_expires_at: 0 });
    expect(await put("client_secret_basic")).not.toHaveProperty("client_secret");
    const authenticate = async (secret: unknown) => service.exchange(refreshGrant({ ...client, secret: String(secret) }, "none"));
    expectError(await authenticate(first["client_secret"]), 400, "invalid_grant");
    await put("none");
    const second = await put("client_secret_post");
    expect(second["client_secret"]).not.toBe(first["client_secret"]);
    expectError(await authenticate(first["client_secret"]), 401, "invalid_client");
  });

  test.each([
    ["another client_id", { client_id: "tpc_other" }, "client_id"],
    ["no client_id", { client_id: undefined }, "client_id"],
    ["a wrong secret", { client_secret: "wrong" }, "client_secret"],
    ["its registration access token", { registration_access_token: "x" }, "registration_access_token"],
    ["its registration URL", { registration_client_uri: "https://x.example" }, "registration_client_uri"],
    ["the expiry of its secret", { client_secret_expires_at: 0 }, "client_secret_expires_at"],
    ["the time of its registration", { client_id_issued_at: 1 }, "client_id_issued_at"],
  ])("is not replaced by a request with %s", async (_, sent, named) => {
    const client = await registered(service, confidential);
    const body = { ...confidential, client_id: client.clientId, ...sent };
    expectError(await service.call("PUT", client.path, { token: client.token, body }), 400, "invalid_client_metadata", named);
  });

  test("keeps what an administrator changed when the client replaces its metadata", async () => {
    const client = await registered(service, publicClient);
    const path = `/api/v2/clients/${client.clientId}`;
    jsonBody(await service.manage("PATCH", path, { client_metadata: { team: "a" }, jwt_configuration: { lifetime_in_seconds: 600 } }));
    const body = { ...publicClient, client_id: client.clientId, client_name: "New" };
    jsonBody(await service.call("PUT", client.path, { token: client.token, body }));
    expect(jsonBody(await service.manage("GET", path))).toMatchObject({
      name: "New",
      client_metadata: { team: "a" },
      jwt_configuration: { lifetime_in_seconds: 600 },
    });
  });

  test("asks for consent again after a new redirect URI, and not after a new name", async () => {
    const client = await registered(service, publicClient);
    const browser = service.browser();
    await codeForTools(browser, client, service.ada);
    await codeForTools(browser, client, service.ada, { prompt: "none" });
    service.clock.advance("1s");
    const replace = async (change: object) =>
      jsonBody(
        await service.call("PUT", client.path, { token: client.token, body: { ...publicClient, client_id: client.clientId, ...change } }),
      );
    await replace({ client_name: "New" });
    await codeForTools(browser, client, service.ada, { prompt: "none" });
    await replace({ redirect_uris: [...publicClient.redirect_uris, "https://new.example.test/cb"] });
    await expect(codeForTools(browser, client, service.ada, { prompt: "none" })).rejects.toThrow("consent_required");
  });

  test("writes audit events with the client, and without its secrets", async () => {
    const client = await registered(service, confidential);
    await register(service, { redirect_uris: ["javascript:alert(1)"] });
    const rows = list(await service.manage("GET", "/api/v2/logs?per_page=5&sort=date:-1"));
    expect(rows.find(({ type }) => type === "sapi")).toMatchObject({
      client_id: client.clientId,
      description: "Register a client",
      details: { request: { path: "/oidc/register", body: { client_name: "Agent" } }, response: { statusCode: 201 } },
    });
    expect(rows.find(({ type }) => type === "fapi")).toMatchObject({ description: expect.stringContaining("redirect_uris") });
    expect(JSON.stringify(rows)).not.toContain(client.secret);
    expect(JSON.stringify(rows)).not.toContain(client.token);
  });
});
