import { beforeEach, describe, expect, test } from "vitest";
import { expectError, jsonBody, list, stringMember, type JsonBody } from "../support/api.ts";
import { loginState, redirectOf, screenName, sendAuthorization, submitStep, successParameters, type FlowStep } from "../support/flow.ts";
import { createTicketLink, openLink, submitLinkForm } from "../support/links.ts";
import { codeOf } from "../support/outbox.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import { appKey } from "./linked-support.ts";
import { codeGrantType, openMfaService, otpGrant, type MfaService } from "./mfa-api-support.ts";
import { exchangeLoginCode, screenOf, setPolicies, totpAt } from "./support.ts";

/**
 * A user who proves an unproven address takes the account over, and its factors are removed, only if a visitor's sign-up
 * made the account and none of its addresses was ever proven. Every other account asks for its factor. No policy requires
 * one.
 */

const database = "people";
const password = "a-new-password-1";
const ownersNumber = "+4915112345678";

let service: MfaService;
let serial = 0;

beforeEach(async () => {
  service = await openMfaService();
  await setPolicies(service, []);
  const identifier = { identifier: { active: true }, signup: { status: "optional" } };
  await service.manage.create("/api/v2/connections", {
    name: database,
    strategy: "auth0",
    options: {
      passwordPolicy: "none",
      attributes: { email: identifier, phone_number: identifier },
      authentication_methods: { email_otp: { enabled: true }, phone_otp: { enabled: true } },
    },
  });
});

/** An account with an authenticator app. */
interface Account {
  readonly userId: string;
  readonly address: string;
}

const path = ({ userId }: Pick<Account, "userId">): string => `/api/v2/users/${encodeURIComponent(userId)}`;
const credentials = () => ({ client_id: service.app.clientId, client_secret: clientSecret });

async function signUp(fields: { readonly email?: string; readonly phone_number?: string }): Promise<string> {
  const body = { client_id: service.app.clientId, connection: database, password: "chosen by the visitor", ...fields };
  const userId = stringMember(jsonBody(await service.call("POST", "/dbconnections/signup", { body })), "id");
  service.outbox.sent.splice(0);
  return userId;
}

async function create(fields: object): Promise<string> {
  return stringMember(
    await service.manage.create("/api/v2/users", { connection: database, password: "chosen by an admin", ...fields }),
    "user_id",
  );
}

const patch = async (userId: string, body: object): Promise<void> => void jsonBody(await service.manage("PATCH", path({ userId }), body));

/** The ways in which an account gets an unproven email address. */
const established: { readonly [name: string]: (address: string) => Promise<string> } = {
  "was created by an administrator": (email) => create({ email }),
  "was created by an administrator with another address": async (email) => {
    const userId = await create({ email: `former-${email}`, email_verified: true });
    await patch(userId, { email });
    return userId;
  },
  "signed up with another address, which its owner proved": async (email) => {
    const userId = await signUp({ email: `former-${email}` });
    expect((await signInByCode(`former-${email}`)).status).toBe(200);
    await patch(userId, { email });
    return userId;
  },
  "signed up with another address, which an administrator verified": async (email) => {
    const userId = await signUp({ email: `former-${email}` });
    await patch(userId, { email_verified: true });
    await patch(userId, { email });
    return userId;
  },
  "signed up, and was verified by an administrator, who took it back": async (email) => {
    const userId = await signUp({ email });
    await patch(userId, { email_verified: true });
    await patch(userId, { email_verified: false });
    return userId;
  },
  "signed up with a phone number, which its owner proved": async (email) => {
    const userId = await signUp({ phone_number: `+491511234${5000 + serial}` });
    expect((await signInByCode(`+491511234${5000 + serial}`)).status).toBe(200);
    await patch(userId, { email });
    return userId;
  },
};

async function addAccount(make: (address: string) => Promise<string>, address = `owner-${serial++}@example.test`): Promise<Account> {
  const userId = await make(address);
  await service.manage.create(`${path({ userId })}/authentication-methods`, { type: "totp", name: "app", totp_secret: appKey });
  return { userId, address };
}

const codeNow = (): string => {
  service.clock.advance("31s");
  return totpAt(appKey, service.clock.now());
};
const factorsOf = async (account: Account): Promise<readonly unknown[]> =>
  list(await service.manage("GET", `${path(account)}/authentication-methods`)).map(({ type }) => type);
const isVerified = async (account: Account): Promise<boolean> =>
  jsonBody(await service.manage("GET", path(account)))["email_verified"] === true;

/** Signs in with a code to an address and the grant for codes. */
async function signInByCode(to: string): Promise<ApiResponse> {
  const address = to.startsWith("+") ? { phone_number: to } : { email: to };
  const started = await service.call("POST", "/otp/challenge", { body: { ...credentials(), connection: database, ...address } });
  const auth_session = stringMember(jsonBody(started), "auth_session");
  const otp = codeOf(service.outbox.take(to));
  return service.grant(codeGrantType, { auth_session, otp, scope: "openid email" });
}

/** Starts a login and enters the code that was sent to the address. @returns the reply after the code. */
async function enterCode(
  address: string,
  send: "send-code" | "send-reset",
): Promise<{ readonly next: JsonBody; act(action: FlowStep): Promise<JsonBody> }> {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web, { connection: database }));
  const act = (action: FlowStep): Promise<JsonBody> => submitStep(browser, state, action);
  await act({ action: "continue", identifier: address });
  if (send === "send-reset") await act({ action: "forgot-password" });
  await act({ action: send, ...(send === "send-reset" && { identifier: address }) });
  return { next: await act({ action: "enter-code", code: codeOf(service.outbox.take(address)) }), act };
}

describe.each(Object.entries(established))("an account that %s", (_, make) => {
  let account: Account;

  beforeEach(async () => {
    account = await addAccount(make);
  });

  test("asks for its factor after a code by the grant, and then the address is proven", async () => {
    const begun = jsonBody(await signInByCode(account.address), 403);
    expect(begun).toMatchObject({ error: "mfa_required" });
    expect([await factorsOf(account), await isVerified(account)]).toEqual([["totp"], false]);
    const mfa_token = stringMember(begun, "mfa_token");
    expectError(await service.grant(otpGrant, { mfa_token, otp: "000000" }), 403, "invalid_grant");
    expect(jsonBody(await service.grant(otpGrant, { mfa_token, otp: codeNow() }))).toHaveProperty("id_token");
    expect([await factorsOf(account), await isVerified(account)]).toEqual([["totp"], true]);
    // From now on, the code is an ordinary first factor.
    expect((await signInByCode(account.address)).status).toBe(200);
  });

  test("asks for its factor in the login after a code, and then the address is proven", async () => {
    const { next, act } = await enterCode(account.address, "send-code");
    expect(screenOf(next)).toMatchObject({ name: "factor", factor: "totp" });
    expect([await factorsOf(account), await isVerified(account)]).toEqual([["totp"], false]);
    const { code = "" } = successParameters(redirectOf(await act({ action: "enter-factor-code", code: codeNow() })));
    expect(await exchangeLoginCode(service, code)).toHaveProperty("id_token");
    expect([await factorsOf(account), await isVerified(account)]).toEqual([["totp"], true]);
  });

  test("asks for its factor before a new password in the login", async () => {
    const { next, act } = await enterCode(account.address, "send-reset");
    expect(screenOf(next)).toMatchObject({ name: "factor", factor: "totp" });
    expect(screenName(await act({ action: "set-password", password }))).toBe("factor");
    expect(screenName(await act({ action: "enter-factor-code", code: codeNow() }))).toBe("new-password");
    successParameters(redirectOf(await act({ action: "set-password", password })));
    expect([await factorsOf(account), await isVerified(account)]).toEqual([["totp"], true]);
  });

  test("asks for its factor on the page of a link for a new password", async () => {
    const link = await createTicketLink(service, "password-change", { user_id: account.userId, mark_email_as_verified: true });
    const browser = service.browser();
    const page = await openLink(browser, link);
    expect(page.actions).toContain("enter-factor-code");
    await submitLinkForm(browser, page, { action: "set-password", password });
    expect([await factorsOf(account), await isVerified(account)]).toEqual([["totp"], false]);
    const passed = await submitLinkForm(browser, page, { action: "enter-factor-code", code: codeNow() });
    expect(passed.actions).toEqual(["set-password"]);
    await submitLinkForm(browser, passed, { action: "set-password", password });
    expect([await factorsOf(account), await isVerified(account)]).toEqual([["totp"], true]);
  });

  test("keeps its factor if the reader of the mail says that the account is not theirs", async () => {
    const link = await createTicketLink(service, "email-verification", { user_id: account.userId });
    const browser = service.browser();
    await submitLinkForm(browser, await openLink(browser, link), { action: "no" });
    expect([await factorsOf(account), await isVerified(account)]).toEqual([["totp"], false]);
  });

  test("is refused with the reason if its factor cannot be used", async () => {
    await service.manage("PUT", "/api/v2/guardian/factors/otp", { enabled: false });
    expectError(await signInByCode(account.address).then(withoutFactor), 403, "unmet_authentication_requirements");
    const { next } = await enterCode(account.address, "send-code");
    expect(redirectOf(next)).toMatchObject({
      parameters: { error: "access_denied", error_description: "the user has no factor that the login requires" },
    });
    const reset = await enterCode(account.address, "send-reset");
    expect(redirectOf(reset.next)).toMatchObject({
      parameters: { error: "access_denied", error_description: "none of the user's factors can be used now" },
    });
    expect([await factorsOf(account), await isVerified(account)]).toEqual([["totp"], false]);
  });
});

/** Continues a sign-in that requires a factor, without one. */
async function withoutFactor(begun: ApiResponse): Promise<ApiResponse> {
  return service.challenge(stringMember(jsonBody(begun, 403), "mfa_token"));
}

describe("an account that a visitor's sign-up made, and of which no address was ever proven", () => {
  const ways: { readonly [name: string]: (account: Account) => Promise<unknown> } = {
    "a code by the grant": async ({ address }) => expect((await signInByCode(address)).status).toBe(200),
    "a code in the login": async ({ address }) => successParameters(redirectOf((await enterCode(address, "send-code")).next)),
    async "a new password in the login"({ address }) {
      const { next, act } = await enterCode(address, "send-reset");
      expect(screenName(next)).toBe("new-password");
      successParameters(redirectOf(await act({ action: "set-password", password })));
    },
    async "a link for a new password"({ userId }) {
      const link = await createTicketLink(service, "password-change", { user_id: userId, mark_email_as_verified: true });
      const browser = service.browser();
      await submitLinkForm(browser, await openLink(browser, link), { action: "set-password", password });
    },
    async "a rejection of the account"({ userId }) {
      const link = await createTicketLink(service, "email-verification", { user_id: userId });
      const browser = service.browser();
      await submitLinkForm(browser, await openLink(browser, link), { action: "no" });
    },
  };

  test.each(Object.entries(ways))("loses the factors of its creator by %s", async (_, prove) => {
    const account = await addAccount((email) => signUp({ email }));
    await prove(account);
    expect(await factorsOf(account)).toEqual([]);
  });

  test("loses them also after an administrator changed the unproven address", async () => {
    const account = await addAccount(async (email) => {
      const userId = await signUp({ email: `typo-${email}` });
      await patch(userId, { email });
      return userId;
    });
    expect((await signInByCode(account.address)).status).toBe(200);
    expect(await factorsOf(account)).toEqual([]);
  });
});

describe("the first code to a phone number", () => {
  test("asks for the factor of an account whose number an administrator changed, and then the number is proven", async () => {
    const account = await addAccount(async () => {
      const userId = await create({ email: `other-${serial}@example.test`, phone_number: "+4915187654321", phone_verified: true });
      await patch(userId, { phone_number: ownersNumber });
      return userId;
    }, ownersNumber);
    const begun = jsonBody(await signInByCode(ownersNumber), 403);
    expect(begun).toMatchObject({ error: "mfa_required" });
    jsonBody(await service.grant(otpGrant, { mfa_token: stringMember(begun, "mfa_token"), otp: codeNow() }));
    expect(jsonBody(await service.manage("GET", path(account)))).toMatchObject({ phone_verified: true });
    expect(await factorsOf(account)).toEqual(["totp"]);
  });

  test("takes over an account that a visitor's sign-up made", async () => {
    const account = await addAccount((phone_number) => signUp({ phone_number }), ownersNumber);
    expect((await signInByCode(ownersNumber)).status).toBe(200);
    expect(await factorsOf(account)).toEqual([]);
  });
});

test("a linked account asks for the factors of its primary account", async () => {
  const primary = await addAccount((email) => create({ email, email_verified: true }));
  const { userId, address } = { userId: await create({ email: "linked@example.test" }), address: "linked@example.test" };
  const linked = await service.manage("POST", `${path(primary)}/identities`, { provider: "auth0", user_id: userId });
  expect(linked).toMatchObject({ status: 201 });
  const begun = jsonBody(await signInByCode(address), 403);
  expect(begun).toMatchObject({ error: "mfa_required" });
  jsonBody(await service.grant(otpGrant, { mfa_token: stringMember(begun, "mfa_token"), otp: codeNow() }));
  expect(jsonBody(await service.manage("GET", path(primary)))).toMatchObject({ identities: [{}, {}] });
});

test("an account without a factor is taken over by the first proof, for every kind of creation", async () => {
  const userId = await create({ email: "plain@example.test" });
  expect((await signInByCode("plain@example.test")).status).toBe(200);
  const [row] = await service.data.collections.users.find({ where: { tenant_id: "main", user_id: userId }, limit: 1 });
  expect(row).toMatchObject({ password_id: null, email_verified: true });
});
