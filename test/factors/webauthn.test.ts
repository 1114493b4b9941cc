import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { credentialSchema } from "../../packages/core/src/identity/webauthn/credential.ts";
import {
  creationOptionsSchema,
  type CreationOptions,
  requestOptionsSchema,
  type RequestOptions,
} from "../../packages/core/src/model/factors/webauthn.ts";
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { auditEvents, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  getFlow,
  openStep,
  redirectOf,
  screenName,
  sendStep,
  submitStep,
  successParameters,
  type AuthorizationParameters,
} from "../support/flow.ts";
import {
  exchangeLoginCode,
  enrollApp,
  openFactorService,
  screenOf,
  setPolicies,
  signInToFactor,
  totpAt,
  type FactorService,
} from "./support.ts";

/** Security keys as second factors, over the JSON flow API. */

let service: FactorService;
let device: SoftwareAuthenticator;

beforeEach(async () => {
  service = await openFactorService();
  await service.manage("PUT", "/api/v2/guardian/factors/webauthn-roaming", { enabled: true });
  device = createSoftwareAuthenticator({ origin: "https://id.example.test" });
});

/** Starts to add a security key in a login. @returns the options for the browser. */
async function startKey(browser: Browser, parameters: AuthorizationParameters = {}): Promise<{ state: string; options: CreationOptions }> {
  const { state } = await signInToFactor(service, browser, parameters);
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "webauthn-roaming" }));
  return { state, options: creationOptionsSchema.parse(chosen["publicKey"]) };
}

/** Adds a security key in a login, and completes the login. @returns the authorization code. */
async function enrollKey(browser: Browser, parameters: AuthorizationParameters = {}): Promise<string> {
  const { state, options } = await startKey(browser, parameters);
  const response = JSON.stringify(await device.create(options));
  const confirmed = await submitStep(browser, state, { action: "confirm-key", response });
  expect(screenName(confirmed)).toBe("recovery-code");
  return codeOf(await submitStep(browser, state, { action: "recovery-code-stored" }));
}

/** Signs in with the password, up to the screen that requests the security key. */
async function signInToKey(
  browser: Browser,
  parameters: AuthorizationParameters = {},
): Promise<{ state: string; options: RequestOptions }> {
  const { state, reply } = await signInToFactor(service, browser, parameters);
  const screen = screenOf(reply);
  expect(screen).toMatchObject({ name: "factor", factor: "webauthn-roaming" });
  return { state, options: requestOptionsSchema.parse(screen["publicKey"]) };
}

const codeOf = (reply: JsonBody): string => {
  const { code = "" } = successParameters(redirectOf(reply));
  return code;
};

const ownedByAda = () => ({ tenant_id: "main", user_id: service.ada.userId });

const claimsOf = async (code: string) => decodeJwt(stringMember(await exchangeLoginCode(service, code), "id_token"));

async function expectRejected(browser: Browser, state: string, action: "use-key" | "confirm-key", response: string): Promise<void> {
  const rejected = await sendStep(browser, state, { action, response });
  expect([rejected.status, await rejected.json()]).toMatchObject([400, { error: "invalid_grant" }]);
}

describe("a security key", () => {
  test("is added during the login, with a mail and an audit event, and the tokens state it", async () => {
    const claims = await claimsOf(await enrollKey(service.browser()));
    expect(claims).toMatchObject({ amr: expect.arrayContaining(["pwd", "mfa"]) });
    expect(claims["acr"]).toBe("http://schemas.openid.net/pape/policies/2007/06/multi-factor");
    expect(service.outbox.take(service.ada.email)).toMatchObject({ subject: "A sign-in method was added to your account" });
    const [event] = await auditEvents(service.manage, "gd_enrollment_complete");
    expect(event).toMatchObject({ details: { authenticator: { type: "webauthn-roaming" } } });
  });

  test("is requested at the next login, and its response completes it", async () => {
    await enrollKey(service.browser());
    const browser = service.browser();
    const { state, options } = await signInToKey(browser);
    expect(options).toMatchObject({ rpId: "id.example.test", userVerification: "discouraged" });
    expect(options.allowCredentials).toMatchObject([{ id: device.credentials[0]?.id }]);
    expect(await service.data.collections.sessions.count({ tenant_id: "main" })).toBe(1);
    const response = JSON.stringify(await device.get(options));
    await claimsOf(codeOf(await submitStep(browser, state, { action: "use-key", response })));
    expect(await auditEvents(service.manage, "gd_auth_succeed")).toHaveLength(2);
  });

  test("must verify the user if the tenant requires it, when it is added and when it is used", async () => {
    const settings = "/api/v2/guardian/factors/webauthn-roaming/settings";
    await service.manage("PUT", settings, { userVerification: "required" });
    const browser = service.browser();
    const { state, options } = await startKey(browser);
    expect(options.authenticatorSelection.userVerification).toBe("required");
    const touched = await device.create(options, { userVerified: false });
    await expectRejected(browser, state, "confirm-key", JSON.stringify(touched));
    await enrollKey(service.browser());
    const second = service.browser();
    const next = await signInToKey(second);
    expect(next.options.userVerification).toBe("required");
    await expectRejected(second, next.state, "use-key", JSON.stringify(await device.get(next.options, { userVerified: false })));
    await service.manage("PUT", settings, { userVerification: "preferred" });
    const third = service.browser();
    const last = await signInToKey(third);
    expect(last.options.userVerification).toBe("preferred");
    const response = JSON.stringify(await device.get(last.options, { userVerified: false }));
    codeOf(await submitStep(third, last.state, { action: "use-key", response }));
  });

  test("does not accept a response twice, with a wrong signature, or from another login session", async () => {
    await enrollKey(service.browser());
    const browser = service.browser();
    const { state, options } = await signInToKey(browser);
    await expectRejected(browser, state, "use-key", JSON.stringify(await device.get(options, { wrongSignature: true })));
    await expectRejected(browser, state, "use-key", JSON.stringify(await device.get(options)));
    await expectRejected(browser, state, "use-key", "{");
    const other = service.browser();
    const { state: second, options: otherOptions } = await signInToKey(other);
    const foreign = JSON.stringify(await device.get(otherOptions));
    await expectRejected(browser, state, "use-key", foreign);
    codeOf(await submitStep(other, second, { action: "use-key", response: foreign }));
    const third = service.browser();
    await expectRejected(third, (await signInToKey(third)).state, "use-key", foreign);
    const failures = await auditEvents(service.manage, "gd_webauthn_challenge_failed");
    const reasons = failures.map(({ details }) => /"reason":"([a-z-]+)"/.exec(JSON.stringify(details))?.[1]);
    expect(reasons.map(String).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "challenge",
      "challenge",
      "challenge",
      "invalid",
      "malformed",
    ]);
  });

  test("does not accept the response of a registration twice, or from another login session", async () => {
    const browser = service.browser();
    const { state, options } = await startKey(browser);
    const response = JSON.stringify(await device.create(options));
    const other = service.browser();
    const { state: second } = await startKey(other);
    await expectRejected(other, second, "confirm-key", response);
    await submitStep(browser, state, { action: "confirm-key", response });
    const overtaken = await sendStep(other, second, { action: "confirm-key", response });
    expect([overtaken.status, await overtaken.json()]).toMatchObject([400, { error: "access_denied" }]);
    expect(screenName(await getFlow(other, second))).toBe("factor");
    expect(await service.data.collections.factors.count({ ...ownedByAda(), type: "webauthn-roaming" })).toBe(1);
    expect(await auditEvents(service.manage, "gd_webauthn_enrollment_failed")).toHaveLength(1);
  });

  test("allows ten attempts", async () => {
    await enrollKey(service.browser());
    const browser = service.browser();
    const { state, options } = await signInToKey(browser);
    for (let i = 0; i < 10; i++) await expectRejected(browser, state, "use-key", "{}");
    const { status } = await sendStep(browser, state, { action: "use-key", response: JSON.stringify(await device.get(options)) });
    expect(status).toBe(429);
  });

  test("stays required if the host of a request has no credential for it", async () => {
    await enrollKey(service.browser());
    const [factor] = await service.data.collections.factors.find({ where: { ...ownedByAda(), type: "webauthn-roaming" }, limit: 1 });
    const credential = { ...credentialSchema.parse(factor?.["credential"]), rp_id: "other.example" };
    await service.data.collections.factors.update({ ...ownedByAda(), id: String(factor?.["id"]) }, { set: { credential } });
    const browser = service.browser();
    const { state, reply } = await signInToFactor(service, browser);
    expect(screenOf(reply)).toMatchObject({ name: "factor", factor: "webauthn-roaming" });
    expect(screenOf(reply)).not.toHaveProperty("publicKey");
    expect(await (await openStep(browser, state)).text()).toContain("be used at this web address");
  });

  test("has a page with a form that is hidden until the script runs", async () => {
    await enrollKey(service.browser());
    const browser = service.browser();
    const { state } = await signInToKey(browser);
    const html = await (await openStep(browser, state)).text();
    expect(html).toContain("needs JavaScript");
    expect(html).toMatch(/<button[^>]* value="use-key"[^>]* hidden/);
    expect(html).toContain('value="recovery-code"');
  });
});

describe("acr_values=phr", () => {
  const phr = { acr_values: "phr" };

  test("is met by a new security key and by an enrolled one", async () => {
    await setPolicies(service, []);
    expect(await claimsOf(await enrollKey(service.browser(), phr))).toMatchObject({ acr: "phr" });
    const browser = service.browser();
    const { state, options } = await signInToKey(browser, phr);
    const response = JSON.stringify(await device.get(options));
    expect(await claimsOf(codeOf(await submitStep(browser, state, { action: "use-key", response })))).toMatchObject({ acr: "phr" });
  });

  test("is not met by an authenticator app: the user adds a security key after it", async () => {
    const { secret } = await enrollApp(service, service.browser());
    service.clock.advance("31s");
    const browser = service.browser();
    const { state, reply } = await signInToFactor(service, browser, phr);
    expect(screenOf(reply)).toMatchObject({ name: "factor", factor: "totp" });
    const passed = await submitStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) });
    expect(screenOf(passed)).toMatchObject({ name: "add-factor", options: ["webauthn-roaming"] });
    const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "webauthn-roaming" }));
    const response = JSON.stringify(await device.create(creationOptionsSchema.parse(chosen["publicKey"])));
    expect(await claimsOf(codeOf(await submitStep(browser, state, { action: "confirm-key", response })))).toMatchObject({ acr: "phr" });
  });
});
