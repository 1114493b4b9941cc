import { beforeEach, describe, expect, test } from "vitest";
import { addPhone, openSecurity, submitSecurity } from "../account/support.ts";
import { auditEvents, expectError, jsonBody, managerOf, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import {
  getFlow,
  openStep,
  sendAuthorization,
  sendForm,
  sendStep,
  signInAtLoginPage,
  submitStep,
  type TestAccount,
} from "../support/flow.ts";
import { openLink, submitLinkForm } from "../support/links.ts";
import { codeOf } from "../support/outbox.ts";
import { clientSecret, type ApiResponse, type TestOptions } from "../support/postern.ts";
import { oobGrant, openMfaService, otpGrant, type MfaService } from "./mfa-api-support.ts";
import { screenOf, setPolicies, signInToFactor } from "./support.ts";

const phone = "+491701234567";
const message = "Too many codes were requested for new phone numbers. Try again later.";
const pageText = "We can’t send more codes to new phone numbers for now. Use the latest code or try again in an hour.";

let service: MfaService;

beforeEach(async () => {
  service = await openMfaService();
});

const reopen = async (limits: TestOptions["limits"]): Promise<void> => {
  service = await openMfaService({ ...(limits && { limits }) });
};

/** Returns a number. Numbers of different ranges have different first six digits. */
const numberIn = (range: number, i = 0): string => `+49${1600 + range}${String(1_000_000 + i)}`;

let users = 0;
/** Adds a user who has no factor. */
const addUser = (): Promise<TestAccount> => service.addUser(`user-${users++}@example.test`);

/** Requests a code to a new number with the MFA API. */
async function requestCode(account: TestAccount, number: string, channel: "sms" | "voice" = "sms"): Promise<ApiResponse> {
  const token = stringMember(await service.begin(account), "mfa_token");
  return service.associate(token, { authenticator_types: ["oob"], oob_channels: [channel], phone_number: number });
}

const statusOf = async (account: TestAccount, number: string): Promise<number> => (await requestCode(account, number)).status;

/** Sends the maximum number of messages of one user, to three numbers of different ranges. */
async function useUpBudgetOf(account: TestAccount): Promise<void> {
  for (let i = 0; i < 6; i++) jsonBody(await requestCode(account, numberIn(100 + (i % 3))));
}

const sentTo = (number: string): number => service.outbox.sent.filter(({ to }) => to === number).length;

/** Returns the events about exceeded limits, oldest first. */
async function events(manage: Manager = service.manage): Promise<readonly unknown[]> {
  return (await newestLast(manage)).map(({ details }) => details);
}

const newestLast = async (manage: Manager): Promise<readonly JsonBody[]> => (await auditEvents(manage, "limit_mu")).toReversed();

describe("a code to a phone number that is not confirmed for the account", () => {
  test("is sent six times an hour for one user", async () => {
    for (let i = 0; i < 6; i++) expect(await statusOf(service.ada, numberIn(1 + (i % 2)))).toBe(200);
    const refused = await requestCode(service.ada, numberIn(1));
    expectError(refused, 429, "TOO_MANY_REQUESTS", message);
    expect(refused.headers.get("retry-after")).toBe("3660");
    expect(await statusOf(service.bob, numberIn(1))).toBe(200);
  });

  test("is sent to three numbers an hour for one user", async () => {
    for (let i = 1; i <= 3; i++) expect(await statusOf(service.ada, numberIn(i))).toBe(200);
    expect([await statusOf(service.ada, numberIn(4)), await statusOf(service.ada, numberIn(3))]).toEqual([429, 200]);
    expect(sentTo(numberIn(4))).toBe(0);
  });

  test("is sent to one number five times an hour, by all users together", async () => {
    for (let i = 0; i < 5; i++) expect(await statusOf(await addUser(), phone)).toBe(200);
    const other = await addUser();
    expect([await statusOf(other, phone), sentTo(phone)]).toEqual([429, 5]);
    // A refused message does not count for the user.
    for (let i = 1; i <= 3; i++) expect(await statusOf(other, numberIn(i))).toBe(200);
  });

  test("is sent to one range of numbers twenty times an hour, by all users together", async () => {
    for (let i = 0; i < 20; i++) expect(await statusOf(await addUser(), numberIn(1, i))).toBe(200);
    const other = await addUser();
    expect([await statusOf(other, numberIn(1, 20)), await statusOf(other, numberIn(2))]).toEqual([429, 200]);
  });

  test("is sent two hundred times an hour for one tenant", async () => {
    for (let i = 0; i < 40; i++) {
      const token = stringMember(await service.begin(await addUser()), "mfa_token");
      const body = { authenticator_types: ["oob"], oob_channels: ["sms"], phone_number: numberIn(i) };
      for (let sent = 0; sent < 5; sent++) jsonBody(await service.associate(token, body));
      // One IP address may request 100 messages in ten minutes.
      if (i === 19) service.clock.advance("10m");
    }
    service.clock.advance("10m");
    expect(await statusOf(await addUser(), numberIn(500))).toBe(429);
    expect(await events()).toMatchObject([{ limit: "newNumberMessagesPerTenant", maximum: 200 }]);
  });

  test("counts a voice call like a text message", async () => {
    service = await openMfaService({}, (outbox) => ({ mail: outbox.mail, sms: outbox.phone }));
    jsonBody(await service.manage("PUT", "/api/v2/guardian/factors/phone/message-types", { message_types: ["sms", "voice"] }));
    service.clock.advance("10s");
    for (let i = 0; i < 5; i++) jsonBody(await requestCode(await addUser(), phone, i % 2 === 0 ? "voice" : "sms"));
    expectError(await requestCode(await addUser(), phone, "voice"), 429, "TOO_MANY_REQUESTS", message);
    expect([service.outbox.calls.length, sentTo(phone)]).toEqual([3, 2]);
  });

  test("is sent again an hour after the minute of the first message", async () => {
    await useUpBudgetOf(service.ada);
    service.clock.advance("60m");
    const refused = await requestCode(service.ada, numberIn(100));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    service.clock.advance("1m");
    await useUpBudgetOf(service.ada);
    expect(await statusOf(service.ada, numberIn(100))).toBe(429);
  });

  test("is limited as the options say", async () => {
    await reopen({ newNumbersPerUser: 1, newNumberMessagesPerUser: 2 });
    expect(await statusOf(service.ada, numberIn(1))).toBe(200);
    expect(await statusOf(service.ada, numberIn(2))).toBe(429);
    expect([await statusOf(service.ada, numberIn(1)), await statusOf(service.ada, numberIn(1))]).toEqual([200, 429]);
    await reopen({ newNumberMessagesPerTenant: 0 });
    expect(await statusOf(service.ada, numberIn(1))).toBe(429);
  });

  test("is counted in rows that contain neither the number nor the user, and that sweep deletes", async () => {
    jsonBody(await requestCode(service.ada, phone));
    const { message_counts: counts } = service.data.collections;
    const all = { expires_at: { gt: 0 } };
    const rows = await counts.find({ where: all, limit: 10 });
    expect(rows).toHaveLength(4);
    for (const text of [phone.slice(1), phone.slice(1, 7), service.ada.userId]) expect(JSON.stringify(rows)).not.toContain(text);
    service.clock.advance("60m");
    await service.postern.jobs.sweep();
    expect(await counts.count(all)).toBe(4);
    service.clock.advance("2m");
    await service.postern.jobs.sweep();
    expect(await counts.count(all)).toBe(0);
  });
});

describe("messages that the limits do not stop", () => {
  test("codes to a confirmed number of the account, which do not count either", async () => {
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authentication-methods`;
    jsonBody(await service.manage("POST", path, { type: "phone", name: "Mobile", phone_number: phone }), 201);
    const challenge = async (): Promise<number> =>
      (await service.challenge(stringMember(await service.begin(service.ada), "mfa_token"))).status;
    for (let i = 0; i < 8; i++) expect(await challenge()).toBe(200);
    for (let i = 0; i < 5; i++) expect(await statusOf(await addUser(), phone)).toBe(200);
    expect([await statusOf(await addUser(), phone), await challenge()]).toEqual([429, 200]);
    expect(sentTo(phone)).toBe(14);
  });

  test("codes that add a confirmed number of the account again", async () => {
    await reopen({ newNumberMessagesPerUser: 1 });
    await setPolicies(service, []);
    const browser = service.browser();
    await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada);
    await addPhone(service, browser, phone);
    const again = await submitSecurity(browser, await openSecurity(browser, { view: "add", type: "phone" }), {
      action: "enter-phone",
      phone,
    });
    expect([again.html.includes(pageText), sentTo(phone)]).toEqual([false, 1]);
    const other = await submitSecurity(browser, await openSecurity(browser, { view: "add", type: "phone" }), {
      action: "enter-phone",
      phone: numberIn(1),
    });
    expect([other.html.includes(pageText), sentTo(numberIn(1))]).toEqual([true, 0]);
  });

  test("codes to the verified number of the account", async () => {
    await reopen({ newNumberMessagesPerUser: 0 });
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
    jsonBody(await service.manage("PATCH", path, { phone_number: phone, phone_verified: false }));
    expect(await statusOf(service.ada, phone)).toBe(429);
    jsonBody(await service.manage("PATCH", path, { phone_verified: true }));
    expect([await statusOf(service.ada, phone), await statusOf(service.ada, numberIn(1))]).toEqual([200, 429]);
  });

  test("login codes", async () => {
    await reopen({ newNumberMessagesPerUser: 0, newNumberMessagesPerTenant: 0 });
    const { id } = await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
    jsonBody(await service.manage("PATCH", `/api/v2/clients/${service.app.clientId}/connections`, [String(id)]));
    const { clientId: client_id } = service.app;
    const body = { client_id, client_secret: clientSecret, connection: "sms", phone_number: phone };
    jsonBody(await service.call("POST", "/passwordless/start", { body }));
    expect(sentTo(phone)).toBe(1);
  });
});

describe("another tenant", () => {
  let other: Manager;
  let userOfOther: TestAccount;

  /** Requests a code to a new number for a user of the other tenant. */
  async function requestInOther(number: string): Promise<ApiResponse> {
    const credentials = { client_id: "app-of-other", client_secret: clientSecret };
    const { email: username, password } = userOfOther;
    const begun = await service.exchange({ grant_type: "password", username, password, scope: "openid", ...credentials });
    const token = stringMember(jsonBody(begun, 403), "mfa_token");
    const body = { authenticator_types: ["oob"], oob_channels: ["sms"], phone_number: number };
    return service.call("POST", "/mfa/associate", { token, body, headers: { "tenant-id": "other" } });
  }

  async function openOther(): Promise<void> {
    const settings = { name: "App", app_type: "regular_web", grant_types: ["password", otpGrant, oobGrant] } as const;
    await service.postern.seed({ tenantId: "other", clients: [{ clientId: "app-of-other", secret: clientSecret, settings }] });
    other = await managerOf(service, "other");
    jsonBody(await other("PUT", "/api/v2/guardian/factors/sms", { enabled: true }));
    await other("PUT", "/api/v2/guardian/policies", ["all-applications"]);
    const [email, password] = ["eve@example.test", "correct horse battery"];
    const body = { connection: "Username-Password-Authentication", email, password, email_verified: true };
    userOfOther = { email, password, userId: stringMember(jsonBody(await other("POST", "/api/v2/users", body), 201), "user_id") };
  }

  test("shares the limit for a number, and gets its own event", async () => {
    await openOther();
    for (let i = 0; i < 5; i++) expect(await statusOf(await addUser(), phone)).toBe(200);
    expectError(await requestInOther(phone), 429, "TOO_MANY_REQUESTS", message);
    expect([(await events(other)).length, (await events()).length]).toEqual([1, 0]);
    expect(await statusOf(service.ada, phone)).toBe(429);
    expect([(await events(other)).length, (await events()).length]).toEqual([1, 1]);
  });

  test("shares the limit for a range", async () => {
    await reopen({ newNumberMessagesPerRange: 2 });
    await openOther();
    for (let i = 0; i < 2; i++) expect(await statusOf(service.ada, numberIn(1, i))).toBe(200);
    expect([(await requestInOther(numberIn(1, 2))).status, (await requestInOther(numberIn(2))).status]).toEqual([429, 200]);
  });

  test("has a separate limit for the tenant", async () => {
    await reopen({ newNumberMessagesPerTenant: 2 });
    await openOther();
    for (let i = 0; i < 2; i++) expect(await statusOf(service.ada, numberIn(i))).toBe(200);
    expect(await statusOf(service.bob, numberIn(3))).toBe(429);
    for (let i = 0; i < 2; i++) jsonBody(await requestInOther(numberIn(3 + i)));
    expect((await requestInOther(numberIn(3))).status).toBe(429);
  });
});

describe("an exceeded limit is in the log", () => {
  test("once an hour for each user and limit", async () => {
    await useUpBudgetOf(service.ada);
    for (let i = 0; i < 3; i++) await requestCode(service.ada, numberIn(100));
    const byMessages = { limit: "newNumberMessagesPerUser", maximum: 6, range: "491700" };
    expect(await events()).toMatchObject([byMessages]);
    await requestCode(service.ada, numberIn(5));
    const byNumbers = { limit: "newNumbersPerUser", maximum: 3, range: "491605" };
    expect(await events()).toMatchObject([byMessages, byNumbers]);
    for (let i = 1; i <= 4; i++) await requestCode(service.bob, numberIn(i));
    expect(await events()).toMatchObject([byMessages, byNumbers, { ...byNumbers, range: "491604" }]);
    const [first, , last] = await newestLast(service.manage);
    expect([first?.["user_id"], last?.["user_id"]]).toEqual([service.ada.userId, service.bob.userId]);
    expect(first).toMatchObject({ description: "Too many messages to new phone numbers" });
  });

  test("again in the next hour", async () => {
    await reopen({ newNumberMessagesPerUser: 0 });
    for (let i = 0; i < 3; i++) await requestCode(service.ada, phone);
    expect(await events()).toHaveLength(1);
    service.clock.advance("61m");
    for (let i = 0; i < 3; i++) await requestCode(service.ada, phone);
    expect(await events()).toHaveLength(2);
  });

  test("once for a tenant, also for several users", async () => {
    await reopen({ newNumberMessagesPerTenant: 0 });
    for (const account of [service.ada, service.bob, service.ada]) expect(await statusOf(account, phone)).toBe(429);
    expect(await events()).toHaveLength(1);
  });

  test("once for 32 parallel requests", async () => {
    await reopen({ newNumberMessagesPerTenant: 0 });
    await Promise.all(Array.from({ length: 32 }, () => requestCode(service.ada, phone)));
    expect(await events()).toHaveLength(1);
  });
});

describe("the page says that no code can be sent now", () => {
  beforeEach(async () => {
    await reopen({ newNumberMessagesPerUser: 1 });
  });

  test("in the login", async () => {
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "choose-new-factor", factor: "phone" });
    await submitStep(browser, state, { action: "enter-phone", phone });
    const code = codeOf(service.outbox.take(phone));
    const refused = await sendStep(browser, state, { action: "send-new-factor-code" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3660"]);
    expect(await refused.json()).toMatchObject({ error: "TOO_MANY_REQUESTS", error_description: message });
    expect(screenOf(await getFlow(browser, state))).toMatchObject({ name: "add-factor", problem: "too-many-new-numbers" });
    expect(await (await openStep(browser, state)).text()).toContain(pageText);
    // The code that was sent stays valid.
    expect(screenOf(await submitStep(browser, state, { action: "confirm-new-factor", code }))).toMatchObject({ name: "recovery-code" });
  });

  test("on the page of the account", async () => {
    await setPolicies(service, []);
    const browser = service.browser();
    await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada);
    const sent = await submitSecurity(browser, await openSecurity(browser, { view: "add", type: "phone" }), {
      action: "enter-phone",
      phone,
    });
    expect(sent.html).not.toContain(pageText);
    expect((await submitSecurity(browser, sent, { action: "send-new-factor-code" })).html).toContain(pageText);
    expect(sentTo(phone)).toBe(1);
  });

  test("on the page of an enrollment ticket", async () => {
    await setPolicies(service, []);
    const body = { user_id: service.ada.userId, factor: "phone" };
    const ticket = jsonBody(await service.manage("POST", "/api/v2/guardian/enrollments/ticket", body));
    const browser = service.browser();
    const opened = await openLink(browser, stringMember(ticket, "ticket_url"));
    const chosen = await submitLinkForm(browser, opened, { action: "choose-new-factor", factor: "phone" });
    const sent = await submitLinkForm(browser, chosen, { action: "enter-phone", phone });
    expect(sent.html).not.toContain(pageText);
    expect((await submitLinkForm(browser, sent, { action: "send-new-factor-code" })).html).toContain(pageText);
    expect(sentTo(phone)).toBe(1);
  });
});

test("a form that is sent repeatedly counts once", async () => {
  await reopen({ newNumberMessagesPerUser: 2 });
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  await submitStep(browser, state, { action: "choose-new-factor", factor: "phone" });
  const html = await (await openStep(browser, state)).text();
  for (let i = 0; i < 4; i++) await sendForm(service.browser(browser.cookies), html, { action: "enter-phone", phone });
  expect(sentTo(phone)).toBe(1);
  await submitStep(browser, state, { action: "send-new-factor-code" });
  expect(sentTo(phone)).toBe(2);
  expect((await sendStep(browser, state, { action: "send-new-factor-code" })).status).toBe(429);
});
