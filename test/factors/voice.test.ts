import { afterEach, describe, expect, test, vi } from "vitest";
import type { LogEntry, SmsSender } from "@postern/core";
import { auditEvents, expectError, jsonBody, list, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { getFlow, redirectOf, screenName, sendStep, submitStep, successParameters } from "../support/flow.ts";
import { codeOf, differentCode, type Outbox } from "../support/outbox.ts";
import type { TestOptions } from "../support/postern.ts";
import { oobGrant, openMfaService, type MfaService } from "./mfa-api-support.ts";
import { openFactorService, screenOf, signInToFactor, type FactorService } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
});

const phone = "+491701234567";
const withCalls = ({ phone: sms }: Outbox): TestOptions["messages"] => ({ sms });

async function setMessageTypes({ manage }: FactorService, message_types: readonly string[]): Promise<void> {
  jsonBody(await manage("PUT", "/api/v2/guardian/factors/phone/message-types", { message_types }));
}

async function openCallService(message_types: readonly string[] = ["sms", "voice"], sms?: SmsSender): Promise<FactorService> {
  const service = await openFactorService({}, (outbox) => (sms ? { sms } : withCalls(outbox)));
  await setMessageTypes(service, message_types);
  return service;
}

/** Enrolls a phone for Ada, with a preferred channel. */
async function enrollPhone({ manage, ada }: FactorService, channel: "sms" | "voice" = "sms"): Promise<void> {
  const body = { type: "phone", name: "Mobile", phone_number: phone, preferred_authentication_method: channel };
  await manage.create(`/api/v2/users/${encodeURIComponent(ada.userId)}/authentication-methods`, body);
}

/** Signs in up to the phone, and requests a code. */
async function requestCode(service: FactorService, browser: Browser): Promise<{ readonly state: string; readonly screen: JsonBody }> {
  const { state } = await signInToFactor(service, browser);
  return { state, screen: screenOf(await submitStep(browser, state, { action: "send-factor-code" })) };
}

function lastCall({ outbox }: FactorService) {
  const call = outbox.calls.at(-1);
  if (call === undefined) throw new Error("no call");
  return call;
}

const texts = ({ outbox }: FactorService): number => outbox.sent.filter(({ to }) => to === phone).length;

describe("a code by voice call", () => {
  test("is spoken digit by digit in the user's language, and signs the user in once", async () => {
    const service = await openCallService();
    await enrollPhone(service, "voice");
    const browser = service.browser();
    const { state, screen } = await requestCode(service, browser);
    expect(screen).toMatchObject({ factor: "phone", sent: true, channel: "voice", otherChannel: "sms" });
    const { code = "", ...call } = lastCall(service);
    const spoken = code.split("").join(", ");
    expect(code).toMatch(/^\d{6}$/);
    expect(call).toEqual({
      tenantId: "main",
      template: "mfa_oob_code",
      to: phone,
      language: "en",
      text: expect.stringContaining(`is ${spoken}. Once more: ${spoken}.`),
    });
    expect(texts(service)).toBe(0);
    expect(await auditEvents(service.manage, "gd_send_voice")).toHaveLength(1);
    const wrong = await sendStep(browser, state, { action: "enter-factor-code", code: differentCode(code) });
    expect(await wrong.json()).toMatchObject({ error: "invalid_grant" });
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
    const other = service.browser();
    const { state: next } = await signInToFactor(service, other);
    expect(await (await sendStep(other, next, { action: "enter-factor-code", code })).json()).toMatchObject({ error: "invalid_grant" });
  });

  test("is in the language that the authorization request prefers", async () => {
    const service = await openCallService();
    await service.manage("PATCH", "/api/v2/tenants/settings", { enabled_locales: ["en", "de"] });
    service.clock.advance("10s");
    await enrollPhone(service, "voice");
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser, { ui_locales: "de" });
    await submitStep(browser, state, { action: "send-factor-code" });
    expect(lastCall(service)).toMatchObject({ language: "de", text: expect.stringMatching(/^Ihr Bestätigungscode/) });
  });

  test("replaces a text message and is replaced by one, and another code comes in the same way", async () => {
    const service = await openCallService();
    await enrollPhone(service);
    const browser = service.browser();
    const { state, screen } = await requestCode(service, browser);
    expect(screen).toMatchObject({ channel: "sms", otherChannel: "voice" });
    const called = screenOf(await submitStep(browser, state, { action: "send-factor-code", channel: "voice" }));
    expect(called).toMatchObject({ channel: "voice", otherChannel: "sms" });
    await submitStep(browser, state, { action: "send-factor-code" });
    expect([service.outbox.calls.length, texts(service)]).toEqual([2, 1]);
    const texted = screenOf(await submitStep(browser, state, { action: "send-factor-code", channel: "sms" }));
    expect(texted).toMatchObject({ channel: "sms", otherChannel: "voice" });
    const code = codeOf(service.outbox.take(phone));
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
  });

  test("counts in the same budget as text messages", async () => {
    const service = await openCallService();
    await enrollPhone(service);
    const browser = service.browser();
    const { state } = await requestCode(service, browser);
    let status = 200;
    for (let sent = 1; status === 200 && sent < 50; sent++) {
      const channel = sent % 2 === 0 ? "sms" : "voice";
      ({ status } = await sendStep(browser, state, { action: "send-factor-code", channel }));
    }
    expect(status).toBe(429);
    const sent = service.outbox.calls.length + texts(service);
    for (const channel of ["sms", "voice"] as const)
      expect((await sendStep(browser, state, { action: "send-factor-code", channel })).status).toBe(429);
    expect(service.outbox.calls.length + texts(service)).toBe(sent);
    const plain = await openFactorService();
    await enrollPhone(plain);
    const visitor = plain.browser();
    const { state: other } = await requestCode(plain, visitor);
    while ((await sendStep(visitor, other, { action: "send-factor-code" })).status === 200);
    expect(texts(plain)).toBe(sent);
  });

  test("is requested with a form that works without JavaScript", async () => {
    const service = await openCallService();
    await enrollPhone(service);
    const browser = service.browser();
    const { state } = await requestCode(service, browser);
    const html = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(html).toMatch(
      /<input type="hidden" name="channel" value="voice"\/?>\s*<button type="submit" name="action" value="send-factor-code"/,
    );
    expect(html).toContain("Call me instead");
    await submitStep(browser, state, { action: "send-factor-code", channel: "voice" });
    const called = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    for (const text of ["Text me instead", "Call again", "Enter the code from our call to"]) expect(called).toContain(text);
  });

  test("confirms a new phone, which gets calls from then on", async () => {
    const service = await openCallService();
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "choose-new-factor", factor: "phone" });
    const entered = screenOf(await submitStep(browser, state, { action: "enter-phone", phone }));
    expect(entered).toMatchObject({ sent: true, channel: "sms", otherChannel: "voice" });
    const called = screenOf(await submitStep(browser, state, { action: "send-new-factor-code", channel: "voice" }));
    expect(called).toMatchObject({ sent: true, channel: "voice", otherChannel: "sms" });
    expect(screenName(await submitStep(browser, state, { action: "confirm-new-factor", code: codeOf(lastCall(service)) }))).toBe(
      "recovery-code",
    );
    const { screen } = await requestCode(service, service.browser());
    expect(screen).toMatchObject({ channel: "voice" });
    expect(service.outbox.calls).toHaveLength(2);
  });
});

describe("a tenant's phone message types", () => {
  test("send calls instead of text messages if only voice is enabled", async () => {
    const service = await openCallService(["voice"]);
    await enrollPhone(service);
    const browser = service.browser();
    const { state, screen } = await requestCode(service, browser);
    expect(screen).toMatchObject({ channel: "voice" });
    expect(screen).not.toHaveProperty("otherChannel");
    await submitStep(browser, state, { action: "send-factor-code", channel: "sms" });
    expect([service.outbox.calls.length, texts(service)]).toEqual([2, 0]);
  });

  test.each([[["sms"]], [[]]])("send only text messages for %j", async (types) => {
    const service = await openCallService(types);
    await enrollPhone(service, "voice");
    const browser = service.browser();
    const { state, screen } = await requestCode(service, browser);
    expect(screen).not.toHaveProperty("channel");
    await submitStep(browser, state, { action: "send-factor-code", channel: "voice" });
    expect([service.outbox.calls.length, texts(service)]).toEqual([0, 2]);
  });

  test.each([[["sms", "voice"]], [["voice"]]])("send text messages for %j if the host places no calls", async (types) => {
    const service = await openFactorService();
    await setMessageTypes(service, types);
    await enrollPhone(service, "voice");
    const browser = service.browser();
    const { state, screen } = await requestCode(service, browser);
    expect(screen).not.toHaveProperty("channel");
    expect(screen).not.toHaveProperty("otherChannel");
    const html = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(html).not.toContain("Call me");
    await submitStep(browser, state, { action: "send-factor-code", channel: "voice" });
    expect(texts(service)).toBe(2);
  });

  test("let the user continue by text message if calls are disabled during a sign-in", async () => {
    const service = await openCallService();
    await enrollPhone(service, "voice");
    const browser = service.browser();
    const { state } = await requestCode(service, browser);
    await setMessageTypes(service, ["sms"]);
    service.clock.advance("10s");
    expect(screenOf(await getFlow(browser, state))).not.toHaveProperty("channel");
    await submitStep(browser, state, { action: "send-factor-code" });
    const code = codeOf(service.outbox.take(phone));
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
  });
});

describe("a call that fails", () => {
  test("writes an audit event and a warning without the code, and the user can get a text message", async () => {
    const sent: string[] = [];
    const sms: SmsSender = {
      send: async ({ code = "" }) => void sent.push(code),
      call: ({ to, text, code }) => Promise.reject(new Error(`no route to ${to}: ${text} ${code}`)),
    };
    const entries: LogEntry[] = [];
    const service = await openFactorService({ logger: { log: (entry) => void entries.push(entry) } }, () => ({ sms }));
    await setMessageTypes(service, ["sms", "voice"]);
    await enrollPhone(service, "voice");
    const browser = service.browser();
    const { state } = await requestCode(service, browser);
    const failed = await auditEvents(service.manage, "fn");
    expect(failed).toMatchObject([{ details: { channel: "voice", template: "mfa_oob_code", reason: "failed" } }]);
    const warnings = entries.filter(({ event }) => event === "call_failed");
    expect(warnings).toMatchObject([{ level: "warn", reason: "failed", template: "mfa_oob_code" }]);
    expect(JSON.stringify([failed, warnings])).not.toMatch(/\d, \d|\b\d{6}\b/);
    expect(JSON.stringify(warnings)).not.toContain(phone);
    await submitStep(browser, state, { action: "send-factor-code", channel: "sms" });
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: sent[0] ?? "" })));
  });

  test("times out after ten seconds if the sender does not respond, and the user can get a text message", async () => {
    const sent: string[] = [];
    const sms: SmsSender = { send: async ({ code = "" }) => void sent.push(code), call: () => new Promise<void>(() => {}) };
    const service = await openCallService(["sms", "voice"], sms);
    await enrollPhone(service);
    const browser = service.browser();
    const { state } = await requestCode(service, browser);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const called = submitStep(browser, state, { action: "send-factor-code", channel: "voice" });
    let isDone = false;
    void called.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await vi.advanceTimersByTimeAsync(1000);
      await new Promise(setImmediate);
    }
    expect(screenOf(await called)).toMatchObject({ channel: "voice" });
    vi.useRealTimers();
    expect(await auditEvents(service.manage, "fn")).toMatchObject([{ details: { channel: "voice", reason: "no-answer" } }]);
    await submitStep(browser, state, { action: "send-factor-code", channel: "sms" });
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: sent.at(-1) ?? "" })));
  });
});

describe("the MFA API", () => {
  const voice = { authenticator_types: ["oob"], oob_channels: ["voice"], phone_number: phone };
  const start = async (service: MfaService): Promise<string> => stringMember(await service.begin(), "mfa_token");

  async function openVoiceApi(message_types: readonly string[] = ["sms", "voice"]): Promise<MfaService> {
    const service = await openMfaService({}, withCalls);
    await setMessageTypes(service, message_types);
    return service;
  }

  async function enrollByCall(service: MfaService): Promise<string> {
    const mfa_token = await start(service);
    const added = jsonBody(await service.associate(mfa_token, voice));
    expect(added).toMatchObject({ authenticator_type: "oob", oob_channel: "voice", id: expect.stringMatching(/^phone\|dev_/) });
    const binding_code = codeOf(lastCall(service));
    const parameters = { mfa_token, oob_code: stringMember(added, "oob_code"), binding_code };
    jsonBody(await service.grant(oobGrant, parameters));
    return stringMember(added, "id");
  }

  test("adds a phone by call, lists its channels, and calls it by default", async () => {
    const service = await openVoiceApi();
    const id = await enrollByCall(service);
    const mfa_token = await start(service);
    const authenticators = list(await service.authenticators(mfa_token));
    expect(authenticators.find((one) => one["id"] === id)).toMatchObject({ oob_channel: "voice", oob_channels: ["voice", "sms"] });
    const { oob_code } = jsonBody(await service.challenge(mfa_token, { authenticator_id: id }));
    expect([service.outbox.calls.length, texts(service)]).toEqual([2, 0]);
    const parameters = { mfa_token, oob_code: String(oob_code), binding_code: codeOf(lastCall(service)) };
    jsonBody(await service.grant(oobGrant, parameters));
    expectError(await service.grant(oobGrant, parameters), 401, "expired_token");
  });

  test("uses the channel that the id of the authenticator names", async () => {
    const service = await openVoiceApi();
    const id = await enrollByCall(service);
    const mfa_token = await start(service);
    jsonBody(await service.challenge(mfa_token, { authenticator_id: id.replace("phone", "voice") }));
    expect([service.outbox.calls.length, texts(service)]).toEqual([2, 0]);
    const { oob_code } = jsonBody(await service.challenge(mfa_token, { authenticator_id: id.replace("phone", "sms") }));
    expect([service.outbox.calls.length, texts(service)]).toEqual([2, 1]);
    const binding_code = codeOf(service.outbox.take(phone));
    jsonBody(await service.grant(oobGrant, { mfa_token, oob_code: String(oob_code), binding_code }));
  });

  test("rejects the channels that the tenant does not offer", async () => {
    const service = await openVoiceApi(["sms"]);
    expectError(await service.associate(await start(service), voice), 400, "invalid_request", "oob_channels");
    await setMessageTypes(service, ["voice"]);
    service.clock.advance("10s");
    expectError(
      await service.associate(await start(service), { ...voice, oob_channels: ["sms"] }),
      400,
      "invalid_request",
      "voice or email",
    );
    const id = await enrollByCall(service);
    const mfa_token = await start(service);
    expectError(await service.challenge(mfa_token, { authenticator_id: id.replace("phone", "sms") }), 404, "not_found");
    expect(list(await service.authenticators(mfa_token)).find((one) => one["id"] === id)).toMatchObject({ oob_channels: ["voice"] });
    expect(texts(service)).toBe(0);
  });

  test("refuses calls if the host places none", async () => {
    const service = await openMfaService();
    await setMessageTypes(service, ["sms", "voice"]);
    expectError(await service.associate(await start(service), voice), 400, "invalid_request", "this tenant offers no voice calls");
    await enrollPhone(service, "voice");
    const mfa_token = await start(service);
    const found = list(await service.authenticators(mfa_token)).find(({ type }) => type === "phone");
    expect(found).toMatchObject({ oob_channel: "sms", oob_channels: ["sms"] });
    const id = String(found?.["id"]);
    for (const channel of ["voice", "sms"])
      expectError(await service.challenge(mfa_token, { authenticator_id: id.replace("phone", channel) }), 404, "not_found");
    jsonBody(await service.challenge(mfa_token, { authenticator_id: id }));
    expect(texts(service)).toBe(1);
  });
});
