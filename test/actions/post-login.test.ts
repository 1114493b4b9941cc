import type { PostLoginApi, PostLoginEvent } from "@postern/core";
import { describe, expect, test } from "vitest";
import { auditEvents, jsonBody, stringMember } from "../support/api.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  loginState,
  obtainTokens,
  offline,
  refreshGrant,
  errorParameters,
  signInAtLoginPage,
  submit,
  tokens,
} from "../support/flow.ts";
import { openActionService } from "./action-service.ts";

const namespace = "https://acme.example/";

describe("an action at a login", async () => {
  const { service, setActions, failures } = await openActionService();
  const { web, spa, ada } = service;
  const orders = await service.manage.create("/api/v2/resource-servers", {
    identifier: "https://orders.example/",
    name: "Orders",
    scopes: [{ value: "read:orders" }, { value: "write:orders" }],
    allow_offline_access: true,
  });
  const ofOrders = { audience: stringMember(orders, "identifier"), scope: "openid read:orders write:orders" };

  test("receives the user, the authentication, the client and the request", async () => {
    const role = await service.manage.create("/api/v2/roles", { name: "editor" });
    await service.manage("POST", `/api/v2/users/${ada.userId}/roles`, { roles: [stringMember(role, "id")] });
    const result: PostLoginEvent[] = [];
    setActions({ onExecutePostLogin: (event) => void result.push(event) });
    await login(service.browser(), web, ada, { ...ofOrders, ui_locales: "de en" });
    expect(result).toMatchObject([
      {
        secrets: { KEY: "first-secret" },
        tenant: { id: "main" },
        client: { client_id: web.clientId, name: web.clientId, metadata: {} },
        connection: { name: "Username-Password-Authentication", strategy: "auth0" },
        user: { user_id: ada.userId, email: ada.email, email_verified: true, app_metadata: {}, identities: [{ isSocial: false }] },
        authentication: { methods: [{ name: "pwd", timestamp: expect.stringMatching(/Z$/) }] },
        authorization: { roles: ["editor"] },
        resource_server: { identifier: "https://orders.example/" },
        stats: { logins_count: 1 },
        request: { hostname: "id.example.test", query: { client_id: web.clientId, scope: ofOrders.scope, state: "st-1" } },
        transaction: {
          protocol: "oidc-basic-profile",
          requested_scopes: ofOrders.scope.split(" "),
          ui_locales: ["de", "en"],
          redirect_uri: web.redirectUri,
          response_type: ["code"],
        },
      },
    ]);
    // Contains no user data that Management API callers cannot read.
    expect(JSON.stringify(result)).not.toMatch(/password_id|"revision"|email_key|subject_key/);
  });

  test("sets claims in both tokens, with and without a namespace", async () => {
    setActions(
      { onExecutePostLogin: (event, api) => api.idToken.setCustomClaim(`${namespace}plan`, "gold") },
      {
        onExecutePostLogin: (event, api) => {
          api.accessToken.setCustomClaim(`${namespace}roles`, ["a", "b"]);
          api.accessToken.setCustomClaim("plan", { level: 2 });
        },
      },
    );
    const { id, access } = await obtainTokens(service, web, ada, ofOrders);
    expect(claimsOf(id)).toMatchObject({ [`${namespace}plan`]: "gold" });
    expect(claimsOf(access)).toMatchObject({ [`${namespace}roles`]: ["a", "b"], plan: { level: 2 } });
    expect(claimsOf(access)).not.toHaveProperty([`${namespace}plan`]);
    const implicit = successParameters(await signInAtLoginPage(...(await startLogin({ response_type: "id_token token", ...ofOrders }))));
    expect(claimsOf(implicit["access_token"] ?? "")).toMatchObject({ plan: { level: 2 } });
    expect(claimsOf(implicit["id_token"] ?? "")).toMatchObject({ [`${namespace}plan`]: "gold" });
  });

  async function startLogin(parameters: { readonly [name: string]: string }) {
    const browser = service.browser();
    return [browser, await sendAuthorization(browser, web, parameters), ada] as const;
  }

  for (const claim of ["sub", "iss", "scope", "tenant_id", "grant_id", "org_id", "permissions", "amr", "email", "exchanged", "nonce"]) {
    test(`cannot set the claim '${claim}'`, async () => {
      for (const token of ["idToken", "accessToken"] as const) {
        setActions({ onExecutePostLogin: (event, api) => api[token].setCustomClaim(claim, "forged") });
        expect(errorParameters(await signInAtLoginPage(...(await startLogin({}))))).toMatchObject({ error: "temporarily_unavailable" });
        expect(failures().at(-1)).toMatchObject({ action: "first", trigger: "onExecutePostLogin", tenant_id: "main" });
        expect(String(failures().at(-1)?.["error"])).toContain(`'${claim}'`);
      }
    });
  }

  test("cannot exceed the maximum token size", async () => {
    setActions({ onExecutePostLogin: (event, api) => api.accessToken.setCustomClaim("big", "x".repeat(9000)) });
    expect(errorParameters(await signInAtLoginPage(...(await startLogin({}))))).toMatchObject({ error: "temporarily_unavailable" });
  });

  test("can deny the login with its own description; later actions are not called, and the next login calls the action again", async () => {
    let second = 0;
    setActions({ onExecutePostLogin: (event, api) => api.access.deny("Only on weekdays.") }, { onExecutePostLogin: () => void second++ });
    const browser = service.browser();
    const response = errorParameters(await signInAtLoginPage(browser, await sendAuthorization(browser, web), ada));
    expect(response).toMatchObject({ error: "access_denied", error_description: "Only on weekdays." });
    // The existing session does not bypass the action.
    expect(errorParameters(await sendAuthorization(browser, web))).toMatchObject({ error: "access_denied" });
    expect(errorParameters(await sendAuthorization(browser, web, { prompt: "none" }))).toMatchObject({ error: "access_denied" });
    expect(second).toBe(0);
    setActions({});
    successParameters(await sendAuthorization(browser, web, { prompt: "none" }));
  });

  test("is logged for the operator if it fails, and reveals nothing to others", async () => {
    setActions({ onExecutePostLogin: () => Promise.reject(new Error("crm said: key 4711 is wrong")) });
    const response = errorParameters(await signInAtLoginPage(...(await startLogin({}))));
    expect(response).toMatchObject({ error: "temporarily_unavailable" });
    expect(JSON.stringify(response)).not.toContain("4711");
    expect(String(failures().at(-1)?.["error"])).toContain("4711");
    const [event] = await auditEvents(service.manage, "actions_execution_failed");
    expect(event).toMatchObject({ description: "The action 'first' failed." });
    expect(JSON.stringify(event)).not.toContain("4711");
  });

  test("has a timeout, and its calls after the timeout have no effect", async () => {
    let late: PostLoginApi | undefined;
    setActions({
      onExecutePostLogin: (event, api) => {
        late = api;
        return new Promise(() => {});
      },
    });
    expect(errorParameters(await signInAtLoginPage(...(await startLogin({}))))).toMatchObject({ error: "temporarily_unavailable" });
    expect(String(failures().at(-1)?.["error"])).toContain("200 ms");
    late?.user.setAppMetadata("late", true);
    setActions({});
    const browser = service.browser();
    successParameters(await signInAtLoginPage(browser, await sendAuthorization(browser, web), ada));
    expect(jsonBody(await service.manage("GET", `/api/v2/users/${ada.userId}`))["app_metadata"]).toEqual({});
  });

  test("can remove scopes, and fails the login if it adds a scope that the request does not grant", async () => {
    setActions({ onExecutePostLogin: (event, api) => api.accessToken.removeScope("write:orders") });
    const result = await obtainTokens(service, web, ada, ofOrders);
    expect(result.scope).toBe("openid read:orders");
    expect(claimsOf(result.access)["scope"]).toBe("openid read:orders");
    setActions({ onExecutePostLogin: (event, api) => api.accessToken.addScope("write:orders") });
    const { access } = await obtainTokens(service, web, ada, { ...ofOrders, scope: "openid write:orders" });
    expect(claimsOf(access)["scope"]).toBe("openid write:orders");
    expect(errorParameters(await signInAtLoginPage(...(await startLogin({ ...ofOrders, scope: "openid read:orders" }))))).toMatchObject({
      error: "temporarily_unavailable",
    });
  });

  test("a removed scope is removed from the permissions claim as well", async () => {
    await service.manage.create("/api/v2/resource-servers", {
      identifier: "https://stock.example/",
      name: "Stock",
      scopes: [{ value: "read:stock" }, { value: "write:stock" }],
      enforce_policies: true,
      token_dialect: "access_token_authz",
    });
    const permissions = ["read:stock", "write:stock"].map((name) => ({
      permission_name: name,
      resource_server_identifier: "https://stock.example/",
    }));
    await service.manage("POST", `/api/v2/users/${ada.userId}/permissions`, { permissions });
    setActions({ onExecutePostLogin: (event, api) => api.accessToken.removeScope("write:stock") });
    const { access } = await obtainTokens(service, web, ada, {
      audience: "https://stock.example/",
      scope: "openid read:stock write:stock",
    });
    expect(claimsOf(access)).toMatchObject({ scope: "openid read:stock", permissions: ["read:stock"] });
  });

  test("sets metadata, which the next action receives", async () => {
    const seen: unknown[] = [];
    setActions(
      {
        onExecutePostLogin: (event, api) => {
          api.user.setAppMetadata("seen", [1]);
          api.user.setUserMetadata("lang", "de");
        },
      },
      { onExecutePostLogin: ({ user }) => void seen.push(user.app_metadata, user.user_metadata) },
    );
    await login(service.browser(), web, ada);
    expect(seen).toEqual([{ seen: [1] }, { lang: "de" }]);
    const stored = jsonBody(await service.manage("GET", `/api/v2/users/${ada.userId}`));
    expect(stored).toMatchObject({ app_metadata: { seen: [1] }, user_metadata: { lang: "de" } });
    setActions({
      onExecutePostLogin: (event, api) => {
        api.user.setAppMetadata("seen", null);
        api.access.deny("no");
      },
    });
    errorParameters(await signInAtLoginPage(...(await startLogin({}))));
    // A failed login changes no user.
    expect(jsonBody(await service.manage("GET", `/api/v2/users/${ada.userId}`))).toMatchObject({ app_metadata: { seen: [1] } });
  });

  test("runs again at a refresh, and the refresh token stays valid if the action fails", async () => {
    const protocols: string[] = [];
    setActions({
      onExecutePostLogin: (event, api) => {
        protocols.push(event.transaction.protocol);
        api.accessToken.setCustomClaim("round", protocols.length);
      },
    });
    const first = await obtainTokens(service, spa, ada, { ...ofOrders, scope: "openid read:orders offline_access" });
    expect(claimsOf(first.access)["round"]).toBe(1);
    const second = tokens(await service.exchange(refreshGrant(spa, first.refresh)));
    expect(claimsOf(second.access)["round"]).toBe(2);
    expect(protocols).toEqual(["oidc-basic-profile", "oauth2-refresh-token"]);
    setActions({ onExecutePostLogin: () => Promise.reject(new Error("down")) });
    const failed = await service.exchange(refreshGrant(spa, second.refresh));
    expect(failed).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    setActions({ onExecutePostLogin: (event, api) => api.access.deny("gone") });
    expect(await service.exchange(refreshGrant(spa, second.refresh))).toMatchObject({ status: 400, body: { error: "access_denied" } });
    setActions({});
    const third = tokens(await service.exchange(refreshGrant(spa, second.refresh)));
    expect(claimsOf(third.access)).not.toHaveProperty("round");
  });

  test("runs at the password grant, for a code by mail, and at a token exchange", async () => {
    const all = ["password", "http://auth0.com/oauth/grant-type/passwordless/otp", "urn:ietf:params:oauth:grant-type:token-exchange"];
    const app = await service.register({ secret: true, grant_types: ["authorization_code", ...all] });
    const client = { client_id: app.clientId, client_secret: app.secret ?? "" };
    const protocols: string[] = [];
    setActions({
      onExecutePostLogin: (event, api) => {
        protocols.push(event.transaction.protocol);
        api.accessToken.setCustomClaim("p", event.transaction.protocol);
      },
    });
    const sent = { ...client, grant_type: "password", username: ada.email, password: ada.password, ...ofOrders };
    const { access } = tokens(await service.exchange(sent));
    expect(claimsOf(access)["p"]).toBe("oauth2-password");
    const exchange = {
      grant_type: all[2] ?? "",
      subject_token: access,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    };
    expect(claimsOf(tokens(await service.exchange({ ...client, ...exchange })).access)["p"]).toBe("oauth2-token-exchange");
    setActions({ onExecutePostLogin: (event, api) => api.access.deny("no") });
    expect(await service.exchange(sent)).toMatchObject({ status: 400, body: { error: "access_denied", error_description: "no" } });
    expect(protocols).toEqual(["oauth2-password", "oauth2-token-exchange"]);
  });

  test("a code keeps the result of the actions at login, and does not run them again at the exchange", async () => {
    setActions({ onExecutePostLogin: (event, api) => api.idToken.setCustomClaim("at", "login") });
    const { code = "" } = await login(service.browser(), web, ada, offline);
    setActions({ onExecutePostLogin: (event, api) => api.access.deny("later") });
    expect(claimsOf(tokens(await service.exchange(codeGrant(web, code))).id)["at"]).toBe("login");
  });

  test("runs once, also if the authorization response is a page", async () => {
    let calls = 0;
    setActions({ onExecutePostLogin: () => void calls++ });
    for (const mode of ["query", "form_post"]) {
      const browser = service.browser();
      const state = loginState(await sendAuthorization(browser, web, { response_mode: mode }));
      await submit(browser, state, { action: "continue", identifier: ada.email });
      successParameters(await submit(browser, state, { action: "sign-in", password: ada.password }));
      expect(calls, mode).toBe(1);
      calls = 0;
    }
  });

  test("requiring a second factor fails the login if the tenant has enabled none", async () => {
    setActions({ onExecutePostLogin: (event, api) => api.multifactor.enable("any") });
    expect(errorParameters(await signInAtLoginPage(...(await startLogin({}))))).toMatchObject({ error: "access_denied" });
  });
});
