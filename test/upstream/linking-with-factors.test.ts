import { beforeEach, expect, test } from "vitest";
import { auditEvents, jsonBody, stringMember } from "../support/api.ts";
import { getFlow, loginState, redirectOf, screenName, sendStep, submitStep, successParameters, type TestAccount } from "../support/flow.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";
import { insertProof } from "../support/rows.ts";
import { appKey, userPath } from "../factors/linked-support.ts";
import { totpAt } from "../factors/support.ts";
import { goToProvider, openFederation, returnFromProvider, searchUsers, submitProviderSignIn, type Federation } from "./federation.ts";

/** The first login at an authoritative provider of a user whose local account has a second factor. No policy requires one. */

let own: Federation;
let outbox: Outbox;
let localAccount: TestAccount;
let providerAccount: TestAccount;

beforeEach(async () => {
  outbox = createOutbox();
  own = await openFederation({ messages: { mail: outbox.mail } });
  await own.connect({ options: { domain_aliases: ["Staff.example"] } });
  jsonBody(await own.service.manage("PUT", "/api/v2/guardian/factors/otp", { enabled: true }));
  localAccount = await own.service.addUser("lea@staff.example");
  await insertProof(own.service, localAccount);
  providerAccount = await own.provider.addUser("lea@staff.example");
});

/** Signs in at the provider. @returns the browser, and the `state` of the login page that follows. */
async function arrive() {
  const browser = own.service.browser();
  const back = await submitProviderSignIn(own, await goToProvider(own, browser, own.service.web), providerAccount);
  return { browser, state: loginState(await returnFromProvider(browser, back)) };
}

const addApp = async (): Promise<void> =>
  void (await own.service.manage.create(`${userPath(localAccount)}/authentication-methods`, {
    type: "totp",
    name: "app",
    totp_secret: appKey,
  }));

const identities = async (): Promise<unknown> => (await searchUsers(own, "email:lea@staff.example")).map((user) => user["identities"]);

test("is not linked automatically, and the user passes the factor after the password", async () => {
  await addApp();
  const { browser, state } = await arrive();
  expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "link-account", email: "lea@staff.example" } });
  expect(await identities()).toMatchObject([[{}]]);
  expect(await auditEvents(own.service.manage, "w")).toMatchObject([
    { description: expect.stringContaining("not linked automatically: the existing account has a second factor") },
  ]);
  expect(screenName(await submitStep(browser, state, { action: "link-account" }))).toBe("password");
  expect(screenName(await submitStep(browser, state, { action: "sign-in", password: localAccount.password }))).toBe("factor");
  expect((await sendStep(browser, state, { action: "enter-factor-code", code: "000000" })).status).toBeGreaterThanOrEqual(400);
  expect(await identities()).toMatchObject([[{}]]);
  const code = totpAt(appKey, own.service.clock.now());
  successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
  expect(await identities()).toMatchObject([[{}, { connection: "fieldnotes" }]]);
});

test.each(["a password", "a code by email"])("is not linked with a code by email as the factor after %s", async (first) => {
  await addApp();
  jsonBody(await own.service.manage("PUT", "/api/v2/guardian/factors/email", { enabled: true }));
  const { browser, state } = await arrive();
  if (first === "a password") await submitStep(browser, state, { action: "link-account" });
  else await submitStep(browser, state, { action: "send-link-code" });
  const reply =
    first === "a password"
      ? await submitStep(browser, state, { action: "sign-in", password: localAccount.password })
      : await submitStep(browser, state, { action: "enter-code", code: codeOf(outbox.take(localAccount.email)) });
  expect(reply).toMatchObject({ screen: { name: "factor", factor: "totp", others: [] } });
  const forged = await submitStep(browser, state, { action: "choose-factor", factor: "email" });
  expect(forged).toMatchObject({ screen: { name: "factor", factor: "totp" } });
  expect(outbox.sent.filter(({ code }) => code !== undefined)).toEqual([]);
  expect(await identities()).toMatchObject([[{}]]);
});

test("takes over an unproven sign-up with its factors, and is linked to it", async () => {
  const { data, manage } = own.service;
  const where = { tenant_id: "main", user_id: localAccount.userId };
  const unproven = { email_verified: false, email_proof: null, proven_email: null, is_unproven_sign_up: true };
  await data.collections.users.update(where, { set: unproven });
  await addApp();
  const browser = own.service.browser();
  const back = await submitProviderSignIn(own, await goToProvider(own, browser, own.service.web), providerAccount);
  successParameters(await returnFromProvider(browser, back));
  expect(await identities()).toMatchObject([[{}, { connection: "fieldnotes" }]]);
  expect((await manage("GET", `${userPath(localAccount)}/authentication-methods`)).body).toEqual([]);
});

test("requires the factor of an account whose unproven address an administrator changed", async () => {
  jsonBody(await own.service.manage("PATCH", userPath(localAccount), { email_verified: false }));
  await addApp();
  const { browser, state } = await arrive();
  expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "link-account" } });
  expect(stringMember(jsonBody(await own.service.manage("GET", userPath(localAccount))), "email")).toBe("lea@staff.example");
  expect((await own.service.manage("GET", `${userPath(localAccount)}/authentication-methods`)).body).toMatchObject([{ type: "totp" }]);
});
