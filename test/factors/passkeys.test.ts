import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import {
  creationOptionsSchema,
  requestOptionsSchema,
  type CreationOptions,
  type RequestOptions,
} from "../../packages/core/src/model/factors/webauthn.ts";
import {
  createSoftwareAuthenticator,
  type AuthenticatorBehavior,
  type SoftwareAuthenticator,
} from "../../packages/core/test/software-authenticator.ts";
import { auditEvents, list, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  errorParameters,
  getFlow,
  loginState,
  openStep,
  redirectOf,
  screenName,
  sendAuthorization,
  sendStep,
  submitStep,
  successParameters,
  type AuthorizationParameters,
  type FlowStep,
} from "../support/flow.ts";
import { codeOf as codeIn } from "../support/outbox.ts";
import { enrollApp, exchangeLoginCode, openFactorService, screenOf, setPolicies, totpAt, type FactorService } from "./support.ts";

/** Passkeys as first factor on the hosted pages, over the JSON flow API. */

let service: FactorService;
let device: SoftwareAuthenticator;

const databaseName = "Username-Password-Authentication";
const phr = { acr_values: "phr" };

beforeEach(async () => {
  service = await openFactorService();
  await setPolicies(service, []);
  await setOptions({ authentication_methods: { password: { enabled: true }, passkey: { enabled: true } } });
  device = createSoftwareAuthenticator({ origin: "https://id.example.test" });
});

/** Changes options of the password database. */
async function setOptions(options: object): Promise<void> {
  const [connection] = list(await service.manage("GET", `/api/v2/connections?name=${databaseName}`));
  const { id, options: before } = connection ?? {};
  const { status } = await service.manage("PATCH", `/api/v2/connections/${String(id)}`, { options: { ...Object(before), ...options } });
  expect(status).toBe(200);
}

/** Starts a login. @returns the `state` of its page. */
const start = async (browser: Browser, parameters: AuthorizationParameters = {}): Promise<string> =>
  loginState(await sendAuthorization(browser, service.web, parameters));

/** Returns the options with which the current screen requests a passkey. Undefined if it does not. */
async function requested(browser: Browser, state: string): Promise<RequestOptions | undefined> {
  const { passkey } = screenOf(await getFlow(browser, state));
  return passkey === undefined ? undefined : requestOptionsSchema.parse(Object(passkey).publicKey);
}

const codeOf = (reply: JsonBody): string => successParameters(redirectOf(reply))["code"] ?? "";
const claimsOf = async (code: string) => decodeJwt(stringMember(await exchangeLoginCode(service, code), "id_token"));

/** Signs in with the password in a browser that can create passkeys. @returns the reply after the password. */
async function signInByPassword(browser: Browser, state: string, account = service.ada): Promise<JsonBody> {
  await submitStep(browser, state, { action: "continue", identifier: account.email });
  return submitStep(browser, state, { action: "sign-in", password: account.password, passkeys: "available" });
}

/** Adds a passkey after a sign-in with the password, and completes the login. */
async function addPasskey(account = service.ada, browser = service.browser()): Promise<string> {
  const state = await start(browser);
  const options = creationOptionsSchema.parse(screenOf(await signInByPassword(browser, state, account))["publicKey"]);
  return codeOf(await submitStep(browser, state, { action: "add-passkey", response: JSON.stringify(await device.create(options)) }));
}

/** Signs in with the newest passkey. @returns the response to the submitted passkey. */
async function usePasskey(browser: Browser, state: string, behavior: Partial<AuthenticatorBehavior> = {}, more: Partial<FlowStep> = {}) {
  const options = await requested(browser, state);
  if (options === undefined) throw new Error("no passkey is requested");
  return sendStep(browser, state, { action: "use-passkey", response: JSON.stringify(await device.get(options, behavior)), ...more });
}

async function signInByPasskey(browser = service.browser(), parameters: AuthorizationParameters = {}): Promise<string> {
  const response = await usePasskey(browser, await start(browser, parameters));
  return codeOf(Object(await response.json()));
}

const expectRejected = async (response: Response): Promise<void> =>
  expect([response.status, await response.json()]).toMatchObject([400, { error: "invalid_grant" }]);

const sessionCount = () => service.data.collections.sessions.count({ tenant_id: "main" });

describe("a sign-in with a passkey", () => {
  test("needs neither an identifier nor a password, and counts as two phishing-resistant factors", async () => {
    await addPasskey();
    await setPolicies(service, ["all-applications"]);
    const claims = await claimsOf(await signInByPasskey(service.browser(), phr));
    expect(claims).toMatchObject({ sub: service.ada.userId, acr: "phr", amr: ["pop", "user", "mfa"] });
    const [login] = await auditEvents(service.manage, "s");
    expect(login).toMatchObject({ user_id: service.ada.userId, details: { prompts: [{ performed_amr: ["phr"] }] } });
  });

  test("is offered on the page for the identifier and on the page for the password, without the ids of passkeys", async () => {
    await addPasskey();
    const browser = service.browser();
    const state = await start(browser);
    const options = await requested(browser, state);
    expect(options).toMatchObject({ rpId: "id.example.test", userVerification: "required" });
    expect(options).not.toHaveProperty("allowCredentials");
    for (const identifier of [service.ada.email, "unknown@example.test"]) {
      await submitStep(browser, state, { action: "continue", identifier });
      expect(await requested(browser, state)).not.toHaveProperty("allowCredentials");
      await submitStep(browser, state, { action: "change-identifier" });
    }
  });

  test.each([
    ["both", { autofill: true, button: true }],
    ["autofill", { autofill: true, button: false }],
    ["button", { autofill: false, button: true }],
  ])("is offered as the option challenge_ui=%s says", async (challenge_ui, offered) => {
    await setOptions({ passkey_options: { challenge_ui } });
    const browser = service.browser();
    expect(screenOf(await getFlow(browser, await start(browser)))).toMatchObject({ passkey: offered });
  });

  test("is not offered, and a submitted one is rejected, if the connection does not enable passkeys", async () => {
    await addPasskey();
    const browser = service.browser();
    const state = await start(browser);
    const options = await requested(browser, state);
    await setOptions({ authentication_methods: { password: { enabled: true }, passkey: { enabled: false } } });
    expect(await requested(browser, state)).toBeUndefined();
    if (options === undefined) throw new Error("no options");
    const response = JSON.stringify(await device.get(options));
    await expectRejected(await sendStep(browser, state, { action: "use-passkey", response }));
  });

  test.each([
    ["a wrong signature", { wrongSignature: true }, "invalid"],
    ["an unknown credential id", { sentId: "AAAAAAAAAAAAAAAAAAAAAAAA" }, "unknown-credential"],
    ["the user handle of another user", { userHandle: "AAAA" }, "user-handle"],
    ["no verified user", { userVerified: false }, "user-verification"],
    ["no present user", { userPresent: false }, "invalid"],
    ["the origin of another host", { origin: "https://evil.example.test" }, "invalid"],
    ["the origin of a sibling subdomain", { origin: "https://other.id.example.test" }, "invalid"],
    ["an http origin", { origin: "http://id.example.test" }, "invalid"],
    ["another port", { origin: "https://id.example.test:8443" }, "invalid"],
    ["the RP ID of another host", { rpId: "example.test" }, "invalid"],
    ["a page in a frame", { clientData: { crossOrigin: true } }, "framed"],
    ["a top origin", { clientData: { topOrigin: "https://evil.example.test" } }, "framed"],
    ["the response of a registration", { clientDataType: "webauthn.create" }, "invalid"],
    ["another challenge", { challenge: "A".repeat(43) }, "challenge"],
    ["a lower counter", { counter: 0 }, "counter"],
  ] as const)("is rejected with %s, always with the same text", async (_, behavior, reason) => {
    await addPasskey();
    await signInByPasskey();
    const before = await sessionCount();
    const browser = service.browser();
    await expectRejected(await usePasskey(browser, await start(browser), behavior));
    const [failure] = await auditEvents(service.manage, "passkey_challenge_failed");
    expect(failure).toMatchObject({ details: { reason } });
    expect(await sessionCount()).toBe(before);
  });

  test("is rejected without a user handle only if the credential is unknown", async () => {
    await addPasskey();
    const browser = service.browser();
    const response = await usePasskey(browser, await start(browser), { userHandle: null });
    expect((await claimsOf(codeOf(Object(await response.json()))))["sub"]).toBe(service.ada.userId);
  });

  test("accepts a response once, also if it is sent 32 times at the same moment", async () => {
    await addPasskey();
    const before = await sessionCount();
    const browser = service.browser();
    const state = await start(browser);
    const options = await requested(browser, state);
    const { csrf } = await getFlow(browser, state);
    if (options === undefined) throw new Error("no options");
    const response = JSON.stringify(await device.get(options));
    await Promise.all(
      Array.from({ length: 32 }, () => browser.post("/u/flow", { json: { state, csrf, action: "use-passkey", response } })),
    );
    expect((await sessionCount()) - before).toBe(1);
    const other = service.browser();
    await expectRejected(await sendStep(other, await start(other), { action: "use-passkey", response }));
  });

  test("rejects a response that was requested by another login session or an hour ago", async () => {
    await addPasskey();
    const [mine, theirs] = [service.browser(), service.browser()];
    const options = await requested(theirs, await start(theirs));
    if (options === undefined) throw new Error("no options");
    const response = JSON.stringify(await device.get(options));
    const state = await start(mine);
    await expectRejected(await sendStep(mine, state, { action: "use-passkey", response }));
    const old = await requested(mine, state);
    service.clock.advance("61m");
    if (old === undefined) throw new Error("no options");
    const next = await start(mine);
    await expectRejected(await sendStep(mine, next, { action: "use-passkey", response: JSON.stringify(await device.get(old)) }));
  });

  test.each(["", "{", "null", "[]", '{"id":"AAAA"}', "A".repeat(200)])("is rejected for the malformed response %j", async (response) => {
    const browser = service.browser();
    await expectRejected(await sendStep(browser, await start(browser), { action: "use-passkey", response }));
  });

  test("is reported to the browser as unknown only if no user has it", async () => {
    await addPasskey();
    const unknownOn = async (browser: Browser, state: string): Promise<unknown> =>
      Object(screenOf(await getFlow(browser, state))["passkey"])["unknown"];
    const browser = service.browser();
    const state = await start(browser);
    await expectRejected(await usePasskey(browser, state, { wrongSignature: true }));
    expect(await unknownOn(browser, state)).toBeUndefined();
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authenticators`);
    await expectRejected(await usePasskey(browser, state));
    expect(await unknownOn(browser, state)).toBe(device.credentials[0]?.id);
    const page = await (await openStep(browser, state)).text();
    expect(page).toContain("data-unknown-credential");
  });

  test("is refused for a blocked user", async () => {
    await addPasskey();
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`, { blocked: true });
    const browser = service.browser();
    const response = await usePasskey(browser, await start(browser));
    expect([response.status, await response.json()]).toMatchObject([400, { error: "access_denied" }]);
  });

  test("is rejected after the passkey or its user was deleted", async () => {
    await addPasskey();
    const browser = service.browser();
    const state = await start(browser);
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
    const [passkey] = list(await service.manage("GET", `${path}/authentication-methods`));
    await service.manage("DELETE", `${path}/authentication-methods/${encodeURIComponent(String(passkey?.["id"]))}`);
    await expectRejected(await usePasskey(browser, state));
    await addPasskey(service.bob);
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(service.bob.userId)}`);
    await expectRejected(await usePasskey(browser, state));
  });

  test("asks for a factor after the passkey if the tenant does not count it as one", async () => {
    const { secret } = await withApp();
    const browser = service.browser();
    const state = await start(browser);
    await addPasskeyAfterCode(browser, state, secret);
    await service.manage("PATCH", "/api/v2/tenants/settings", { passkey_counts_as_factor: false });
    await setPolicies(service, ["all-applications"]);
    const other = service.browser();
    const next = await start(other);
    const before = await sessionCount();
    const response = await usePasskey(other, next);
    expect(screenName(Object(await response.json()))).toBe("factor");
    expect(await sessionCount()).toBe(before);
    service.clock.advance("60s");
    codeOf(await submitStep(other, next, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) }));
  });

  test("signs in to the primary account if the passkey was added through a linked account", async () => {
    await service.manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
    const staff = { connection: "staff", email: "ada@staff.example.test", password: "Correct-Horse-2026", email_verified: true };
    const primaryId = stringMember(await service.manage.create("/api/v2/users", staff), "user_id");
    const link = { provider: "auth0", user_id: service.ada.userId };
    const path = `/api/v2/users/${encodeURIComponent(primaryId)}/identities`;
    expect((await service.manage("POST", path, link)).status).toBe(201);
    await addPasskey();
    expect((await claimsOf(await signInByPasskey()))["sub"]).toBe(primaryId);
  });

  test("of a client without the connection is rejected", async () => {
    await addPasskey();
    const [connection] = list(await service.manage("GET", `/api/v2/connections?name=${databaseName}`));
    const other = await service.manage.create("/api/v2/connections", {
      name: "partners",
      strategy: "auth0",
      enabled_clients: [service.spa.clientId],
      options: { authentication_methods: { password: { enabled: true }, passkey: { enabled: true } } },
    });
    expect(other["id"]).not.toBe(connection?.["id"]);
    await service.manage("PATCH", `/api/v2/connections/${String(connection?.["id"])}`, { enabled_clients: [service.web.clientId] });
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.spa));
    await expectRejected(await usePasskey(browser, state));
  });
});

/** Enrolls an authenticator app under the policy `all-applications`. The policy is removed again. */
async function withApp(): Promise<{ readonly secret: string }> {
  await setPolicies(service, ["all-applications"]);
  const enrolled = await enrollApp(service, service.browser());
  await setPolicies(service, []);
  service.clock.advance("60s");
  return enrolled;
}

/** Signs in with the password and a code, adds a passkey and completes the login. */
async function addPasskeyAfterCode(browser: Browser, state: string, secret: string): Promise<void> {
  await setPolicies(service, ["all-applications"]);
  await signInByPassword(browser, state);
  const offered = screenOf(await submitStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) }));
  expect(offered["name"]).toBe("add-passkey");
  const options = creationOptionsSchema.parse(offered["publicKey"]);
  codeOf(await submitStep(browser, state, { action: "add-passkey", response: JSON.stringify(await device.create(options)) }));
  await setPolicies(service, []);
}

describe("a passkey that is offered after the sign-in", () => {
  test("is added with a mail and an audit event, and signs in from then on", async () => {
    await addPasskey();
    expect(service.outbox.take(service.ada.email)).toMatchObject({ subject: "A sign-in method was added to your account" });
    const [event] = await auditEvents(service.manage, "gd_enrollment_complete");
    expect(event).toMatchObject({ user_id: service.ada.userId, details: { authenticator: { type: "passkey" } } });
    expect((await claimsOf(await signInByPasskey()))["sub"]).toBe(service.ada.userId);
  });

  test("is not offered to a browser that cannot create passkeys", async () => {
    const browser = service.browser();
    const state = await start(browser);
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    codeOf(await submitStep(browser, state, { action: "sign-in", password: service.ada.password }));
  });

  test("is not offered again for 30 days in the browser in which the user declined it, but to other users", async () => {
    const browser = service.browser();
    const state = await start(browser);
    expect(screenName(await signInByPassword(browser, state))).toBe("add-passkey");
    codeOf(await submitStep(browser, state, { action: "decline-passkey" }));
    const again = { prompt: "login" };
    codeOf(await signInByPassword(browser, await start(browser, again)));
    const elsewhere = service.browser();
    expect(screenName(await signInByPassword(elsewhere, await start(elsewhere)))).toBe("add-passkey");
    expect(screenName(await signInByPassword(browser, await start(browser, again), service.bob))).toBe("add-passkey");
  });

  test("is not offered to a user who has one, or if the connection does not offer it", async () => {
    await addPasskey();
    const browser = service.browser();
    codeOf(await signInByPassword(browser, await start(browser)));
    await setOptions({ passkey_options: { progressive_enrollment_enabled: false } });
    const other = service.browser();
    codeOf(await signInByPassword(other, await start(other), service.bob));
  });

  test("is offered to a user with factors only if they passed one in this login", async () => {
    const { secret } = await withApp();
    const browser = service.browser();
    codeOf(await signInByPassword(browser, await start(browser)));
    const other = service.browser();
    await addPasskeyAfterCode(other, await start(other), secret);
  });

  test("does not interrupt silent authentication", async () => {
    const browser = service.browser();
    const state = await start(browser);
    await signInByPassword(browser, state);
    const silent = await sendAuthorization(browser, service.web, { prompt: "none" });
    expect(successParameters(silent)).toHaveProperty("code");
  });

  test("may be created without a prompt and without a verified user, and then verifies the user at the sign-in", async () => {
    const browser = service.browser();
    const state = await start(browser);
    const options = creationOptionsSchema.parse(screenOf(await signInByPassword(browser, state))["conditional"]);
    const unverified = { userVerified: false, userPresent: false };
    const response = JSON.stringify(await device.create(options, unverified));
    const rejected = await sendStep(browser, state, { action: "add-passkey", response });
    await expectRejected(rejected);
    const fresh = creationOptionsSchema.parse(screenOf(await getFlow(browser, state))["conditional"]);
    const created = JSON.stringify(await device.create(fresh, unverified));
    codeOf(await submitStep(browser, state, { action: "add-passkey", response: created, mode: "conditional" }));
    const next = service.browser();
    await expectRejected(await usePasskey(next, await start(next), unverified));
    await signInByPasskey();
  });

  test.each([
    ["no verified user", { userVerified: false }],
    ["another origin", { origin: "https://evil.example.test" }],
    ["another RP ID", { rpId: "evil.example.test" }],
    ["the response of an authentication", { clientDataType: "webauthn.get" }],
    ["an algorithm that was not offered", { key: "ES384" }],
    ["a credential id that is too long", { credentialIdLength: 1024 }],
  ] as const)("is rejected with %s, and the login continues", async (_, behavior) => {
    const browser = service.browser();
    const state = await start(browser);
    const options = creationOptionsSchema.parse(screenOf(await signInByPassword(browser, state))["publicKey"]);
    await expectRejected(
      await sendStep(browser, state, { action: "add-passkey", response: JSON.stringify(await device.create(options, behavior)) }),
    );
    codeOf(await submitStep(browser, state, { action: "decline-passkey" }));
    expect(await auditEvents(service.manage, "gd_webauthn_enrollment_failed")).toHaveLength(1);
  });

  test("is rejected if another user has the credential", async () => {
    await addPasskey();
    const credentialId = device.credentials[0]?.id ?? "";
    const browser = service.browser();
    const state = await start(browser);
    const options = creationOptionsSchema.parse(screenOf(await signInByPassword(browser, state, service.bob))["publicKey"]);
    const response = JSON.stringify(await device.create(options, { credentialId: new Uint8Array(Buffer.from(credentialId, "base64url")) }));
    await expectRejected(await sendStep(browser, state, { action: "add-passkey", response }));
  });

  test("is offered for this device after a sign-in with the passkey of another device", async () => {
    await addPasskey();
    const browser = service.browser();
    const state = await start(browser);
    const options = await requested(browser, state);
    if (options === undefined) throw new Error("no options");
    const remote = { ...(await device.get(options)), authenticatorAttachment: "cross-platform" };
    const reply = await submitStep(browser, state, { action: "use-passkey", response: JSON.stringify(remote), passkeys: "available" });
    const screen = screenOf(reply);
    expect(screen).toMatchObject({ name: "add-passkey", isNewDevice: true });
    expect(screen).not.toHaveProperty("conditional");
    const creation = creationOptionsSchema.parse(screen["publicKey"]);
    expect(creation.excludeCredentials).toMatchObject([{ id: device.credentials[0]?.id }]);
    const laptop = createSoftwareAuthenticator({ origin: "https://id.example.test" });
    codeOf(await submitStep(browser, state, { action: "add-passkey", response: JSON.stringify(await laptop.create(creation)) }));
    expect(laptop.credentials[0]?.userHandle).toBe(device.credentials[0]?.userHandle);
  });
});

describe("the pages after a sign-in", () => {
  test("report the passkeys that an administrator left, and nothing for a user who never had a factor", async () => {
    await addPasskey();
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authenticators`);
    const shown = async (account = service.ada): Promise<string> => {
      const browser = service.browser();
      const state = await start(browser);
      expect(screenName(await signInByPassword(browser, state, account))).toBe("add-passkey");
      return (await openStep(browser, state)).text();
    };
    expect(await shown()).toMatch(/data-accepted-credentials="[^"]*allAcceptedCredentialIds&quot;:\[\]/);
    expect(await shown(service.bob)).not.toMatch(/<div hidden data-accepted-credentials/);
  });

  test("report the passkeys also if the sign-in redirected at once: the next page in its session does", async () => {
    await addPasskey();
    const accepted = async (browser: Browser): Promise<unknown> => {
      const page = await (await openStep(browser, await start(browser, { prompt: "login" }))).text();
      const [, text] = /<div hidden data-accepted-credentials="([^"]*)"/.exec(page) ?? [];
      return text === undefined ? undefined : JSON.parse(text.replaceAll("&quot;", '"'));
    };
    const browser = service.browser();
    await signInByPasskey(browser);
    const id = device.credentials[0]?.id;
    expect(await accepted(browser)).toMatchObject({ rpId: "id.example.test", allAcceptedCredentialIds: [id] });
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authenticators`);
    const later = service.browser();
    const state = await start(later);
    await submitStep(later, state, { action: "continue", identifier: service.ada.email });
    codeOf(await submitStep(later, state, { action: "sign-in", password: service.ada.password }));
    expect(await accepted(later)).toMatchObject({ allAcceptedCredentialIds: [] });
    expect(await accepted(service.browser())).toBeUndefined();
  });
});

describe("a passkey as the factor that a policy requires", () => {
  const setCounts = async (passkey_counts_as_factor: boolean): Promise<void> => {
    const { status } = await service.manage("PATCH", "/api/v2/tenants/settings", { passkey_counts_as_factor });
    expect(status).toBe(200);
  };

  /** Signs in with the password, up to the factors that the user can add. */
  async function enroll(browser: Browser) {
    const state = await start(browser);
    const { name, options } = screenOf(await signInByPassword(browser, state));
    expect(name).toBe("add-factor");
    return { state, options };
  }

  async function choose(browser: Browser, state: string): Promise<CreationOptions> {
    const screen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "passkey" }));
    expect(screen).toMatchObject({ name: "add-factor", factor: "passkey" });
    return creationOptionsSchema.parse(screen["publicKey"]);
  }

  beforeEach(async () => {
    await setPolicies(service, ["all-applications"]);
  });

  test("is offered first, added with a recovery code, and then suffices at a sign-in", async () => {
    const browser = service.browser();
    const { state, options } = await enroll(browser);
    expect(options).toEqual(["passkey", "totp", "phone"]);
    const creation = await choose(browser, state);
    expect(creation.authenticatorSelection).toMatchObject({ residentKey: "required", userVerification: "required" });
    const added = await submitStep(browser, state, { action: "confirm-key", response: JSON.stringify(await device.create(creation)) });
    expect(screenName(added)).toBe("recovery-code");
    const claims = await claimsOf(codeOf(await submitStep(browser, state, { action: "recovery-code-stored" })));
    expect(claims).toMatchObject({ amr: ["pwd", "pop", "user", "mfa"] });
    expect(service.outbox.take(service.ada.email)).toMatchObject({ subject: "A sign-in method was added to your account" });
    expect(await claimsOf(await signInByPasskey())).toMatchObject({ amr: ["pop", "user", "mfa"] });
  });

  test("must verify the user", async () => {
    const browser = service.browser();
    const { state } = await enroll(browser);
    const response = JSON.stringify(await device.create(await choose(browser, state), { userVerified: false }));
    await expectRejected(await sendStep(browser, state, { action: "confirm-key", response }));
    expect(await sessionCount()).toBe(0);
  });

  test("satisfies acr_values=phr", async () => {
    await setPolicies(service, []);
    const browser = service.browser();
    const state = await start(browser, phr);
    expect(screenOf(await signInByPassword(browser, state))["options"]).toEqual(["passkey"]);
  });

  test("is not offered if it does not count as one, or if the connection does not enable it", async () => {
    await setCounts(false);
    expect((await enroll(service.browser())).options).toEqual(["totp", "phone"]);
    await setCounts(true);
    await setOptions({ authentication_methods: { password: { enabled: true }, passkey: { enabled: false } } });
    service.clock.advance("10s");
    expect((await enroll(service.browser())).options).toEqual(["totp", "phone"]);
  });
});

describe("a sign-up with a passkey", () => {
  const email = "eve@example.test";

  /** Starts to sign up with a passkey. @returns the options for the browser. */
  async function startSignUp(browser: Browser, address = email) {
    const state = await start(browser, { screen_hint: "signup" });
    const screen = screenOf(await submitStep(browser, state, { action: "choose-passkey", email: address }));
    expect(screen).toMatchObject({ name: "create-passkey", identifier: address });
    return { state, options: creationOptionsSchema.parse(screen["publicKey"]) };
  }

  test("creates an account without a password, whose email address a code verifies", async () => {
    const browser = service.browser();
    const { state, options } = await startSignUp(browser);
    expect(options.user.name).toBe(email);
    const response = JSON.stringify(await device.create(options));
    expect(screenName(await submitStep(browser, state, { action: "create-passkey", response }))).toBe("code");
    const code = codeIn(service.outbox.take(email));
    const { sub } = await claimsOf(codeOf(await submitStep(browser, state, { action: "enter-code", code })));
    const [user] = await service.data.collections.users.find({ where: { tenant_id: "main", user_id: String(sub) }, limit: 1 });
    expect(user).toMatchObject({ email, email_verified: true, password_id: null, enrolled_factors: ["passkey"] });
    expect((await claimsOf(await signInByPasskey()))["sub"]).toBe(sub);
    const [event] = await auditEvents(service.manage, "ss");
    expect(event).toMatchObject({ details: { authentication_methods: ["passkey"] } });
  });

  test.each([[[]], [["all-applications"]]])("counts as a sign-in with the passkey, also with the policies %j", async (policies) => {
    await setPolicies(service, policies);
    const browser = service.browser();
    const { state, options } = await startSignUp(browser);
    await submitStep(browser, state, { action: "create-passkey", response: JSON.stringify(await device.create(options)) });
    const created = service.clock.now();
    service.clock.advance("2m");
    const reply = await submitStep(browser, state, { action: "enter-code", code: codeIn(service.outbox.take(email)) });
    expect(await claimsOf(codeOf(reply))).toMatchObject({ amr: ["pop", "user", "mfa"], auth_time: Math.floor(created / 1000) });
  });

  test("does not count if another factor must follow a passkey, and no email to the same mailbox is one", async () => {
    expect((await service.manage("PATCH", "/api/v2/tenants/settings", { passkey_counts_as_factor: false })).status).toBe(200);
    await setPolicies(service, ["all-applications"]);
    const browser = service.browser();
    const { state, options } = await startSignUp(browser);
    await submitStep(browser, state, { action: "create-passkey", response: JSON.stringify(await device.create(options)) });
    const reply = await submitStep(browser, state, { action: "enter-code", code: codeIn(service.outbox.take(email)) });
    expect(screenOf(reply)).toMatchObject({ name: "add-factor", options: ["totp", "phone"] });
  });

  test("does not reveal that an account exists, and gives no access to it", async () => {
    const browser = service.browser();
    const { state, options } = await startSignUp(browser, service.ada.email);
    const response = JSON.stringify(await device.create(options));
    expect(screenName(await submitStep(browser, state, { action: "create-passkey", response }))).toBe("code");
    expect(service.outbox.take(service.ada.email)).toMatchObject({ subject: expect.not.stringContaining("code") });
    const other = service.browser();
    await expectRejected(await usePasskey(other, await start(other)));
    const [ada] = await service.data.collections.users.find({ where: { tenant_id: "main", user_id: service.ada.userId }, limit: 1 });
    expect(ada?.enrolled_factors).toBeNull();
  });

  test("gives the account to the owner of the email address, without the passkey of another visitor", async () => {
    const browser = service.browser();
    const { state, options } = await startSignUp(browser);
    await submitStep(browser, state, { action: "create-passkey", response: JSON.stringify(await device.create(options)) });
    service.outbox.take(email);

    const owner = service.browser();
    const reset = await start(owner);
    await submitStep(owner, reset, { action: "continue", identifier: email });
    await submitStep(owner, reset, { action: "forgot-password" });
    await submitStep(owner, reset, { action: "send-reset", identifier: email });
    await submitStep(owner, reset, { action: "enter-code", code: codeIn(service.outbox.take(email)) });
    codeOf(await submitStep(owner, reset, { action: "set-password", password: "a new password of the owner" }));

    const other = service.browser();
    await expectRejected(await usePasskey(other, await start(other)));
    // The first visitor can neither set a password nor add another passkey.
    await submitStep(browser, state, { action: "change-address" });
    const again = creationOptionsSchema.parse(screenOf(await getFlow(browser, state))["publicKey"]);
    await submitStep(browser, state, { action: "create-passkey", response: JSON.stringify(await device.create(again)) });
    await expectRejected(await usePasskey(other, await start(other)));
    const [user] = await service.data.collections.users.find({ where: { tenant_id: "main", email }, limit: 1 });
    expect(user?.enrolled_factors ?? []).toEqual([]);
  });

  test("creates one account if the visitor goes back and creates the passkey again", async () => {
    const browser = service.browser();
    const { state, options } = await startSignUp(browser);
    await submitStep(browser, state, { action: "create-passkey", response: JSON.stringify(await device.create(options)) });
    service.outbox.take(email);
    await submitStep(browser, state, { action: "change-address" });
    const again = creationOptionsSchema.parse(screenOf(await getFlow(browser, state))["publicKey"]);
    await submitStep(browser, state, { action: "create-passkey", response: JSON.stringify(await device.create(again)) });
    const users = await service.data.collections.users.find({ where: { tenant_id: "main", email }, limit: 10 });
    expect(users).toHaveLength(1);
    expect(await service.data.collections.factors.count({ tenant_id: "main", user_id: users[0]?.user_id ?? "" })).toBe(1);
    codeOf(await submitStep(browser, state, { action: "enter-code", code: codeIn(service.outbox.take(email)) }));
    await signInByPasskey();
  });

  test("lets the visitor choose a password instead", async () => {
    const browser = service.browser();
    const { state } = await startSignUp(browser);
    expect(screenOf(await submitStep(browser, state, { action: "choose-password" }))).toMatchObject({ name: "sign-up", typed: { email } });
    const made = await submitStep(browser, state, { action: "make-account", email, password: "correct horse battery" });
    expect(screenName(made)).toBe("code");
  });

  test("sets a password after a passkey was created for the same email address", async () => {
    const browser = service.browser();
    const { state, options } = await startSignUp(browser);
    await submitStep(browser, state, { action: "create-passkey", response: JSON.stringify(await device.create(options)) });
    service.outbox.take(email);
    await submitStep(browser, state, { action: "change-address" });
    await submitStep(browser, state, { action: "choose-password" });
    await submitStep(browser, state, { action: "make-account", email, password: "correct horse battery" });
    codeOf(await submitStep(browser, state, { action: "enter-code", code: codeIn(service.outbox.take(email)) }));
    const other = service.browser();
    const next = await start(other);
    await submitStep(other, next, { action: "continue", identifier: email });
    codeOf(await submitStep(other, next, { action: "sign-in", password: "correct horse battery" }));
  });

  test("rejects invalid identifiers and a connection without passkeys", async () => {
    const browser = service.browser();
    const state = await start(browser, { screen_hint: "signup" });
    for (const sent of [{}, { email: "eve@" }])
      expect((await sendStep(browser, state, { action: "choose-passkey", ...sent })).status).toBe(400);
    await setOptions({ authentication_methods: { password: { enabled: true }, passkey: { enabled: false } } });
    expect(screenOf(await getFlow(browser, state))).not.toHaveProperty("passkey");
    expect(screenName(await submitStep(browser, state, { action: "choose-passkey", email }))).toBe("sign-up");
  });

  test.each([
    ["no verified user", { userVerified: false }],
    ["another origin", { origin: "https://evil.example.test" }],
    ["another challenge", { challenge: "A".repeat(43) }],
  ] as const)("creates no account with %s", async (_, behavior) => {
    const browser = service.browser();
    const { state, options } = await startSignUp(browser);
    const response = JSON.stringify(await device.create(options, behavior));
    await expectRejected(await sendStep(browser, state, { action: "create-passkey", response }));
    expect(await service.data.collections.users.count({ tenant_id: "main", email })).toBe(0);
  });
});

test("a user whose only factors are passkeys can reset a forgotten password without them, unless a policy requires a factor", async () => {
  await addPasskey();
  service.outbox.take(service.ada.email);
  for (const [policies, next] of [
    [[], "new-password"],
    [["all-applications"], "factor"],
  ] as const) {
    await setPolicies(service, policies);
    const browser = service.browser();
    const state = await start(browser);
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "forgot-password" });
    await submitStep(browser, state, { action: "send-reset", identifier: service.ada.email });
    expect(
      screenName(await submitStep(browser, state, { action: "enter-code", code: codeIn(service.outbox.take(service.ada.email)) })),
    ).toBe(next);
  }
});

test("a client that requires a phishing-resistant factor gets an error if the user cannot add one", async () => {
  await setOptions({ authentication_methods: { password: { enabled: true }, passkey: { enabled: false } } });
  const browser = service.browser();
  const claims = JSON.stringify({ id_token: { acr: { essential: true, value: "phr" } } });
  const state = await start(browser, { claims });
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  const reply = await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
  expect(errorParameters(redirectOf(reply))).toMatchObject({ error: "unmet_authentication_requirements" });
});
