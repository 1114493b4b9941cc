import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openSecurity } from "../account/support.ts";
import { openMfaService, otpGrant, type MfaService } from "../factors/mfa-api-support.ts";
import { screenOf, setPolicies, totpAt, totpOf } from "../factors/support.ts";
import { jsonBody, list, stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { countingAdapter, type CountingAdapter } from "../support/counting-adapter.ts";
import {
  loginState,
  openStep,
  readResult,
  sendAuthorization,
  sendForm,
  submitStep,
  successParameters,
  type FlowStep,
  type TestAccount,
} from "../support/flow.ts";
import { stores } from "./stores.ts";

const appKey = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const mfaApi = { audience: "https://id.example.test/mfa/", scope: "openid enroll read:authenticators remove:authenticators" };

describe.each(stores)("statements and sequential round trips of requests with second factors on $name", ({ open }) => {
  let data: CountingAdapter;
  let service: MfaService;
  let serial = 0;
  let user: TestAccount;

  beforeAll(async () => {
    data = countingAdapter(await open());
    service = await openMfaService({ data });
  });
  afterAll(() => data.close?.());

  beforeEach(async () => {
    await setPolicies(service, ["all-applications"]);
    user = await service.addUser(`user-${serial++}@example.test`);
    // Fills the settings cache at the current instant.
    await service.password(user);
    await openSecurity(service.browser());
    const browser = service.browser();
    await openStep(browser, await enterPassword(browser), "add-factor");
  });

  const costs = async (request: () => Promise<unknown>, [statements, roundTrips]: readonly [number, number]): Promise<void> => {
    const cost = await data.costOf(request);
    const costText = `${cost.roundTrips} round trips: ${cost.statements.join(", ")}`;
    expect(cost.statements.length, costText).toBeLessThanOrEqual(statements);
    expect(cost.roundTrips, costText).toBeLessThanOrEqual(roundTrips);
  };

  async function addMethod(body: object): Promise<void> {
    await service.manage.create(`/api/v2/users/${encodeURIComponent(user.userId)}/authentication-methods`, body);
  }

  const addApp = (): Promise<void> => addMethod({ type: "totp", totp_secret: appKey });
  const codeNow = (): string => totpAt(appKey, service.clock.now());

  /** Signs in with the password. @returns the `state` of the login. */
  async function enterPassword(browser: Browser): Promise<string> {
    const state = loginState(await sendAuthorization(browser, service.web));
    await submitStep(browser, state, { action: "continue", identifier: user.email });
    await submitStep(browser, state, { action: "sign-in", password: user.password });
    return state;
  }

  const page = async (browser: Browser, state: string, name: string): Promise<string> => {
    const response = await openStep(browser, state, name);
    expect(response.status).toBe(200);
    return response.text();
  };

  const redirects = async (browser: Browser, html: string, step: FlowStep): Promise<void> => {
    successParameters(await readResult(await sendForm(browser, html, step)));
  };

  test("a login with the code of an authenticator app stays within its budget", async () => {
    await addApp();
    const browser = service.browser();
    const start = loginState(await sendAuthorization(browser, service.web));
    await submitStep(browser, start, { action: "continue", identifier: user.email });
    const form = await page(browser, start, "password");
    await costs(async () => sendForm(browser, form, { action: "sign-in", password: user.password }), [10, 9]);
    await costs(() => page(browser, start, "factor"), [4, 4]);
    const html = await page(browser, start, "factor");
    // 13 round trips, or 14 if the encryption of the progress takes longer than the statements beside it.
    await costs(() => redirects(browser, html, { action: "enter-factor-code", code: codeNow() }), [15, 14]);
  });

  test("the addition of an authenticator app at a login stays within its budget", async () => {
    const browser = service.browser();
    const state = await enterPassword(browser);
    await costs(() => page(browser, state, "add-factor"), [2, 2]);
    const html = await page(browser, state, "add-factor");
    await costs(async () => sendForm(browser, html, { action: "choose-new-factor", factor: "totp" }), [10, 10]);
    await costs(() => page(browser, state, "add-factor"), [4, 4]);
    const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" }));
    const code = totpAt(stringMember(totpOf(chosen), "secret"), service.clock.now());
    const confirming = await page(browser, state, "add-factor");
    await costs(async () => sendForm(browser, confirming, { action: "confirm-new-factor", code }), [35, 32]);
    await costs(() => page(browser, state, "recovery-code"), [4, 3]);
    const stored = await page(browser, state, "recovery-code");
    await costs(() => redirects(browser, stored, { action: "recovery-code-stored" }), [6, 4]);
  });

  test("the page of the account stays within its budget", async () => {
    await addApp();
    await addMethod({ type: "phone", phone_number: "+4915112345678" });
    const browser = service.browser();
    const state = await enterPassword(browser);
    await redirects(browser, await page(browser, state, "factor"), { action: "enter-factor-code", code: codeNow() });
    await costs(async () => expect(await openSecurity(browser)).toMatchObject({ status: 200 }), [6, 6]);
    await costs(async () => expect(await openSecurity(browser, { view: "add" })).toMatchObject({ status: 200 }), [5, 5]);
    service.clock.advance("16m");
    await openSecurity(browser);
    await costs(async () => expect(await openSecurity(browser, { view: "add" })).toMatchObject({ status: 200 }), [6, 6]);
  });

  test("the addition of an authenticator app with the MFA API stays within its budget", async () => {
    await costs(() => service.begin(user), [6, 5]);
    const mfa_token = stringMember(await service.begin(user), "mfa_token");
    await costs(async () => jsonBody(await service.associate(mfa_token, { authenticator_types: ["otp"] })), [7, 7]);
    const added = jsonBody(await service.associate(mfa_token, { authenticator_types: ["otp"] }));
    const otp = service.codeNow(stringMember(added, "secret"));
    await costs(async () => jsonBody(await service.grant(otpGrant, { mfa_token, otp })), [33, 31]);
  });

  test("a sign-in with the MFA API stays within its budget", async () => {
    await addApp();
    await addMethod({ type: "phone", phone_number: "+4915112345678" });
    await costs(() => service.begin(user), [7, 6]);
    const mfa_token = stringMember(await service.begin(user), "mfa_token");
    await costs(async () => list(await service.authenticators(mfa_token)), [4, 4]);
    const listed = list(await service.authenticators(mfa_token));
    const authenticator_id = stringMember(listed.find(({ type }) => type === "phone") ?? {}, "id");
    await costs(async () => jsonBody(await service.challenge(mfa_token, { authenticator_id })), [8, 8]);
    await costs(async () => jsonBody(await service.grant(otpGrant, { mfa_token, otp: codeNow() })), [13, 12]);
  });

  test("the removal of a phone with the MFA API stays within its budget, which includes the sessions and the clients that may be told", async () => {
    await addApp();
    await addMethod({ type: "phone", phone_number: "+4915112345678" });
    const mfa_token = stringMember(await service.begin(user, mfaApi), "mfa_token");
    const token = stringMember(jsonBody(await service.grant(otpGrant, { mfa_token, otp: codeNow() })), "access_token");
    const phone = stringMember(list(await service.authenticators(token)).find(({ type }) => type === "phone") ?? {}, "id");
    const remove = () => service.call("DELETE", `/mfa/authenticators/${encodeURIComponent(phone)}`, { token });
    await costs(async () => expect((await remove()).status).toBe(204), [23, 20]);
  });
});
