import { beforeEach, describe, expect, test } from "vitest";
import type { Action } from "@postern/core";
import { codeGrantType, oobGrant, openMfaService, otpGrant, recoveryGrant, type MfaService } from "../factors/mfa-api-support.ts";
import { openPasskeyService } from "../factors/passkey-api-support.ts";
import { setPolicies } from "../factors/support.ts";
import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import {
  codeGrant,
  login,
  obtainTokens,
  openService,
  refreshGrant,
  sendAuthorization,
  signInAtLoginPage,
  successParameters,
  loginState,
  submitStep,
  redirectOf,
  type App,
  type AuthorizationParameters,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import { codeOf } from "../support/outbox.ts";
import type { TestPostern } from "../support/postern.ts";
import { openFederation, signInWithProvider } from "../upstream/federation.ts";
import { describeIssued } from "./issued-tokens.ts";
import expected from "./issued-tokens.json" with { type: "json" };

const shop = "https://shop.example.test/";
const vault = "https://vault.example.test/";
const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
const federatedGrant = "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token";
const realmGrant = "http://auth0.com/oauth/grant-type/password-realm";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";
const refreshTokenType = "urn:ietf:params:oauth:token-type:refresh_token";
const database = "Username-Password-Authentication";

/** Compares what a request issued with the description in `issued-tokens.json`, including the order of the members. */
async function expectIssued(service: TestPostern, name: string, members: JsonBody): Promise<void> {
  const issued = await describeIssued(service, members);
  const known: { readonly [name: string]: unknown } = expected;
  expect(issued).toEqual(known[name]);
  expect(JSON.stringify(issued)).toBe(JSON.stringify(known[name]));
}

/** Two APIs, a role with one of the permissions of the second, and an organization of Ada. */
async function prepare(service: LoginService): Promise<{ readonly organizationId: string }> {
  const scopes = [{ value: "read:orders" }, { value: "write:orders" }];
  const lifetimes = { token_lifetime: 3600, token_lifetime_for_web: 1800, allow_offline_access: true };
  await service.manage.create("/api/v2/resource-servers", { name: "Shop", identifier: shop, scopes, ...lifetimes });
  await service.manage.create("/api/v2/resource-servers", {
    name: "Vault",
    identifier: vault,
    scopes,
    allow_offline_access: true,
    enforce_policies: true,
    token_dialect: "rfc9068_profile_authz",
  });
  const organizations = organizationsBy(service.manage);
  const roleId = await organizations.createRole("reader", vault, "read:orders");
  const assigned = await service.manage("POST", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`, { roles: [roleId] });
  expect(assigned.status).toBe(204);
  const organizationId = await organizations.create("acme", {
    enabled_connections: [{ connection_id: await organizations.connection(database) }],
  });
  await organizations.addMembers(organizationId, service.ada);
  return { organizationId };
}

const credentials = ({ clientId, secret }: App) => ({ client_id: clientId, ...(secret !== undefined && { client_secret: secret }) });
const noPkce = { code_challenge: undefined, code_challenge_method: undefined };
const claims = JSON.stringify({ userinfo: { nickname: null }, id_token: { updated_at: null } });

let service: LoginService;
let organizationId: string;

/** Sends the request that issues tokens. It is the only request at its time. */
async function exchange(body: { readonly [name: string]: string }): Promise<JsonBody> {
  service.clock.advance("1s");
  return jsonBody(await service.exchange(body));
}

describe("an authorization response", () => {
  beforeEach(async () => {
    service = await openService();
    ({ organizationId } = await prepare(service));
  });

  /** Signs in, and sends the last form one second later. */
  async function responseOf(app: App, parameters: AuthorizationParameters): Promise<{ readonly [name: string]: string }> {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, app, parameters));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    service.clock.advance("1s");
    return successParameters(redirectOf(await submitStep(browser, state, { action: "sign-in", password: service.ada.password })));
  }

  const types = ["code", "id_token", "token", "id_token token", "code id_token", "code token", "code id_token token"];
  test.each(types)("of the type %j contains these tokens", async (response_type) => {
    const response = await responseOf(service.web, { response_type, ...noPkce });
    await expectIssued(service, `/authorize ${response_type}`, response);
    if (response["code"] === undefined) return;
    const tokens = await exchange(codeGrant(service.web, response["code"], { code_verifier: undefined }));
    await expectIssued(service, `/oauth/token after ${response_type}`, tokens);
  });

  test.each(types)("of the type %j for an API and an organization contains these tokens", async (response_type) => {
    const scope = "openid profile read:orders write:orders offline_access";
    const parameters = { response_type, scope, audience: vault, organization: "acme", claims, ...noPkce };
    const response = await responseOf(service.web, parameters);
    await expectIssued(service, `/authorize ${response_type} with an API`, response);
    if (response["code"] === undefined) return;
    const tokens = await exchange(codeGrant(service.web, response["code"], { code_verifier: undefined }));
    await expectIssued(service, `/oauth/token after ${response_type} with an API`, tokens);
  });

  test("of a silent authentication contains these tokens", async () => {
    const browser = service.browser();
    await login(browser, service.spa, service.ada);
    service.clock.advance("1s");
    const parameters = {
      prompt: "none",
      response_type: "code id_token token",
      scope: "openid email read:orders",
      audience: shop,
      ...noPkce,
    };
    await expectIssued(service, "/authorize silent", successParameters(await sendAuthorization(browser, service.web, parameters)));
  });
});

describe("a token response", () => {
  let gateway: App;
  beforeEach(async () => {
    service = await openService();
    ({ organizationId } = await prepare(service));
    gateway = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token", exchangeGrant] });
  });

  test("for client credentials contains this token", async () => {
    const grantOf = (audience: string) => ({ client_id: service.web.clientId, audience, scope: ["read:orders", "write:orders"] });
    await service.manage.create("/api/v2/client-grants", grantOf(shop));
    await service.manage.create("/api/v2/client-grants", { ...grantOf(vault), organization_usage: "allow", allow_any_organization: true });
    const body = { grant_type: "client_credentials", ...credentials(service.web) };
    await expectIssued(service, "client_credentials", await exchange({ ...body, audience: shop }));
    const named = { ...body, audience: vault, scope: "read:orders", organization: "acme" };
    await expectIssued(service, "client_credentials with an organization", await exchange(named));
  });

  test("for a code with a refresh token contains these tokens", async () => {
    const parameters = { scope: "openid email offline_access read:orders", audience: shop, claims };
    const { code = "" } = await login(service.browser(), service.spa, service.ada, parameters);
    await expectIssued(service, "authorization_code", await exchange(codeGrant(service.spa, code)));
  });

  test("for a code without openid contains this token", async () => {
    const { code = "" } = await login(service.browser(), service.spa, service.ada, { scope: "read:orders", audience: shop });
    await expectIssued(service, "authorization_code without openid", await exchange(codeGrant(service.spa, code)));
  });

  test("for a rotating refresh token contains these tokens", async () => {
    const parameters = { scope: "openid email offline_access read:orders", audience: shop, claims };
    const { refresh } = await obtainTokens(service, service.spa, service.ada, parameters);
    await expectIssued(service, "refresh_token rotating", await exchange(refreshGrant(service.spa, refresh)));
  });

  test("for a refresh token that does not rotate contains these tokens", async () => {
    const parameters = { scope: "openid email offline_access read:orders", audience: vault, organization: organizationId };
    const { refresh } = await obtainTokens(service, service.web, service.ada, parameters);
    const narrowed = { scope: "openid read:orders", organization: "acme" };
    await expectIssued(service, "refresh_token", await exchange(refreshGrant(service.web, refresh, narrowed)));
  });

  test("for a token exchange contains these tokens", async () => {
    const parameters = { scope: "openid profile read:orders write:orders", audience: shop };
    const { access } = await obtainTokens(service, gateway, service.ada, parameters);
    const body = { grant_type: exchangeGrant, ...credentials(gateway), subject_token: access, subject_token_type: accessTokenType };
    await expectIssued(service, "token exchange", await exchange(body));
    const other = { ...body, scope: "read:orders", audience: vault, organization: "acme" };
    await expectIssued(service, "token exchange for another API", await exchange(other));
  });

  test("for a password contains these tokens", async () => {
    const app = await service.register({ secret: true, grant_types: ["password", realmGrant, "refresh_token"] });
    const user = { username: service.ada.email, password: service.ada.password };
    const body = { ...credentials(app), ...user, scope: "openid email offline_access read:orders", audience: shop };
    await expectIssued(service, "password", await exchange({ ...body, grant_type: "password" }));
    await expectIssued(service, "password-realm", await exchange({ ...body, grant_type: realmGrant, realm: database }));
    const plain = { ...credentials(app), ...user, grant_type: "password" };
    await expectIssued(service, "password without a scope", await exchange(plain));
  });
});

test("a token response for a token of an identity provider contains that token", async () => {
  const federation = await openFederation();
  ({ service } = federation);
  await federation.connect({ options: { scope: "openid profile email offline_access" } });
  const app = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token", federatedGrant] });
  await federation.enableFor(app);
  const account = await federation.provider.addUser("fern@fieldnotes.test");
  const parameters = { scope: "openid offline_access" };
  const { code = "" } = successParameters(await signInWithProvider(federation, account, { app, parameters }));
  const { refresh_token: refreshToken } = await exchange(codeGrant(app, code));
  const body = { grant_type: federatedGrant, ...credentials(app), connection: "fieldnotes", subject_token_type: refreshTokenType };
  await expectIssued(service, "federated", await exchange({ ...body, subject_token: String(refreshToken) }));
});

describe("a token response after a factor", () => {
  let mfa: MfaService;
  beforeEach(async () => {
    mfa = await openMfaService();
    await prepare(mfa);
  });
  const scopes = { scope: "openid email offline_access read:orders", audience: shop };
  const grant = async (type: string, parameters: { readonly [name: string]: string }): Promise<JsonBody> => {
    return jsonBody(await mfa.grant(type, parameters));
  };

  test("from an authenticator app contains these tokens", async () => {
    const { secret, recoveryCode } = await mfa.enrollApp();
    const mfa_token = stringMember(await mfa.begin(mfa.ada, scopes), "mfa_token");
    mfa.clock.advance("1s");
    await expectIssued(mfa, "mfa-otp", await grant(otpGrant, { mfa_token, otp: mfa.codeNow(secret) }));
    const next = { mfa_token: stringMember(await mfa.begin(mfa.ada, scopes), "mfa_token"), recovery_code: recoveryCode };
    mfa.clock.advance("1s");
    const issued = await grant(recoveryGrant, next);
    await expectIssued(mfa, "mfa-recovery-code", issued);
    mfa.clock.advance("1s");
    const repeated = await grant(recoveryGrant, next);
    expect(repeated["refresh_token"]).toBe(issued["refresh_token"]);
    await expectIssued(mfa, "mfa-recovery-code repeated", repeated);
  });

  test("from a text message contains these tokens", async () => {
    const phone = "+491701234567";
    const mfa_token = stringMember(await mfa.begin(mfa.ada, scopes), "mfa_token");
    const sms = { authenticator_types: ["oob"], oob_channels: ["sms"], phone_number: phone };
    const oob_code = stringMember(jsonBody(await mfa.associate(mfa_token, sms)), "oob_code");
    mfa.clock.advance("1s");
    await expectIssued(mfa, "mfa-oob", await grant(oobGrant, { mfa_token, oob_code, binding_code: codeOf(mfa.outbox.take(phone)) }));
  });

  test("from a mailbox alone contains these tokens", async () => {
    await setPolicies(mfa, []);
    await mfa.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    const { email } = mfa.bob;
    jsonBody(
      await mfa.call("POST", "/passwordless/start", { body: { ...credentials(mfa.app), connection: "email", email, send: "code" } }),
    );
    const otp = codeOf(mfa.outbox.take(email));
    mfa.clock.advance("1s");
    await expectIssued(mfa, "passwordless", await grant(codeGrantType, { username: email, realm: "email", otp, ...scopes }));
  });
});

test("a token response after a passkey contains these tokens", async () => {
  const passkeys = await openPasskeyService();
  const tokensOf = async (name: string, answer: object): Promise<void> => {
    passkeys.clock.advance("1s");
    await expectIssued(passkeys, name, jsonBody(await passkeys.exchange({ ...answer, scope: "openid email offline_access" })));
  };
  await tokensOf("passkey of a new account", await passkeys.createPasskey("nora@example.test"));
  await tokensOf("passkey", await passkeys.usePasskey());
});

test("the decisions of actions apply to every token", async () => {
  const action: Action = {
    name: "claims",
    onExecutePostLogin: (_, api) => {
      api.idToken.setCustomClaim("https://example.test/color", "green");
      api.accessToken.setCustomClaim("https://example.test/plan", "gold");
      api.accessToken.removeScope("write:orders");
    },
    onExecuteCredentialsExchange: (_, api) => api.accessToken.setCustomClaim("https://example.test/plan", "machine"),
  };
  service = await openService({ actions: [action] });
  await prepare(service);
  const app = await service.register({
    secret: true,
    grant_types: ["authorization_code", "implicit", "refresh_token", "password", exchangeGrant, "client_credentials"],
  });
  await service.manage.create("/api/v2/client-grants", { client_id: app.clientId, audience: vault, scope: ["read:orders"] });
  const browser = service.browser();
  service.clock.advance("1s");
  const parameters = {
    response_type: "code id_token token",
    scope: "openid offline_access read:orders write:orders",
    audience: vault,
    ...noPkce,
  };
  const result = await sendAuthorization(browser, app, parameters);
  const response = successParameters(await signInAtLoginPage(browser, result, service.ada));
  await expectIssued(service, "actions /authorize", response);
  const tokens = await exchange(codeGrant(app, response["code"] ?? "", { code_verifier: undefined }));
  await expectIssued(service, "actions authorization_code", tokens);
  await expectIssued(service, "actions refresh_token", await exchange(refreshGrant(app, String(tokens["refresh_token"]))));
  const subject = { subject_token: String(tokens["access_token"]), subject_token_type: accessTokenType };
  await expectIssued(service, "actions token exchange", await exchange({ grant_type: exchangeGrant, ...credentials(app), ...subject }));
  const user = { username: service.ada.email, password: service.ada.password };
  const password = { grant_type: "password", ...credentials(app), ...user, scope: "openid read:orders write:orders", audience: shop };
  await expectIssued(service, "actions password", await exchange(password));
  await expectIssued(
    service,
    "actions client_credentials",
    await exchange({ grant_type: "client_credentials", ...credentials(app), audience: vault }),
  );
});
