import { beforeEach, describe, expect, test } from "vitest";
import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import type { ApiResponse } from "../support/postern.ts";
import {
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  offline,
  redirectOf,
  submitStep,
  tokens,
  type App,
  type ObtainedTokens,
} from "../support/flow.ts";
import { tokenWith } from "../management/token-with.ts";
import {
  returnFromProvider,
  signInWithProvider,
  goToProvider,
  openFederation,
  submitProviderSignIn,
  upstreamIssuer,
  type Federation,
} from "./federation.ts";

const grantType = "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token";
const connectionToken = "http://auth0.com/oauth/token-type/federated-connection-access-token";
const refreshType = "urn:ietf:params:oauth:token-type:refresh_token";
const accessType = "urn:ietf:params:oauth:token-type:access_token";

let federation: Federation;
let connectionId: string;
/** An app that may get the tokens of identity providers. */
let agent: App;

/** Registers an app and enables the connection for it. */
async function register(settings: Parameters<Federation["service"]["register"]>[0]): Promise<App> {
  const { service } = federation;
  const app = await service.register({ grant_types: ["authorization_code", "refresh_token", grantType], ...settings });
  await federation.enableFor(app);
  return app;
}

beforeEach(async () => {
  federation = await openFederation();
  const { provider } = federation;
  const rotating = { rotation_type: "rotating", expiration_type: "expiring", leeway: 0, token_lifetime: 2_592_000 };
  await provider.manage("PATCH", `/api/v2/clients/${federation.client.clientId}`, { refresh_token: rotating });
  connectionId = stringMember(await federation.connect({ options: { scope: "openid profile email offline_access" } }), "id");
  agent = await register({ secret: true });
});

/** Signs a user of the identity provider in to an app. */
async function signedIn(email: string, app = agent): Promise<ObtainedTokens & { readonly userId: string }> {
  const { service, provider } = federation;
  const { code = "" } = successParameters(
    await signInWithProvider(federation, await provider.addUser(email), { app, parameters: offline }),
  );
  const result = tokens(await service.exchange(codeGrant(app, code)));
  return { ...result, userId: String(claimsOf(result.id).sub) };
}

function exchange(subject: string, more: { readonly [name: string]: string } = {}, app = agent): Promise<ApiResponse> {
  return federation.service.exchange({
    grant_type: grantType,
    client_id: app.clientId,
    ...(app.secret !== undefined && { client_secret: app.secret }),
    connection: "fieldnotes",
    subject_token: subject,
    subject_token_type: refreshType,
    requested_token_type: connectionToken,
    ...more,
  });
}

/** The refresh requests to the identity provider, oldest first. */
async function refreshBodies(): Promise<readonly URLSearchParams[]> {
  const posts = federation.requests.filter(({ method }) => method === "POST");
  const bodies = await Promise.all(posts.map(async (request) => new URLSearchParams(await request.clone().text())));
  return bodies.filter((body) => body.get("grant_type") === "refresh_token");
}

const refreshes = async (): Promise<number> => (await refreshBodies()).length;

/** The email address that the identity provider returns for a token. */
async function bearer(response: ApiResponse): Promise<unknown> {
  expect(response).toMatchObject({ status: 200, body: { issued_token_type: connectionToken, token_type: "Bearer" } });
  return jsonBody(await federation.provider.userinfo(stringMember(jsonBody(response), "access_token")))["email"];
}

const identitiesOf = (user: JsonBody): readonly JsonBody[] => user["identities"] as readonly JsonBody[];

async function countStoredTokens(): Promise<number> {
  return (await federation.service.data.collections.upstream_tokens.find({ where: { tenant_id: "main" }, limit: 50 })).length;
}

describe("the tokens of an identity provider", () => {
  test("are returned to callers with `read:user_idp_tokens` only, for one user and for lists", async () => {
    const { service } = federation;
    const { userId } = await signedIn("ann@people.example");
    const read = async (scopes: readonly string[], path: string): Promise<unknown> =>
      (await service.call("GET", path, { token: await tokenWith(service, service.manage, scopes) })).body;
    const one = `/api/v2/users/${encodeURIComponent(userId)}`;
    const both = ["read:users", "read:user_idp_tokens"];
    const shown = identitiesOf((await read(both, one)) as JsonBody)[0];
    expect(shown).toMatchObject({ connection: "fieldnotes", access_token: expect.any(String), refresh_token: expect.any(String) });
    expect(jsonBody(await federation.provider.userinfo(stringMember(shown ?? {}, "access_token")))).toMatchObject({
      email: "ann@people.example",
    });
    for (const path of ["/api/v2/users?q=email:ann@people.example", "/api/v2/users-by-email?email=ann@people.example"]) {
      expect(await read(both, path)).toMatchObject([{ identities: [shown] }]);
    }
    expect(await read(["read:user_idp_tokens"], one)).toEqual({ user_id: userId, identities: [shown] });
    for (const path of [one, "/api/v2/users?q=email:ann@people.example", "/api/v2/users-by-email?email=ann@people.example"]) {
      expect(JSON.stringify(await read(["read:users"], path))).not.toContain("_token");
    }
  });

  test("are stored encrypted, and deleted with the user", async () => {
    const { service } = federation;
    const { userId } = await signedIn("ann@people.example");
    const shown = identitiesOf(jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(userId)}`)))[0] ?? {};
    const rows = JSON.stringify(await service.data.collections.upstream_tokens.find({ where: { tenant_id: "main" }, limit: 50 }));
    expect(rows).toContain(userId);
    expect(rows).not.toContain(stringMember(shown, "access_token"));
    expect(rows).not.toContain(stringMember(shown, "refresh_token"));
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(userId)}`);
    expect(await countStoredTokens()).toBe(0);
  });

  test("are not stored if the connection disables it", async () => {
    const { service } = federation;
    const options = {
      issuer: upstreamIssuer,
      client_id: federation.client.clientId,
      federated_connections_access_tokens: { active: false },
    };
    await service.manage("PATCH", `/api/v2/connections/${connectionId}`, { options });
    const { refresh } = await signedIn("ann@people.example");
    expect(await countStoredTokens()).toBe(0);
    expect(await exchange(refresh)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  });

  test("keep the stored refresh token if a later login returns none", async () => {
    const { service, provider } = federation;
    const ann = await provider.addUser("ann@people.example");
    const first = successParameters(await signInWithProvider(federation, ann, { app: agent }));
    const userId = String(claimsOf(tokens(await service.exchange(codeGrant(agent, first["code"] ?? ""))).id).sub);
    const shown = async (): Promise<JsonBody> =>
      identitiesOf(jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(userId)}`)))[0] ?? {};
    const before = await shown();
    await service.manage("PATCH", `/api/v2/connections/${connectionId}`, {
      options: { issuer: upstreamIssuer, client_id: federation.client.clientId, scope: "openid profile email" },
    });
    service.clock.advance(10_000);
    successParameters(await signInWithProvider(federation, ann, { app: agent }));
    const after = await shown();
    expect(after["refresh_token"]).toBe(before["refresh_token"]);
    expect(after["access_token"]).not.toBe(before["access_token"]);
  });

  test("are available at once to a user who linked the account by signing in", async () => {
    const { service, provider } = federation;
    const localAccount = await service.addUser("flo@people.example");
    const providerAccount = await provider.addUser("flo@people.example");
    const browser = service.browser();
    const state = loginState(
      await returnFromProvider(
        browser,
        await submitProviderSignIn(federation, await goToProvider(federation, browser, service.web, offline), providerAccount),
      ),
    );
    await submitStep(browser, state, { action: "link-account" });
    const [waiting] = await service.data.collections.login_sessions.find({ where: { tenant_id: "main" }, limit: 1 });
    // Encrypted (RFC 7516), without a plain token of the identity provider.
    expect(waiting?.progress).toMatchObject({ pending_link: { tokens: expect.stringMatching(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/) } });
    redirectOf(await submitStep(browser, state, { action: "sign-in", password: localAccount.password }));
    const user = jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(localAccount.userId)}`));
    expect(identitiesOf(user)).toMatchObject([{}, { connection: "fieldnotes", refresh_token: expect.any(String) }]);
    expect(identitiesOf(user)[0]).not.toHaveProperty("access_token");
  });
});

describe("a token exchange for an identity provider's token", () => {
  test.each([refreshType, accessType])("accepts a token of the user: %s", async (type) => {
    const { access, refresh } = await signedIn("ann@people.example");
    const result = await exchange(type === refreshType ? refresh : access, { subject_token_type: type });
    expect(await bearer(result)).toBe("ann@people.example");
    expect(jsonBody(result)["expires_in"]).toBeGreaterThan(60);
    // The token can be used again.
    expect(await bearer(await exchange(refresh))).toBe("ann@people.example");
    expect(await refreshes()).toBe(0);
  });

  test("refreshes an expired token with one request to the identity provider for 32 parallel callers", async () => {
    const { service } = federation;
    const { refresh } = await signedIn("ann@people.example");
    const first = jsonBody(await exchange(refresh));
    service.clock.advance(Number(first["expires_in"]) * 1000 - 20_000);
    const responses = await Promise.all(Array.from({ length: 32 }, () => exchange(refresh)));
    for (const response of responses) expect(await bearer(response)).toBe("ann@people.example");
    expect(new Set(responses.map((response) => jsonBody(response)["access_token"])).size).toBe(1);
    expect(jsonBody(await exchange(refresh))["access_token"]).not.toBe(first["access_token"]);
    expect(await refreshes()).toBe(1);
    // The refresh token that the identity provider issued at the rotation is valid as well.
    service.clock.advance(Number(first["expires_in"]) * 1000);
    expect(await bearer(await exchange(refresh))).toBe("ann@people.example");
    expect(await refreshes()).toBe(2);
  });

  test.each<[deviation: string, change: (body: JsonBody) => object, scope: string | undefined]>([
    ["`scope` is a list (Twitch)", (body) => ({ ...body, scope: ["openid", "email"] }), "openid email"],
    ["`token_type` is missing (Instagram)", ({ token_type: _, ...body }) => body, "openid"],
    ["`token_type` is null", (body) => ({ ...body, token_type: null }), "openid"],
    ["`token_type` is empty", (body) => ({ ...body, token_type: "" }), "openid"],
    ["`scope` is null", (body) => ({ ...body, scope: null }), undefined],
    ["unused members are null", (body) => ({ ...body, error: null, error_description: null, resource: null }), "openid"],
  ])("and the sign-in work if %s", async (_, change, scope) => {
    const { service, provider } = federation;
    federation.respond = async (request) => {
      if (!request.url.endsWith("/oauth/token")) return undefined;
      const response = await provider.postern.fetch(request);
      return Response.json(change({ ...((await response.json()) as JsonBody), scope: "openid" }), { status: response.status });
    };
    const { refresh } = await signedIn("ann@people.example");
    const first = jsonBody(await exchange(refresh));
    expect(first["scope"]).toBe(scope);
    service.clock.advance(Number(first["expires_in"]) * 1000);
    const renewed = await exchange(refresh);
    expect(await bearer(renewed)).toBe("ann@people.example");
    expect(jsonBody(renewed)["scope"]).toBe(scope);
    expect(await refreshes()).toBe(1);
  });

  test.each([
    ["null", { expires_in: null, refresh_token: null }],
    ["empty", { expires_in: "", refresh_token: "" }],
  ])("counts `expires_in` and `refresh_token` as missing if they are %s", async (_, members) => {
    const { provider } = federation;
    federation.respond = async (request) => {
      if (!request.url.endsWith("/oauth/token")) return undefined;
      const response = await provider.postern.fetch(request);
      return Response.json({ ...((await response.json()) as JsonBody), ...members });
    };
    const { refresh } = await signedIn("ann@people.example");
    expect(await bearer(await exchange(refresh))).toBe("ann@people.example");
  });

  test("keeps a rotated refresh token during a parallel login that returns none", async () => {
    const { service, provider } = federation;
    const { refresh } = await signedIn("ann@people.example");
    const ann = { email: "ann@people.example", password: "correct horse battery", userId: "" };
    const options = { issuer: upstreamIssuer, client_id: federation.client.clientId };
    await service.manage("PATCH", `/api/v2/connections/${connectionId}`, { options: { ...options, scope: "openid profile email" } });
    const { expires_in: seconds } = jsonBody(await exchange(refresh));
    service.clock.advance(Number(seconds) * 1000);
    let hasStarted = false;
    federation.respond = async (request) => {
      if (hasStarted || new URLSearchParams(await request.clone().text()).get("grant_type") !== "refresh_token") return undefined;
      hasStarted = true;
      const response = await provider.postern.fetch(request);
      successParameters(await signInWithProvider(federation, ann, { app: agent }));
      return response;
    };
    expect(await bearer(await exchange(refresh))).toBe("ann@people.example");
    expect(hasStarted).toBe(true);
    service.clock.advance(Number(seconds) * 1000);
    expect(await bearer(await exchange(refresh))).toBe("ann@people.example");
    // A refresh token that is used twice can be treated as stolen.
    const presented = (await refreshBodies()).map((body) => body.get("refresh_token"));
    expect(presented).toHaveLength(2);
    expect(new Set(presented).size).toBe(2);
  });

  test("retries a failed refresh for the next caller, but not after the identity provider rejected the refresh token", async () => {
    const { service } = federation;
    const { refresh } = await signedIn("ann@people.example");
    service.clock.advance(Number(jsonBody(await exchange(refresh))["expires_in"]) * 1000);
    const fail = (status: number, body: object): void => {
      federation.respond = async ({ url }) => (url.endsWith("/oauth/token") ? Response.json(body, { status }) : undefined);
    };
    fail(500, {});
    expect(await exchange(refresh)).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    federation.respond = undefined;
    expect(await bearer(await exchange(refresh))).toBe("ann@people.example");
    service.clock.advance(Number(jsonBody(await exchange(refresh))["expires_in"]) * 1000);
    fail(400, { error: "invalid_grant" });
    const before = await refreshes();
    expect(await exchange(refresh)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    federation.respond = undefined;
    expect(await exchange(refresh)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await refreshes()).toBe(before + 1);
    // The user can sign in at the identity provider again.
    successParameters(
      await signInWithProvider(federation, { email: "ann@people.example", password: "correct horse battery", userId: "" }, { app: agent }),
    );
    expect(await bearer(await exchange(refresh))).toBe("ann@people.example");
  });

  test("logs a failed refresh with the identity provider's error, and without the token", async () => {
    const { service } = federation;
    const { refresh } = await signedIn("ann@people.example");
    service.clock.advance(Number(jsonBody(await exchange(refresh))["expires_in"]) * 1000);
    federation.respond = async (request) => {
      if (!request.url.endsWith("/oauth/token")) return undefined;
      const presented = new URLSearchParams(await request.text()).get("refresh_token");
      return Response.json({ error: "invalid_grant", error_description: `Token ${presented} is not active` }, { status: 400 });
    };
    expect(await exchange(refresh)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const { body } = await service.manage("GET", "/api/v2/logs?q=type:fc");
    const url = `${upstreamIssuer}oauth/token`;
    expect(body).toMatchObject([
      {
        description: `token (${url}): HTTP 400, invalid_grant: Token [left out] is not active`,
        connection: "fieldnotes",
        details: { provider: { step: "token", url, status: 400, error: "invalid_grant" } },
      },
    ]);
  });

  test("selects one of the user's two accounts at one identity provider with `login_hint`", async () => {
    const { service } = federation;
    const ann = await signedIn("ann@people.example");
    const bea = await signedIn("bea@people.example");
    const local = bea.userId.slice(bea.userId.indexOf("|") + 1);
    const link = { provider: "oidc", user_id: bea.userId };
    expect((await service.manage("POST", `/api/v2/users/${encodeURIComponent(ann.userId)}/identities`, link)).status).toBe(201);
    expect(await bearer(await exchange(ann.refresh))).toBe("ann@people.example");
    expect(await bearer(await exchange(ann.refresh, { login_hint: local }))).toBe("bea@people.example");
    expect(await exchange(ann.refresh, { login_hint: "unknown" })).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    // Tokens of the separate account are invalid after the link.
    expect(await exchange(bea.refresh)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test.each([
    ["a database connection", { connection: "Username-Password-Authentication" }, "invalid_request"],
    ["an unknown connection", { connection: "elsewhere" }, "invalid_request"],
    ["another token type", { subject_token_type: "urn:ietf:params:oauth:token-type:id_token" }, "invalid_request"],
    ["another requested token type", { requested_token_type: accessType }, "invalid_request"],
    ["an unknown token", { subject_token: "x" }, "invalid_grant"],
    ["a refresh token as an access token", { subject_token_type: accessType }, "invalid_grant"],
    ["a body without a connection", { connection: "" }, "invalid_request"],
  ])("rejects %s", async (_, more, error) => {
    const { refresh } = await signedIn("ann@people.example");
    expect(await exchange(refresh, more)).toMatchObject({ status: 400, body: { error } });
  });

  test("rejects a token of another client, of a revoked session and of a blocked user", async () => {
    const { service } = federation;
    const { refresh, access, userId } = await signedIn("ann@people.example");
    const other = await register({ secret: true });
    const rejected = { status: 400, body: { error: "invalid_grant" } };
    expect(await exchange(refresh, {}, other)).toMatchObject(rejected);
    expect(await exchange(access, { subject_token_type: accessType }, other)).toMatchObject(rejected);
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(userId)}`, { blocked: true });
    expect(await exchange(refresh)).toMatchObject(rejected);
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(userId)}`, { blocked: false });
    expect(await exchange(refresh)).toMatchObject(rejected);
    const bob = await signedIn("bob@people.example");
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(bob.userId)}/sessions`);
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(bob.userId)}/refresh-tokens`);
    expect(await exchange(bob.refresh)).toMatchObject(rejected);
  });

  test("rejects a public client, a third-party client and a client without the grant type", async () => {
    const clients = [{}, { secret: true, is_first_party: false }, { secret: true, grant_types: ["authorization_code", "refresh_token"] }];
    for (const settings of clients) {
      const app = await register(settings);
      expect(await exchange("x", {}, app)).toMatchObject({ status: 400, body: { error: "unauthorized_client" } });
    }
  });

  test("rejects a connection that was disabled for the client", async () => {
    const { service } = federation;
    const { refresh } = await signedIn("ann@people.example");
    await service.manage("PATCH", `/api/v2/connections/${connectionId}/clients`, [{ client_id: agent.clientId, status: false }]);
    expect((await exchange(refresh)).status).toBe(400);
  });
});
