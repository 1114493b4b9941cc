import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  loginState,
  getFlow,
  obtainTokens,
  openService,
  redirectOf,
  errorParameters,
  screenName,
  submitStep,
  tokens,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

let made = 0;
/** Creates an API with the scope `read:orders`. */
async function createApi(settings: JsonBody = {}): Promise<JsonBody & { readonly id: string; readonly audience: string }> {
  const audience = `https://shop-${++made}.example.test/`;
  const api = await service.manage.create("/api/v2/resource-servers", {
    identifier: audience,
    scopes: [{ value: "read:orders" }, { value: "write:orders" }],
    ...settings,
  });
  return { ...api, id: stringMember(api, "id"), audience };
}

const lifetimeOf = (token: string): number => {
  const { iat = 0, exp = 0 } = claimsOf(token);
  return exp - iat;
};

describe("token_lifetime_for_web", () => {
  test("limits access tokens that are issued through the browser, and no others", async () => {
    const { audience } = await createApi({ token_lifetime: 7200, token_lifetime_for_web: 600 });
    const browser = service.browser();
    const front = await login(browser, service.web, service.ada, { audience, response_type: "code token" });
    expect(front).toMatchObject({ expires_in: "600" });
    expect(lifetimeOf(front["access_token"] ?? "")).toBe(600);
    const back = tokens(await service.exchange(codeGrant(service.web, front["code"] ?? "")));
    expect(lifetimeOf(back.access)).toBe(7200);
  });

  test("defaults to at most token_lifetime, and is rejected above it", async () => {
    const api = await createApi();
    expect(api).toMatchObject({ token_lifetime: 86_400, token_lifetime_for_web: 7200 });
    expect(await createApi({ token_lifetime: 300 })).toMatchObject({ token_lifetime_for_web: 300 });
    const change = (body: JsonBody) => service.manage("PATCH", `/api/v2/resource-servers/${api.id}`, body);
    expect(jsonBody(await change({ token_lifetime: 900 }))).toMatchObject({ token_lifetime: 900, token_lifetime_for_web: 900 });
    for (const body of [{ token_lifetime_for_web: 901 }, { token_lifetime: 60, token_lifetime_for_web: 61 }]) {
      expectError(await change(body), 400, "invalid_request", "token_lifetime_for_web");
    }
  });
});

describe("an API that does not let first-party clients skip consent", () => {
  const requesting = { skip_consent_for_verifiable_first_party_clients: false };

  test("prompts for consent once, and responds with consent_required to prompt=none", async () => {
    const { audience } = await createApi(requesting);
    const account = await service.addUser("asked@example.test");
    const browser = service.browser();
    const requested = { audience, scope: "openid read:orders" };
    const state = loginState(await sendAuthorization(browser, service.web, requested));
    await submitStep(browser, state, { action: "continue", identifier: account.email });
    expect(screenName(await submitStep(browser, state, { action: "sign-in", password: account.password }))).toBe("consent");
    expect(await getFlow(browser, state)).toMatchObject({ screen: { scopes: [{ value: "openid" }, { value: "read:orders" }] } });
    expect(errorParameters(await sendAuthorization(browser, service.web, { ...requested, prompt: "none" }))).toMatchObject({
      error: "consent_required",
    });
    successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
    successParameters(await sendAuthorization(browser, service.web, { ...requested, prompt: "none" }));
    const more = { ...requested, scope: "openid read:orders write:orders", prompt: "none" };
    expect(errorParameters(await sendAuthorization(browser, service.web, more))).toMatchObject({ error: "consent_required" });
  });

  test("shows requested claims on the consent page as the scopes that contain them, as for a third-party client", async () => {
    const { audience } = await createApi(requesting);
    const account = await service.addUser("claims@example.test");
    const browser = service.browser();
    const claims = JSON.stringify({ id_token: { email: null } });
    const state = loginState(await sendAuthorization(browser, service.web, { audience, scope: "openid", claims }));
    await submitStep(browser, state, { action: "continue", identifier: account.email });
    await submitStep(browser, state, { action: "sign-in", password: account.password });
    expect(await getFlow(browser, state)).toMatchObject({ screen: { scopes: [{ value: "openid" }, { value: "email" }] } });
  });

  test("can be the target of a token exchange only with the user's consent", async () => {
    const [first, second] = [await createApi(), await createApi(requesting)];
    const exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
    const app = await service.register({ secret: true, grant_types: ["authorization_code", exchange] });
    const account = await service.addUser("exchanging@example.test");
    const browser = service.browser();
    const { code = "" } = await login(browser, app, account, { audience: first.audience, scope: "openid read:orders" });
    const { access } = tokens(await service.exchange(codeGrant(app, code)));
    const body = {
      grant_type: exchange,
      client_id: app.clientId,
      client_secret: app.secret ?? "",
      subject_token: access,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      audience: second.audience,
      scope: "read:orders",
    };
    expect((await service.exchange(body)).body).toMatchObject({ error: "invalid_target" });
    await login(service.browser(), app, account, { audience: second.audience, scope: "read:orders" });
    tokens(await service.exchange(body));
  });

  test("does not prompt for consent if the API lets first-party clients skip it, which is the default", async () => {
    const { audience, ...api } = await createApi();
    expect(api).toMatchObject({ skip_consent_for_verifiable_first_party_clients: true });
    await obtainTokens(service, service.web, await service.addUser("unasked@example.test"), { audience, scope: "openid read:orders" });
    const browser = service.browser();
    const result = await sendAuthorization(browser, service.web, { audience });
    const state = loginState(result);
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    successParameters(redirectOf(await submitStep(browser, state, { action: "sign-in", password: service.ada.password })));
  });
});
