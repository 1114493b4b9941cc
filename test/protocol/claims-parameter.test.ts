import { beforeAll, describe, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
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
  refreshGrant,
  errorParameters,
  screenName,
  signInAtLoginPage,
  submitStep,
  tokens,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const claimsParameter = (claims: object): { readonly claims: string } => ({ claims: JSON.stringify(claims) });
const about = (sub: unknown): { readonly claims: string } => claimsParameter({ id_token: { sub: { value: sub } } });
const signedIn = async (account = service.ada): Promise<Browser> => {
  const browser = service.browser();
  await login(browser, service.web, account);
  return browser;
};

describe("a request for one subject (OpenID Connect Core section 3.1.2.2)", () => {
  test("succeeds at once if the requested user has a session", async () => {
    const { code = "" } = successParameters(
      await sendAuthorization(await signedIn(), service.web, { prompt: "none", ...about(service.ada.userId) }),
    );
    expect(claimsOf(tokens(await service.exchange(codeGrant(service.web, code))).id).sub).toBe(service.ada.userId);
  });

  test("never returns tokens of another user, silently or after a login", async () => {
    const browser = await signedIn();
    for (const sub of [service.bob.userId, "auth0|unknown", ""]) {
      expect(errorParameters(await sendAuthorization(browser, service.web, { prompt: "none", ...about(sub) }))["error"]).toBe(
        "login_required",
      );
    }
    const result = await sendAuthorization(browser, service.web, about(service.bob.userId));
    expect(errorParameters(await signInAtLoginPage(browser, result, service.ada))["error"]).toBe("login_required");
    successParameters(
      await signInAtLoginPage(browser, await sendAuthorization(browser, service.web, about(service.bob.userId)), service.bob),
    );
  });

  test("rejects a subject that differs from the id_token_hint", async () => {
    const browser = service.browser();
    const { id } = await obtainTokens(service, service.web, service.ada, {}, browser);
    successParameters(await sendAuthorization(browser, service.web, { prompt: "none", id_token_hint: id, ...about(service.ada.userId) }));
    const other = { prompt: "none", id_token_hint: id, ...about(service.bob.userId) };
    expect(errorParameters(await sendAuthorization(browser, service.web, other))["error"]).toBe("login_required");
  });

  test("rejects a subject that is not a string", async () => {
    for (const sub of [7, null, ["a"], { of: "x" }]) {
      expect(errorParameters(await sendAuthorization(service.browser(), service.web, about(sub)))).toMatchObject({
        error: "invalid_request",
        error_description: expect.stringContaining("sub"),
      });
    }
  });
});

test("rejects an essential acr that is unknown or that the user cannot meet, and ignores a voluntary one", async () => {
  const browser = await signedIn();
  for (const requestedClaim of [
    { essential: true, values: ["urn:mace:incommon:iap:silver"] },
    { essential: true, values: ["urn:mace:incommon:iap:silver", 7, null] },
    // No second factor is enabled, so the user has none and cannot add one.
    { essential: true, value: "phr" },
  ]) {
    expect(
      errorParameters(await sendAuthorization(browser, service.web, claimsParameter({ id_token: { acr: requestedClaim } }))),
    ).toMatchObject({
      error: "unmet_authentication_requirements",
      error_description: expect.stringContaining("acr"),
      state: "st-1",
    });
  }
  for (const requestedClaim of [null, { essential: true }, { values: ["phr"] }, { essential: false, value: "phr" }]) {
    successParameters(await sendAuthorization(browser, service.web, claimsParameter({ id_token: { acr: requestedClaim } })));
  }
});

test.each([
  "{",
  "[]",
  "7",
  "null",
  '"text"',
  '{"userinfo":"email"}',
  '{"userinfo":["email"]}',
  '{"userinfo":{"email":"yes"}}',
  '{"userinfo":{"email":[]}}',
  '{"id_token":{"email":{"essential":"yes"}}}',
  '{"id_token":{"acr":{"values":"phr"}}}',
])("rejects claims %j with a redirect that names the parameter", async (claims) => {
  expect(errorParameters(await sendAuthorization(service.browser(), service.web, { claims }))).toMatchObject({
    error: "invalid_request",
    error_description: expect.stringContaining("claims"),
    state: "st-1",
  });
});

test("ignores unknown claims, unknown members and claims with a language tag", async () => {
  const sent = claimsParameter({
    userinfo: { "name#ja-Kana-JP": null, "http://example.test/group": { essential: true }, constructor: null },
    id_token: null,
    elsewhere: { a: 1 },
  });
  const result = await obtainTokens(service, service.web, service.ada, { scope: "openid", ...sent });
  expect(jsonBody(await service.userinfo(result.access))).toEqual({ sub: service.ada.userId });
});

test("keeps the claims that were requested at login in the tokens of every following refresh", async () => {
  for (const app of [service.web, service.spa]) {
    const sent = claimsParameter({ userinfo: { email: null }, id_token: { name: { essential: true } } });
    let result = await obtainTokens(service, app, service.ada, { scope: "openid offline_access", ...sent });
    for (let i = 0; i < 3; i++) {
      expect(jsonBody(await service.userinfo(result.access))).toEqual({ sub: service.ada.userId, email: service.ada.email });
      expect(claimsOf(result.id)).toMatchObject({ name: "ada" });
      expect(claimsOf(result.id)).not.toHaveProperty("email");
      const next = tokens(await service.exchange(refreshGrant(app, result.refresh)));
      result = { ...next, refresh: next.refresh === "" ? result.refresh : next.refresh };
    }
  }
});

describe("a third-party client", () => {
  test("gets only claims that the user consented to", async () => {
    const partner = await service.register({ secret: true, name: "Partner", is_first_party: false });
    const browser = service.browser();
    const account = await service.addUser("private@example.test");
    await signInAtLoginPage(browser, await sendAuthorization(browser, partner, { scope: "openid" }), account);
    successParameters(await sendAuthorization(browser, partner, { scope: "openid", prompt: "none" }));

    const more = { scope: "openid", ...claimsParameter({ userinfo: { email: null }, id_token: { name: { essential: true } } }) };
    expect(errorParameters(await sendAuthorization(browser, partner, { ...more, prompt: "none" }))["error"]).toBe("consent_required");
    const state = loginState(await sendAuthorization(browser, partner, more));
    const shown = await getFlow(browser, state);
    expect(screenName(shown)).toBe("consent");
    expect(shown).toMatchObject({ screen: { scopes: [{ value: "openid" }, { value: "profile" }, { value: "email" }] } });
    const { code = "" } = successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
    const result = tokens(await service.exchange(codeGrant(partner, code)));
    expect(result.scope).toBe("openid profile email");
    expect(jsonBody(await service.userinfo(result.access))).toMatchObject({ email: account.email });
  });
});
