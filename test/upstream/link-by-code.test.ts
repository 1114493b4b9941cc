import { beforeEach, describe, expect, test } from "vitest";
import type { Browser } from "../support/browser.ts";
import { auditEvents, stringMember } from "../support/api.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  getFlow,
  redirectOf,
  screenName,
  sendStep,
  submitStep,
  tokens,
  type TestAccount,
} from "../support/flow.ts";
import { codeOf, createOutbox, differentCode, type Outbox } from "../support/outbox.ts";
import {
  returnFromProvider,
  signInWithProvider,
  goToProvider,
  openFederation,
  submitProviderSignIn,
  searchUsers,
  type Federation,
} from "./federation.ts";

const email = "flo@people.example";
const password = "Username-Password-Authentication";

let outbox: Outbox;
let federation: Federation;
let browser: Browser;

beforeEach(async () => {
  outbox = createOutbox();
  federation = await openFederation({ messages: { mail: outbox.mail } });
  await federation.connect();
  browser = federation.service.browser();
});

/**
 * Returns from the identity provider with the email address of a local account. @returns the state of the login session
 * that prompts for the link.
 */
async function arrive(providerAccount: TestAccount): Promise<string> {
  return loginState(
    await returnFromProvider(
      browser,
      await submitProviderSignIn(federation, await goToProvider(federation, browser, federation.service.web), providerAccount),
    ),
  );
}

async function subjectAfter(state: string, code: string): Promise<unknown> {
  const { service } = federation;
  const done = successParameters(redirectOf(await submitStep(browser, state, { action: "enter-code", code })));
  return claimsOf(tokens(await service.exchange(codeGrant(service.web, done["code"] ?? ""))).id).sub;
}

describe("a user whose email address belongs to a local account", () => {
  test("verifies the address with a code, and is linked to the account from then on", async () => {
    const { service, provider } = federation;
    const localAccount = await service.addUser(email);
    const providerAccount = await provider.addUser(email);
    const state = await arrive(providerAccount);
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "link-account", byCode: true } });
    expect(outbox.sent).toEqual([]);
    const sent = await submitStep(browser, state, { action: "send-link-code" });
    expect(sent).toMatchObject({ screen: { name: "code", purpose: "link-account", sentTo: email } });
    expect(await subjectAfter(state, codeOf(outbox.take(email)))).toBe(localAccount.userId);
    expect(await searchUsers(federation, `email:${email}`)).toMatchObject([
      { user_id: localAccount.userId, identities: [{ connection: password }, { connection: "fieldnotes" }] },
    ]);
    const [linked] = (await auditEvents(service.manage, "w")).map((event) => event["description"]);
    expect(linked).toContain("a code that was sent to its email address");
    // From now on the user can sign in with the identity provider alone, and with the password as before.
    expect(await signInWithProvider(federation, providerAccount)).toMatchObject({ kind: "response" });
    const other = service.browser();
    const login = loginState(await sendAuthorization(other, service.web));
    redirectOf(await submitStep(other, login, { action: "sign-in", identifier: email, password: localAccount.password }));
  });

  test("takes over an unverified account, and removes the password of its creator", async () => {
    const { service, provider } = federation;
    const providerAccount = await provider.addUser(email);
    const body = { connection: password, email, password: "chosen by mallory" };
    const { user_id: id } = await service.manage.create("/api/v2/users", body);
    const state = await arrive(providerAccount);
    await submitStep(browser, state, { action: "send-link-code" });
    expect(await subjectAfter(state, codeOf(outbox.take(email)))).toBe(id);
    const mallory = service.browser();
    const login = loginState(await sendAuthorization(mallory, service.web));
    const rejected = await sendStep(mallory, login, { action: "sign-in", identifier: email, password: body.password });
    expect(rejected.status).toBe(403);
    expect(await searchUsers(federation, `email:${email}`)).toMatchObject([{ user_id: id, email_verified: true }]);
  });

  test("is not linked after wrong codes, and the fifth one invalidates the code", async () => {
    const { service, provider } = federation;
    await service.addUser(email);
    const state = await arrive(await provider.addUser(email));
    await submitStep(browser, state, { action: "send-link-code" });
    const code = codeOf(outbox.take(email));
    for (let tried = 0; tried < 5; tried++) {
      const rejected = await sendStep(browser, state, { action: "enter-code", code: differentCode(code) });
      expect(rejected.status).toBe(400);
    }
    expect((await sendStep(browser, state, { action: "enter-code", code })).status).toBe(400);
    expect(await searchUsers(federation, `email:${email}`)).toMatchObject([{ identities: [{}] }]);
  });

  test("returns from the code page to the choice, and signs in instead", async () => {
    const { service, provider } = federation;
    const localAccount = await service.addUser(email);
    const state = await arrive(await provider.addUser(email));
    await submitStep(browser, state, { action: "send-link-code" });
    expect(screenName(await submitStep(browser, state, { action: "change-address" }))).toBe("link-account");
    expect(screenName(await submitStep(browser, state, { action: "send-link-code" }))).toBe("code");
    expect(screenName(await submitStep(browser, state, { action: "change-address" }))).toBe("link-account");
    expect(screenName(await submitStep(browser, state, { action: "link-account" }))).toBe("password");
    redirectOf(await submitStep(browser, state, { action: "sign-in", password: localAccount.password }));
    expect(await searchUsers(federation, `email:${email}`)).toMatchObject([{ identities: [{}, { connection: "fieldnotes" }] }]);
  });

  test("cannot use a code in another browser", async () => {
    const { service, provider } = federation;
    await service.addUser(email);
    const providerAccount = await provider.addUser(email);
    const state = await arrive(providerAccount);
    await submitStep(browser, state, { action: "send-link-code" });
    const code = codeOf(outbox.take(email));
    browser = service.browser();
    const elsewhere = await arrive(providerAccount);
    await submitStep(browser, elsewhere, { action: "send-link-code" });
    expect((await sendStep(browser, elsewhere, { action: "enter-code", code })).status).toBe(400);
  });

  test("can send the same code in eight parallel requests, of which at least one links the account", async () => {
    const { service, provider } = federation;
    const localAccount = await service.addUser(email);
    const state = await arrive(await provider.addUser(email));
    await submitStep(browser, state, { action: "send-link-code" });
    const code = codeOf(outbox.take(email));
    const { csrf } = await getFlow(browser, state);
    const body = { state, csrf, action: "enter-code", code };
    const responses = await Promise.all(Array.from({ length: 8 }, () => browser.post("/u/flow", { json: body })));
    for (const { status } of responses) expect([200, 400]).toContain(status);
    expect(responses.some(({ status }) => status === 200)).toBe(true);
    expect(await searchUsers(federation, `email:${email}`)).toMatchObject([
      { user_id: localAccount.userId, identities: [{}, { connection: "fieldnotes" }] },
    ]);
  });
});

describe("a code to link an account", () => {
  const offered = async (): Promise<unknown> => {
    const providerAccount = await federation.provider.addUser(email);
    const state = await arrive(providerAccount);
    const { screen } = await getFlow(browser, state);
    expect(screen).toMatchObject({ name: "link-account" });
    // Requests the code although the page does not offer one.
    expect(screenName(await submitStep(browser, state, { action: "send-link-code" }))).toBe("link-account");
    expect(outbox.sent).toEqual([]);
    return (screen as { readonly byCode?: unknown }).byCode;
  };

  test("is not offered if the host sends no mail", async () => {
    federation = await openFederation();
    await federation.connect();
    browser = federation.service.browser();
    await federation.service.addUser(email);
    expect(await offered()).toBeUndefined();
  });

  test("is not offered if users cannot reset their passwords by mail", async () => {
    const { service } = federation;
    await service.addUser(email);
    const { body } = await service.manage("GET", `/api/v2/connections?name=${password}`);
    const [{ id = "" } = {}] = body as readonly { readonly id?: string }[];
    await service.manage("PATCH", `/api/v2/connections/${id}`, { options: { disable_self_service_change_password: true } });
    service.clock.advance(10_000);
    expect(await offered()).toBeUndefined();
  });

  test("is not offered for a blocked account", async () => {
    const { service } = federation;
    const { userId } = await service.addUser(email);
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(userId)}`, { blocked: true });
    expect(await offered()).toBeUndefined();
  });

  test("is not offered if several accounts have the address", async () => {
    const { service } = federation;
    await service.addUser(email);
    const mail = await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    await service.manage.create("/api/v2/users", { connection: "email", email, email_verified: true });
    const offer = [{ client_id: service.web.clientId, status: true }];
    expect((await service.manage("PATCH", `/api/v2/connections/${stringMember(mail, "id")}/clients`, offer)).status).toBe(204);
    expect(await offered()).toBeUndefined();
  });
});
