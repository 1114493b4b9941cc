import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { jsonBody, stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  errorParameters,
  loginState,
  offline,
  redirectOf,
  refreshGrant,
  screenName,
  signInAtLoginPage,
  submitStep,
  successParameters,
  type AuthorizationParameters,
} from "../support/flow.ts";
import { enrollApp, exchangeLoginCode, openFactorService, setPolicies, signInToFactor, totpAt, type FactorService } from "./support.ts";

const multifactor = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";

let service: FactorService;
let secret: string;
let browser: Browser;

beforeEach(async () => {
  service = await openFactorService();
  ({ secret } = await enrollApp(service, service.browser()));
  await setPolicies(service, []);
  service.clock.advance("31s");
  browser = service.browser();
});

const essential = (...values: string[]): AuthorizationParameters => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});

const voluntary = (acr: object): AuthorizationParameters => ({ claims: JSON.stringify({ id_token: { acr } }) });

/** Signs in with the password only. */
async function signInOnce(parameters: AuthorizationParameters = {}): Promise<string> {
  return (
    successParameters(await signInAtLoginPage(browser, await sendAuthorization(browser, service.web, parameters), service.ada))["code"] ??
    ""
  );
}

/** Passes the factor that an authorization request asks for. @returns the claims of the ID token. */
async function stepUp(parameters: AuthorizationParameters): Promise<{ readonly [claim: string]: unknown }> {
  const state = loginState(await sendAuthorization(browser, service.web, parameters));
  const reply = await submitStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) });
  const { code = "" } = successParameters(redirectOf(reply));
  return decodeJwt(stringMember(await exchangeLoginCode(service, code), "id_token"));
}

describe("a requested acr", () => {
  test.each([
    ["acr_values", { acr_values: multifactor }],
    ["acr_values with unknown values", { acr_values: `urn:gold ${multifactor}` }],
    ["an essential claim", essential("urn:gold", multifactor)],
    ["an essential claim that acr_values contradict", { ...essential(multifactor), acr_values: "phr" }],
    // The user can satisfy only the second value.
    ["several values", { acr_values: `phr ${multifactor}` }],
  ])("steps the session up: %s", async (_, parameters) => {
    const first = decodeJwt(stringMember(await exchangeLoginCode(service, await signInOnce()), "id_token"));
    expect(first).not.toHaveProperty("acr");
    service.clock.advance("31s");
    expect(errorParameters(await sendAuthorization(browser, service.web, { ...parameters, prompt: "none" }))).toMatchObject({
      error: "login_required",
      error_description: "Multifactor authentication required",
    });
    const claims = await stepUp(parameters);
    // The time of the first factor stays.
    expect(claims).toMatchObject({ acr: multifactor, amr: ["pwd", "otp", "mfa"], auth_time: first["auth_time"] });
    successParameters(await sendAuthorization(browser, service.web, { ...parameters, prompt: "none" }));
  });

  test.each([
    ["without 'essential'", { values: [multifactor] }],
    ["with a single value", { value: multifactor }],
    ["with 'essential' false, and values that discovery does not list", { essential: false, values: ["phr", "urn:gold", multifactor] }],
  ])("steps the session up as a voluntary claim %s, and is no error with prompt=none", async (_, acr) => {
    await signInOnce();
    service.clock.advance("31s");
    const silent = successParameters(await sendAuthorization(browser, service.web, { ...voluntary(acr), prompt: "none" }));
    const { id_token: token } = await exchangeLoginCode(service, silent["code"] ?? "");
    expect(decodeJwt(String(token))).not.toHaveProperty("acr");
    expect(await stepUp(voluntary(acr))).toMatchObject({ acr: multifactor, amr: ["pwd", "otp", "mfa"] });
  });

  test("is requested at a login by a voluntary claim", async () => {
    const { reply } = await signInToFactor(service, browser, voluntary({ values: [multifactor] }));
    expect(screenName(reply)).toBe("factor");
  });

  test("is ignored as a voluntary claim with values that discovery does not list", async () => {
    await signInOnce(voluntary({ values: ["phr", "urn:gold", ""] }));
    await service.manage("PATCH", "/api/v2/tenants/settings", { acr_values_supported: ["phr"] });
    successParameters(await sendAuthorization(browser, service.web, voluntary({ values: [multifactor] })));
  });

  test("of acr_values decides if the request has a voluntary claim as well", async () => {
    await signInOnce();
    const parameters = { ...voluntary({ values: [multifactor] }), acr_values: multifactor, prompt: "none" };
    expect(errorParameters(await sendAuthorization(browser, service.web, parameters))["error"]).toBe("login_required");
  });

  test("fails if an essential claim has no known value or the user cannot satisfy it", async () => {
    await signInOnce();
    for (const values of [["urn:gold"], ["phr"], [""]]) {
      expect(errorParameters(await sendAuthorization(browser, service.web, essential(...values)))["error"]).toBe(
        "unmet_authentication_requirements",
      );
    }
    successParameters(await sendAuthorization(browser, service.web, { acr_values: "urn:gold" }));
  });

  test("silent renewal does not renew the factor, and max_age asks for the first factor", async () => {
    await signInOnce();
    const { auth_time: since } = await stepUp({ acr_values: multifactor });
    service.clock.advance("10m");
    const { code = "" } = successParameters(await sendAuthorization(browser, service.web, { prompt: "none", acr_values: multifactor }));
    expect(decodeJwt(stringMember(await exchangeLoginCode(service, code), "id_token"))["auth_time"]).toBe(since);
    const state = loginState(await sendAuthorization(browser, service.web, { max_age: "60" }));
    expect(screenName(await submitStep(browser, state, { action: "continue", identifier: service.ada.email }))).toBe("password");
  });

  test("a password that is typed again does not renew the factor: the acr ends, and a request for it asks for the factor", async () => {
    await signInOnce();
    await stepUp({ acr_values: multifactor });
    service.clock.advance("10m");
    const state = loginState(await sendAuthorization(browser, service.web, { max_age: "60" }));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    const { code = "" } = successParameters(
      redirectOf(await submitStep(browser, state, { action: "sign-in", password: service.ada.password })),
    );
    const claims = decodeJwt(stringMember(await exchangeLoginCode(service, code), "id_token"));
    expect(claims).toMatchObject({ amr: ["pwd"], auth_time: Math.floor(service.clock.now() / 1000) });
    expect(claims).not.toHaveProperty("acr");
    expect(errorParameters(await sendAuthorization(browser, service.web, { acr_values: multifactor, prompt: "none" }))).toMatchObject({
      error: "login_required",
      error_description: "Multifactor authentication required",
    });
    expect(await stepUp({ acr_values: multifactor })).toMatchObject({ acr: multifactor, amr: ["pwd", "otp", "mfa"] });
  });

  test("a refresh of an earlier login never gets the acr of a later step-up", async () => {
    const tokens = await exchangeLoginCode(service, await signInOnce(offline));
    await stepUp({ acr_values: multifactor });
    const refreshed = jsonBody(await service.exchange(refreshGrant(service.web, stringMember(tokens, "refresh_token"))), 200);
    const claims = decodeJwt(stringMember(refreshed, "id_token"));
    expect(claims).not.toHaveProperty("acr");
    expect(claims["amr"]).toEqual(["pwd"]);
  });

  test("is listed in the discovery document", async () => {
    const document = jsonBody(await service.call("GET", "/.well-known/openid-configuration"), 200);
    expect(document["acr_values_supported"]).toEqual([multifactor]);
    expect(document["claims_supported"]).toEqual(expect.arrayContaining(["acr", "amr"]));
  });
});
