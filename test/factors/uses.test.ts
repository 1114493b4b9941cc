import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import {
  errorParameters,
  getFlow,
  loginState,
  redirectOf,
  screenName,
  sendAuthorization,
  signInAtLoginPage,
  submitStep,
  successParameters,
  type AuthorizationParameters,
} from "../support/flow.ts";
import { codeOf } from "../support/outbox.ts";
import {
  enrollApp,
  exchangeLoginCode,
  openFactorService,
  screenOf,
  setPolicies,
  signInToFactor,
  totpAt,
  type FactorService,
} from "./support.ts";

const multifactor = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
const mfaApi = { audience: "https://id.example.test/mfa/", scope: "openid enroll read:authenticators remove:authenticators" };
const password = "a-new-password-1";

let service: FactorService;

beforeEach(async () => {
  service = await openFactorService();
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  expect((await service.manage("PATCH", path, { email_verified: true })).status).toBe(200);
});

const offered = (reply: Parameters<typeof screenOf>[0]): readonly unknown[] => {
  const { factor, others } = screenOf(reply);
  return [factor, ...(Array.isArray(others) ? others : [])];
};

/** Resets the password with the code from the mail, without a factor. */
async function resetByMail(): Promise<void> {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  await submitStep(browser, state, { action: "forgot-password" });
  await submitStep(browser, state, { action: "send-reset", identifier: service.ada.email });
  await submitStep(browser, state, { action: "enter-code", code: codeOf(service.outbox.take(service.ada.email)) });
  successParameters(redirectOf(await submitStep(browser, state, { action: "set-password", password })));
}

describe("a code by email", () => {
  test("is offered at a login, and not for a token with which factors can be changed", async () => {
    await enrollApp(service, service.browser());
    expect(offered((await signInToFactor(service, service.browser())).reply)).toEqual(["totp", "email", "recovery-code"]);
    expect(offered((await signInToFactor(service, service.browser(), mfaApi)).reply)).toEqual(["totp", "recovery-code"]);
  });

  test("gives no token with which factors can be changed to a session that passed it", async () => {
    await enrollApp(service, service.browser());
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "choose-factor", factor: "email" });
    const code = codeOf(service.outbox.take(service.ada.email));
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
    expect(errorParameters(await sendAuthorization(browser, service.web, { ...mfaApi, prompt: "none" }))).toMatchObject({
      error: "login_required",
    });
  });
});

describe("a password that was set by mail", () => {
  const signIn = async (): Promise<Awaited<ReturnType<typeof signInToFactor>>> => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web, { acr_values: multifactor }));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    return { state, reply: await submitStep(browser, state, { action: "sign-in", password }) };
  };
  const addApp = async (): Promise<string> => {
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authentication-methods`;
    const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
    expect((await service.manage("POST", path, { type: "totp", name: "phone", totp_secret: secret })).status).toBe(201);
    return secret;
  };

  test("and the mailbox are one factor, until another factor confirmed the user", async () => {
    await setPolicies(service, []);
    await resetByMail();
    const secret = await addApp();
    expect(offered((await signIn()).reply)).toEqual(["totp"]);
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web, { acr_values: multifactor }));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "sign-in", password });
    const refused = await submitStep(browser, state, { action: "choose-factor", factor: "email" });
    expect(screenOf(refused)["factor"]).toBe("totp");
    await submitStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) });
    expect(offered((await signIn()).reply)).toEqual(["totp", "email"]);
  });

  test("counts as another factor than the mailbox after an administrator set it again", async () => {
    await setPolicies(service, []);
    await resetByMail();
    await addApp();
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
    expect((await service.manage("PATCH", path, { password })).status).toBe(200);
    expect(offered((await signIn()).reply)).toEqual(["totp", "email"]);
  });
});

describe("a session that began with a code", () => {
  test.each([
    ["email", "carol@example.test"],
    ["sms", "+4915112345678"],
  ] as const)("by %s is not stepped up with a code through the same channel", async (strategy, identifier) => {
    await setPolicies(service, []);
    await service.manage.create("/api/v2/connections", { name: strategy, strategy });
    const browser = service.browser();
    const signInByCode = async (more: AuthorizationParameters = {}) => {
      const login = loginState(await sendAuthorization(browser, service.web, { connection: strategy, prompt: "login", ...more }));
      await submitStep(browser, login, { action: "continue", identifier });
      const signedIn = await submitStep(browser, login, { action: "enter-code", code: codeOf(service.outbox.take(identifier)) });
      return successParameters(redirectOf(signedIn));
    };
    const { code = "" } = await signInByCode();
    const { sub = "" } = decodeJwt(stringMember(await exchangeLoginCode(service, code), "id_token"));
    const methods = `/api/v2/users/${encodeURIComponent(sub)}/authentication-methods`;
    if (strategy === "sms") await service.manage.create(methods, { type: "phone", phone_number: identifier });
    const stepUp = () => sendAuthorization(browser, service.web, { acr_values: multifactor });
    if (strategy === "sms") {
      expect(errorParameters(await stepUp())["error"]).toBe("unmet_authentication_requirements");
      // OpenID Connect Core section 5.5.1.1: a voluntary claim that cannot be satisfied is no error.
      const claims = JSON.stringify({ id_token: { acr: { values: [multifactor] } } });
      successParameters(await sendAuthorization(browser, service.web, { claims }));
      await signInByCode({ claims });
    }
    await service.manage.create(methods, { type: "totp", totp_secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" });
    const state = loginState(await stepUp());
    expect(offered(await getFlow(browser, state))).toEqual(["totp"]);
    const channel = strategy === "sms" ? "phone" : "email";
    expect(screenOf(await submitStep(browser, state, { action: "choose-factor", factor: channel }))["factor"]).toBe("totp");
    expect(service.outbox.sent.filter(({ code: sent }) => sent !== undefined)).toEqual([]);
  });
});

describe("a session of five hours ago without a factor", () => {
  const open = async () => {
    await setPolicies(service, []);
    const browser = service.browser();
    successParameters(await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada));
    service.clock.advance("5h");
    return browser;
  };

  test.each([["acr_values"], ["a policy"]])("adds no factor because of %s, and asks for the password again", async (cause) => {
    const browser = await open();
    const request = cause === "acr_values" ? { acr_values: multifactor } : {};
    if (cause === "a policy") await setPolicies(service, ["all-applications"]);
    expect(errorParameters(await sendAuthorization(browser, service.web, { ...request, prompt: "none" }))).toMatchObject({
      error: "login_required",
    });
    const state = loginState(await sendAuthorization(browser, service.web, request));
    const first = await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    expect(screenName(first)).toBe("password");
    expect(screenName(await submitStep(browser, state, { action: "sign-in", password: service.ada.password }))).toBe("add-factor");
  });

  test("gives a token with which no factor can be added", async () => {
    const browser = await open();
    const { code = "" } = successParameters(await sendAuthorization(browser, service.web, { ...mfaApi, prompt: "none" }));
    const token = stringMember(await exchangeLoginCode(service, code), "access_token");
    const reply = await service.call("POST", "/mfa/associate", { token, body: { authenticator_types: ["otp"] } });
    expect(reply).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    expect(reply.headers.get("www-authenticate")).toContain('max_age="900"');
  });
});

test("a first factor of more than fifteen minutes ago adds no factor in the same login", async () => {
  const browser = service.browser();
  const { state, reply } = await signInToFactor(service, browser);
  expect(screenName(reply)).toBe("add-factor");
  service.clock.advance("16m");
  expect(screenName(await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" }))).toBe("password");
});

describe("auth_time", () => {
  test("is the time of the first factor, and a login with max_age asks for it again if the second took longer", async () => {
    const { secret } = await enrollApp(service, service.browser());
    service.clock.advance("31s");
    const since = Math.floor(service.clock.now() / 1000);
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    service.clock.advance("5m");
    const passed = await submitStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) });
    const { code = "" } = successParameters(redirectOf(passed));
    const claims = decodeJwt(stringMember(await exchangeLoginCode(service, code), "id_token"));
    expect(claims).toMatchObject({ acr: multifactor, auth_time: since });
    expect(errorParameters(await sendAuthorization(browser, service.web, { max_age: "60", prompt: "none" }))["error"]).toBe(
      "login_required",
    );
  });
});

describe("a policy", () => {
  const enable = async (factor: string, enabled: boolean): Promise<void> => {
    expect((await service.manage("PUT", `/api/v2/guardian/factors/${factor}`, { enabled })).status).toBe(200);
  };

  const warnings = async (reason: string): Promise<number> =>
    (await service.postern.tenant("main").logs.list({ q: "type:w" })).filter(({ details }) => details?.["reason"] === reason).length;

  test("refuses the sign-in with the reason if only factors are enabled that protect no account alone", async () => {
    await enable("otp", false);
    await enable("sms", false);
    for (let attempt = 0; attempt < 2; attempt++) {
      const browser = service.browser();
      const state = loginState(await sendAuthorization(browser, service.web));
      await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
      const refused = redirectOf(await submitStep(browser, state, { action: "sign-in", password: service.ada.password }));
      expect(errorParameters(refused)).toMatchObject({
        error: "access_denied",
        error_description: "the user has no factor that the login requires",
      });
    }
    expect(await warnings("no-usable-factor")).toBe(1);
  });

  test("is not in force if no factor is enabled", async () => {
    for (const factor of ["otp", "sms", "email", "recovery-code"]) await enable(factor, false);
    const browser = service.browser();
    successParameters(await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada));
    expect(await warnings("no-factor-enabled")).toBe(1);
    service.clock.advance("61m");
    const later = service.browser();
    successParameters(await signInAtLoginPage(later, await sendAuthorization(later, service.web), service.ada));
    expect(await warnings("no-factor-enabled")).toBe(2);
  });
});
