import { decodeJwt } from "jose";
import type { Action, PostLoginApi, PostLoginEvent } from "@postern/core";
import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  errorParameters,
  followRedirects,
  getFlow,
  loginState,
  openStep,
  readResult,
  redirectOf,
  screenName,
  sendStep,
  signInAtLoginPage,
  submitStep,
  successParameters,
} from "../support/flow.ts";
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

type Run = (event: PostLoginEvent, api: PostLoginApi) => void;

let service: FactorService;
let runs: Run[];
let secret: string;
let recoveryCode: string;

/** The name of each action that ran, with the authentication methods that it saw. */
let seen: string[];

beforeEach(async () => {
  runs = [];
  seen = [];
  const actions = [0, 1, 2].map((at): Action => ({
    name: `action-${at}`,
    onExecutePostLogin: (event, api) => {
      if (runs[at] !== undefined) seen.push(`${at}: ${methodsOf(event)}`);
      runs[at]?.(event, api);
    },
    ...(at === 0 && { onContinuePostLogin: (_, api) => api.authentication.recordMethod("https://acme.example/captcha") }),
  }));
  service = await openFactorService({ actions });
  ({ secret, recoveryCode } = await enrollApp(service, service.browser()));
  await setPolicies(service, []);
  nextStep();
});

const nextStep = (): void => service.clock.advance("31s");
const codeNow = (): string => totpAt(secret, service.clock.now());
const methodsOf = ({ authentication }: PostLoginEvent): string =>
  authentication.methods.map(({ name, type }) => (type === undefined ? name : `${name}/${type}`)).join(" ");
const challengeOtp: Run = (_, api) => api.authentication.challengeWith({ type: "otp" });

async function passApp(browser: Browser, state: string): Promise<JsonBody> {
  return submitStep(browser, state, { action: "enter-factor-code", code: codeNow() });
}

/** Signs in with the password, and returns the error that the client receives. */
async function failedLogin(): Promise<{ readonly [name: string]: string }> {
  const { reply } = await signInToFactor(service, service.browser());
  return errorParameters(redirectOf(reply));
}

describe("challengeWith", () => {
  test("asks for the factor before the next action runs, which sees it", async () => {
    runs = [
      (event, api) => {
        expect(event.user.enrolledFactors).toEqual(expect.arrayContaining([{ type: "otp" }, { type: "recovery-code" }]));
        expect(event.user.multifactor).toEqual(["guardian"]);
        expect(event.transaction.acr_values).toEqual(["urn:gold", "urn:silver"]);
        api.idToken.setCustomClaim("before", true);
        api.authentication.challengeWith({ type: "otp" });
      },
      (_, api) => api.idToken.setCustomClaim("after", true),
    ];
    const browser = service.browser();
    const { state, reply } = await signInToFactor(service, browser, { acr_values: "urn:gold urn:silver" });
    expect(screenOf(reply)).toMatchObject({ name: "factor", factor: "totp", others: [] });
    expect(seen).toEqual(["0: pwd"]);
    const { code = "" } = successParameters(redirectOf(await passApp(browser, state)));
    expect(seen).toEqual(["0: pwd", "1: pwd mfa/otp"]);
    expect(decodeJwt(stringMember(await exchangeLoginCode(service, code), "id_token"))).toMatchObject({
      before: true,
      after: true,
      amr: ["pwd", "otp", "mfa"],
    });
  });

  test("asks once in a login, and again in the next login of the session", async () => {
    runs = [challengeOtp, challengeOtp];
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    successParameters(redirectOf(await passApp(browser, state)));
    expect(seen).toHaveLength(2);
    expect(loginState(await sendAuthorization(browser, service.web))).toBeDefined();
  });

  test("responds to a silent request with login_required", async () => {
    const browser = service.browser();
    successParameters(await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada));
    runs = [challengeOtp];
    expect(errorParameters(await sendAuthorization(browser, service.web, { prompt: "none" }))).toMatchObject({
      error: "login_required",
      error_description: "Multifactor authentication required",
    });
  });

  test("continues on the hosted pages, for every response mode", async () => {
    runs = [challengeOtp];
    for (const mode of ["query", "form_post"]) {
      const browser = service.browser();
      successParameters(
        await withoutActions(async () => signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada)),
      );
      const stopped = await sendAuthorization(browser, service.web, { response_mode: mode });
      expect(stopped).toMatchObject({ kind: "login", step: "factor" });
      const state = loginState(stopped);
      expect(await (await openStep(browser, state)).text()).toContain("authenticator");
      const passed = await passApp(browser, state);
      successParameters(
        await followRedirects(browser, new Response(null, { status: 303, headers: { location: stringMember(passed, "redirect_to") } })),
      );
      nextStep();
    }
  });

  test("a recovery code, a replayed form and the URL of a later step do not replace the factor", async () => {
    runs = [challengeOtp];
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    const chosen = await submitStep(browser, state, { action: "choose-factor", factor: "recovery-code" });
    expect(screenOf(chosen)).toMatchObject({ factor: "totp" });
    expect((await sendStep(browser, state, { action: "enter-factor-code", code: recoveryCode })).status).toBe(400);
    for (const action of ["accept", "recovery-code-stored", "sign-in"] as const) {
      const reply = await submitStep(browser, state, { action, ...(action === "sign-in" && { password: service.ada.password }) });
      expect(screenName(reply), action).toBe("factor");
    }
    expect(await readResult(await openStep(browser, state, "consent"))).toMatchObject({ kind: "login", step: "factor" });
    expect(await readResult(await browser.get(`/continue?${new URLSearchParams({ state })}`))).toMatchObject({ step: "factor" });
    successParameters(redirectOf(await passApp(browser, state)));
  });

  test("a factor of one user does not count for another user in the same login", async () => {
    runs = [challengeOtp];
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "other-account" });
    await submitStep(browser, state, { action: "continue", identifier: service.bob.email });
    const reply = await submitStep(browser, state, { action: "sign-in", password: service.bob.password });
    // Bob has no factor that the action accepts.
    expect(errorParameters(redirectOf(reply))).toMatchObject({ error: "access_denied" });
  });

  test("ignores factors that are not enrolled, and fails if none remains", async () => {
    runs = [(_, api) => api.authentication.challengeWithAny([{ type: "push-notification" }, { type: "phone" }, { type: "otp" }])];
    const browser = service.browser();
    const { state, reply } = await signInToFactor(service, browser);
    expect(screenOf(reply)).toMatchObject({ name: "factor", factor: "totp" });
    successParameters(redirectOf(await passApp(browser, state)));
    expect(await auditEvents(service.manage, "w")).toHaveLength(1);
    runs = [(_, api) => api.authentication.challengeWith({ type: "phone" }, { additionalFactors: [{ type: "webauthn-roaming" }] })];
    expect(await failedLogin()).toMatchObject({ error: "access_denied" });
    expect(await auditEvents(service.manage, "mfar")).toHaveLength(1);
  });

  test("fails the login after the fifth requirement, an unknown type, or together with a redirect", async () => {
    const invalid: Run[] = [
      (_, api) => {
        for (let i = 0; i < 5; i++) api.authentication.challengeWith({ type: "otp" });
      },
      (_, api) => api.authentication.challengeWithAny([]),
      (_, api) => api.authentication.enrollWith({ type: "email" }),
      (_, api) => api.multifactor.enable("duo"),
      (_, api) => api.authentication.recordMethod("https://acme.example/captcha"),
      (_, api) => {
        api.authentication.challengeWith({ type: "otp" });
        api.redirect.sendUserTo("https://acme.example/");
      },
      () => {
        throw new Error("the store is down");
      },
    ];
    for (const run of invalid) {
      runs = [run];
      expect(await failedLogin(), String(run)).toMatchObject({ error: "temporarily_unavailable" });
    }
  });
});

describe("enrollWith", () => {
  test("requires an enrolled factor first, then the new one, and goes on if all are enrolled", async () => {
    runs = [(_, api) => api.authentication.enrollWithAny([{ type: "otp" }, { type: "phone" }]), () => {}];
    const browser = service.browser();
    const { state, reply } = await signInToFactor(service, browser);
    expect(screenOf(reply)).toMatchObject({ name: "factor", factor: "totp" });
    const passed = await passApp(browser, state);
    expect(screenOf(passed)).toMatchObject({ name: "add-factor", options: ["phone"] });
    await submitStep(browser, state, { action: "choose-new-factor", factor: "phone" });
    await submitStep(browser, state, { action: "enter-phone", phone: "+4915112345678" });
    const { text: message } = service.outbox.take("+4915112345678");
    const [code = ""] = /\d{6}/.exec(message) ?? [];
    successParameters(redirectOf(await submitStep(browser, state, { action: "confirm-new-factor", code })));
    expect(seen).toEqual(["0: pwd", "1: pwd mfa/otp mfa/phone"]);
    const next = await signInToFactor(service, service.browser());
    successParameters(redirectOf(next.reply));
  });
});

describe("multifactor.enable", () => {
  test("asks after all actions, and not if an action required factors", async () => {
    runs = [(_, api) => api.multifactor.enable("any"), () => {}];
    const browser = service.browser();
    const { state, reply } = await signInToFactor(service, browser);
    expect(screenOf(reply)).toMatchObject({ name: "factor", others: ["email", "recovery-code"] });
    expect(seen).toEqual(["0: pwd", "1: pwd"]);
    successParameters(redirectOf(await passApp(browser, state)));
    expect(seen).toHaveLength(2);
    runs = [(_, api) => api.multifactor.enable("any"), challengeOtp];
    nextStep();
    const other = service.browser();
    const second = await signInToFactor(service, other);
    expect(screenOf(second.reply)).toMatchObject({ name: "factor", others: [] });
    successParameters(redirectOf(await passApp(other, second.state)));
  });

  test("accepts a trusted browser only with allowRememberBrowser", async () => {
    runs = [(_, api) => api.multifactor.enable("any", { allowRememberBrowser: true })];
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: codeNow(), remember: "true" })));
    successParameters(redirectOf((await signInToFactor(service, browser, { prompt: "login" })).reply));
    runs = [(_, api) => api.multifactor.enable("any")];
    const { reply } = await signInToFactor(service, browser, { prompt: "login" });
    expect(screenName(reply)).toBe("factor");
  });

  test("issues nothing if the user adds no factor", async () => {
    runs = [(_, api) => api.multifactor.enable("any")];
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web));
    await submitStep(browser, state, { action: "continue", identifier: service.bob.email });
    const reply = await submitStep(browser, state, { action: "sign-in", password: service.bob.password });
    expect(screenName(reply)).toBe("add-factor");
    expect(errorParameters(await sendAuthorization(browser, service.web, { prompt: "none" }))["error"]).toBe("login_required");
    expect(screenName(await getFlow(browser, state))).toBe("add-factor");
    expect(await service.data.collections.authorization_codes.count({ tenant_id: "main", user_id: service.bob.userId })).toBe(0);
  });
});

test("recordMethod stores a method in the session that no token contains", async () => {
  runs = [(event, api) => void (methodsOf(event).includes("captcha") || api.redirect.sendUserTo("https://acme.example/captcha"))];
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  const back = await readResult(await browser.get(`/continue?${new URLSearchParams({ state })}`));
  const { code = "" } = successParameters(back);
  expect(decodeJwt(stringMember(await exchangeLoginCode(service, code), "id_token"))).toMatchObject({ amr: ["pwd"] });
  successParameters(await sendAuthorization(browser, service.web));
  expect(seen.at(-1)).toBe("0: pwd https://acme.example/captcha");
});

test("custom claims cannot set acr or amr", async () => {
  for (const claim of ["acr", "amr"]) {
    runs = [(_, api) => api.idToken.setCustomClaim(claim, "phr")];
    expect(await failedLogin(), claim).toMatchObject({ error: "temporarily_unavailable" });
  }
});

async function withoutActions<T>(call: () => Promise<T>): Promise<T> {
  const [stored] = [runs];
  runs = [];
  const result = await call();
  runs = stored;
  return result;
}
