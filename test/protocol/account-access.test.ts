import { beforeEach, describe, expect, test } from "vitest";
import { jsonBody, stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  obtainTokens,
  offline,
  openService,
  redirectOf,
  refreshGrant,
  screenName,
  sendStep,
  submitStep,
  tokens,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { openLink, submitLinkForm, createTicketLink } from "../support/links.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";
import { insertConsent, insertProof, insertPublicKey } from "../support/rows.ts";

/**
 * An attacker who signed up with another user's email address or phone number loses all access once the owner verifies
 * it. The attacker knows the password, receives messages to a second number, has a session, authorized an app and
 * linked a second account.
 */

const grant = "http://auth0.com/oauth/grant-type/passwordless/otp";
const database = "people";
const email = "owner@example.test";
const ownersNumber = "+4915112345678";
const strangersNumber = "+4915187654321";
const password = "chosen by the stranger";
const ownersPassword = "chosen by the owner";

let outbox: Outbox;
let service: LoginService;
let app: App;

beforeEach(async () => {
  outbox = createOutbox();
  verifications = [];
  service = await openService({ messages: { mail: outbox.mail, sms: outbox.sms } });
  app = await service.register({ grant_types: [grant, "authorization_code", "refresh_token", "implicit"] });
  const identifier = { identifier: { active: true }, signup: { status: "optional" } };
  await service.manage.create("/api/v2/connections", {
    name: database,
    strategy: "auth0",
    options: {
      passwordPolicy: "none",
      attributes: { email: identifier, phone_number: identifier, username: identifier },
      authentication_methods: { email_otp: { enabled: true }, phone_otp: { enabled: true } },
    },
  });
});

/** The email verification links that were sent to new accounts, the newest last. */
let verifications: string[];

/** Signs up in the database connection. @returns the account, identified by the first field. */
async function signUp(fields: {
  readonly email?: string;
  readonly phone_number?: string;
  readonly username?: string;
}): Promise<TestAccount> {
  const body = { client_id: app.clientId, connection: database, password, ...fields };
  const userId = stringMember(jsonBody(await service.call("POST", "/dbconnections/signup", { body })), "id");
  verifications.push(...outbox.sent.splice(0).flatMap(({ link }) => link ?? []));
  return { email: fields.email ?? fields.phone_number ?? "", password, userId };
}

/**
 * Signs in with a one-time code to an email address or phone number. @returns the user id, or undefined if no tokens
 * were issued.
 */
async function signInByCode(to: string): Promise<string | undefined> {
  const address = to.startsWith("+") ? { phone_number: to } : { email: to };
  const started = await service.call("POST", "/otp/challenge", { body: { client_id: app.clientId, connection: database, ...address } });
  const auth_session = stringMember(jsonBody(started), "auth_session");
  if (!outbox.sent.some((sent) => sent.to === to)) return undefined;
  const otp = codeOf(outbox.take(to));
  const response = await service.exchange({ grant_type: grant, client_id: app.clientId, auth_session, otp });
  return response.status === 200 ? String(claimsOf(tokens(response).id).sub) : undefined;
}

async function signInByPassword(identifier: string, typed = password): Promise<string | undefined> {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, app, { connection: database }));
  const response = await sendStep(browser, state, { action: "sign-in", identifier, password: typed });
  if (response.status !== 200) return undefined;
  const reply = jsonBody({ status: 200, body: await response.json(), headers: new Headers() });
  if (!("redirect_to" in reply)) return undefined;
  const { code = "" } = successParameters(redirectOf(reply));
  return String(claimsOf(tokens(await service.exchange(codeGrant(app, code))).id).sub);
}

async function userOf(userId: string): Promise<object> {
  return jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(userId)}`));
}

/** Redeems a password reset code. @returns the state of the login session that now prompts for the new password. */
async function beginReset(browser: Browser): Promise<string> {
  const state = loginState(await sendAuthorization(browser, app, { connection: database }));
  await submitStep(browser, state, { action: "continue", identifier: email });
  await submitStep(browser, state, { action: "forgot-password" });
  await submitStep(browser, state, { action: "send-reset", identifier: email });
  expect(screenName(await submitStep(browser, state, { action: "enter-code", code: codeOf(outbox.take(email)) }))).toBe("new-password");
  return state;
}

/** The methods by which the owner of an email address verifies it for an account that the owner did not create. */
const methods: { readonly [name: string]: (account: TestAccount) => Promise<unknown> } = {
  "a password reset link": async () => {
    const body = { client_id: app.clientId, connection: database, email };
    await service.call("POST", "/dbconnections/change_password", { body });
    const browser = service.browser();
    await submitLinkForm(browser, await openLink(browser, outbox.take(email).link ?? ""), { password: ownersPassword });
  },
  "a password reset code": async () => {
    const browser = service.browser();
    const state = await beginReset(browser);
    redirectOf(await submitStep(browser, state, { action: "set-password", password: ownersPassword }));
  },
  "a rejection of the account through a verification link": async ({ userId }) => {
    const link = await createTicketLink(service, "email-verification", { user_id: userId });
    const browser = service.browser();
    await submitLinkForm(browser, await openLink(browser, link), { action: "no" });
  },
  "a sign-in code": async ({ userId }) => {
    expect(await signInByCode(email)).toBe(userId);
  },
};

describe.each(Object.entries(methods))("after %s", (_, verify) => {
  test("the attacker has no access to the account any more", async () => {
    const account = await signUp({ email, phone_number: strangersNumber, username: "stranger" });
    // The attacker verifies a second number, signs in, authorizes an app, and links a second account.
    expect(await signInByPassword(strangersNumber)).toBe(account.userId);
    const browser = service.browser();
    const { refresh } = await obtainTokens(service, app, account, { ...offline, connection: database }, browser);
    const consent = { userId: account.userId, clientId: app.clientId, audience: "https://api.example.test", scope: ["read"] };
    await insertConsent(service, "main", consent);
    await insertPublicKey(service, { userId: account.userId, clientId: app.clientId });
    const own = await signUp({ email: "stranger@example.test" });
    await service.manage("POST", `/api/v2/users/${encodeURIComponent(account.userId)}/identities`, {
      provider: "auth0",
      user_id: own.userId,
    });
    expect(await signInByPassword("stranger@example.test")).toBe(account.userId);

    await verify(account);

    expect(await signInByCode(strangersNumber)).toBeUndefined();
    expect(await signInByPassword(email)).toBeUndefined();
    expect(await signInByPassword(strangersNumber)).toBeUndefined();
    expect(await signInByPassword("stranger")).toBeUndefined();
    expect(await signInByPassword("stranger@example.test")).toBe(own.userId);
    expect((await service.exchange(refreshGrant(app, refresh))).status).toBe(400);
    expect(await sendAuthorization(browser, app, { prompt: "none", connection: database })).toMatchObject({
      parameters: { error: "login_required" },
    });
    const { consents, device_credentials: keys } = service.data.collections;
    for (const collection of [consents, keys]) expect(await collection.count({ tenant_id: "main", user_id: account.userId })).toBe(0);
    expect(await userOf(account.userId)).not.toHaveProperty("phone_number");
  });

  test("the owner of the address can sign in to the account", async () => {
    const account = await signUp({ email, phone_number: strangersNumber });
    await verify(account);
    expect(await signInByCode(email)).toBe(account.userId);
  });
});

describe("the first one-time code to a phone number", () => {
  test("gives the owner of the number an account without verified identifiers, and removes its password and the attacker's email address", async () => {
    const account = await signUp({ phone_number: ownersNumber, email: "stranger@example.test" });
    expect(await signInByPassword(ownersNumber)).toBe(account.userId);
    expect(await signInByCode(ownersNumber)).toBe(account.userId);
    expect(await signInByPassword(ownersNumber)).toBeUndefined();
    expect(await signInByCode("stranger@example.test")).toBeUndefined();
    const reset = { client_id: app.clientId, connection: database, email: "stranger@example.test" };
    await service.call("POST", "/dbconnections/change_password", { body: reset });
    expect(outbox.sent).toEqual([]);
    expect(verifications).toHaveLength(1);
    expect((await openLink(service.browser(), verifications[0] ?? "")).actions).toEqual([]);
    expect(await userOf(account.userId)).toMatchObject({ phone_number: ownersNumber, phone_verified: true });
    // From now on the number signs in to the account.
    expect(await signInByCode(ownersNumber)).toBe(account.userId);
  });

  test("removes the number from an account whose owner verified an email address, and does not sign the user in to it", async () => {
    const account = await signUp({ phone_number: ownersNumber, email: "stranger@example.test" });
    expect(await signInByCode("stranger@example.test")).toBe(account.userId);
    const { userId } = await signUp({ email: "next@example.test" });
    await service.data.collections.users.update(
      { tenant_id: "main", user_id: userId },
      { set: { phone_number: ownersNumber.replace("8", "9"), phone_key: ownersNumber.replace("8", "9") } },
    );
    await insertProof(service, { userId, email: "next@example.test" });
    expect(await signInByCode(ownersNumber.replace("8", "9"))).toBeUndefined();
    expect(await userOf(userId)).not.toHaveProperty("phone_number");
    // The number is free for its owner's account.
    await signUp({ phone_number: ownersNumber.replace("8", "9") });
  });

  test("signs the user in to an account whose email address an administrator verified, and keeps its password", async () => {
    const body = { connection: database, email, email_verified: true, phone_number: ownersNumber, password: ownersPassword };
    const userId = stringMember(await service.manage.create("/api/v2/users", body), "user_id");
    expect(await signInByCode(ownersNumber)).toBe(userId);
    expect(await signInByPassword(email, ownersPassword)).toBe(userId);
  });
});

describe("a linked account without verified identifiers", () => {
  test.each([
    ["address", { email }, email],
    ["number", { phone_number: ownersNumber }, ownersNumber],
  ])("does not give the owner of its %s access to the primary account", async (_, fields, to) => {
    const own = await signUp({ email: "stranger@example.test" });
    const linkedAccount = await signUp(fields);
    const identities = `/api/v2/users/${encodeURIComponent(own.userId)}/identities`;
    expect((await service.manage("POST", identities, { provider: "auth0", user_id: linkedAccount.userId })).status).toBe(201);

    expect(await signInByCode(to)).toBe(linkedAccount.userId);
    expect(await userOf(own.userId)).toMatchObject({ identities: [{}] });
    expect(await signInByPassword(to)).toBeUndefined();
    expect(await signInByPassword("stranger@example.test")).toBe(own.userId);
  });

  test("gives access to the primary account once the owner verified the linked account", async () => {
    const own = await signUp({ email: "first@example.test" });
    const second = await signUp({ email });
    await insertProof(service, second);
    const identities = `/api/v2/users/${encodeURIComponent(own.userId)}/identities`;
    await service.manage("POST", identities, { provider: "auth0", user_id: second.userId });
    expect(await signInByCode(email)).toBe(own.userId);
  });
});

test("a password reset that was started for one address is invalid after the account's address changed", async () => {
  const account = await signUp({ email });
  const browser = service.browser();
  const state = await beginReset(browser);
  const path = `/api/v2/users/${encodeURIComponent(account.userId)}`;
  expect((await service.manage("PATCH", path, { email: "another@example.test" })).status).toBe(200);
  await submitStep(browser, state, { action: "set-password", password: ownersPassword });
  expect(await signInByPassword("another@example.test", ownersPassword)).toBeUndefined();
  expect(await userOf(account.userId)).toMatchObject({ email_verified: false });
});
