import { beforeEach, describe, expect, test } from "vitest";
import { creationOptionsSchema } from "../../packages/core/src/model/factors/webauthn.ts";
import { createSoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { addPhone, openSecurity, submitSecurity } from "../account/support.ts";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  followRedirects,
  getFlow,
  openStep,
  redirectOf,
  screenName,
  sendAuthorization,
  sendForm,
  sendStep,
  signInAtLoginPage,
  submitStep,
  successParameters,
} from "../support/flow.ts";
import { openLink, submitLinkForm, type LinkPage } from "../support/links.ts";
import { codeOf } from "../support/outbox.ts";
import { openMfaService, otpGrant, recoveryGrant, type MfaService } from "./mfa-api-support.ts";
import { screenOf, setPolicies, signInToFactor, totpAt, totpOf } from "./support.ts";

/**
 * Only a user without a factor adds one without passing another one. Two visitors who know the password can start at the
 * same moment: one of them adds the first factor, and the other one must then pass it.
 */

let service: MfaService;

beforeEach(async () => {
  service = await openMfaService();
});

const alreadyEnrolled = { error: "access_denied", error_description: "User is already enrolled" };
const otherFactor = "Another method was added to your account a moment ago.";

/** Returns the types of the user's confirmed factors. */
async function confirmedTypes(userId = service.ada.userId): Promise<readonly unknown[]> {
  const where = { tenant_id: "main", user_id: userId, confirmed_at: { exists: true } } as const;
  const found = await service.data.collections.factors.find({ where, limit: 100 });
  return found.map(({ type }) => type).toSorted();
}

/** An attempt to add the first factor, up to its first code. */
interface Attempt {
  /** Sends the first code. @returns whether the factor was added. */
  readonly confirm: () => Promise<boolean>;
  /** The recovery code, if it was shown before the confirmation. */
  readonly recoveryCode?: string;
}

const codeNow = (secret: string): string => totpAt(secret, service.clock.now());

/** Starts to add an authenticator app with a token of the MFA API. */
async function startByToken(token: string): Promise<Attempt> {
  const added = jsonBody(await service.associate(token, { authenticator_types: ["otp"] }), 200);
  const secret = stringMember(added, "secret");
  return {
    recoveryCode: String(added["recovery_codes"]),
    confirm: async () => {
      const reply = await service.grant(otpGrant, { mfa_token: token, otp: codeNow(secret) });
      if (reply.status !== 200) expect([reply.status, reply.body]).toEqual([400, expect.objectContaining(alreadyEnrolled)]);
      return reply.status === 200;
    },
  };
}

const audience = "https://id.example.test/mfa/";

/** Returns an access token of the MFA API for a user without factors. */
async function accessToken(): Promise<string> {
  const reply = await service.password(undefined, { audience, scope: "enroll read:authenticators" });
  return stringMember(jsonBody(reply, 200), "access_token");
}

/** Starts to add an authenticator app in a login. */
async function startInLogin(browser: Browser = service.browser()): Promise<Attempt & { readonly state: string }> {
  const { state } = await signInToFactor(service, browser);
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" }));
  const secret = stringMember(totpOf(chosen), "secret");
  return {
    state,
    confirm: async () => {
      const reply = await sendStep(browser, state, { action: "confirm-new-factor", code: codeNow(secret) });
      const body: unknown = await reply.json();
      if (reply.status !== 200) expect([reply.status, body]).toEqual([400, expect.objectContaining(alreadyEnrolled)]);
      return reply.status === 200;
    },
  };
}

/** Starts to add a security key in a login. */
async function startKeyInLogin(): Promise<Attempt> {
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "webauthn-roaming" }));
  const device = createSoftwareAuthenticator({ origin: "https://id.example.test" });
  const response = JSON.stringify(await device.create(creationOptionsSchema.parse(chosen["publicKey"])));
  return {
    confirm: async () => {
      const reply = await sendStep(browser, state, { action: "confirm-key", response });
      const body: unknown = await reply.json();
      if (reply.status !== 200) expect([reply.status, body]).toEqual([400, expect.objectContaining(alreadyEnrolled)]);
      return reply.status === 200;
    },
  };
}

/** Opens a link to add a factor, and starts to add an authenticator app. */
async function startByTicket(
  body: object = {},
): Promise<Attempt & { submit(): Promise<LinkPage>; readonly link: string; browser: Browser }> {
  const path = "/api/v2/guardian/enrollments/ticket";
  const link = stringMember(jsonBody(await service.manage("POST", path, { user_id: service.ada.userId, ...body }), 200), "ticket_url");
  const browser = service.browser();
  const page = await submitLinkForm(browser, await openLink(browser, link), { action: "choose-new-factor", factor: "totp" });
  const [, secret = ""] = /<code dir="ltr">([A-Z2-7 ]+)<\/code>/.exec(page.html) ?? [];
  const submit = () => submitLinkForm(browser, page, { action: "confirm-new-factor", code: codeNow(secret.replaceAll(" ", "")) });
  return {
    link,
    browser,
    submit,
    confirm: async () => {
      const { title, html } = await submit();
      if (title !== "Save your recovery code") expect(html).toContain(otherFactor);
      return title === "Save your recovery code";
    },
  };
}

/** Signs in, and starts to add an authenticator app on the page of the account. */
async function startOnAccountPage(): Promise<Attempt & { submit(): Promise<LinkPage>; browser: Browser }> {
  await setPolicies(service, []);
  const browser = service.browser();
  await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada);
  await setPolicies(service, ["all-applications"]);
  const form = await openSecurity(browser, { view: "add" });
  const chosen = await submitSecurity(browser, form, { action: "choose-new-factor", factor: "totp" });
  const [, secret = ""] = /secret=([A-Z2-7]{32})/.exec(chosen.html) ?? [];
  const submit = () => submitSecurity(browser, chosen, { action: "confirm-new-factor", code: codeNow(secret) });
  return {
    browser,
    submit,
    confirm: async () => {
      const { title, html } = await submit();
      if (title !== "Save your recovery code") expect(html).toContain(otherFactor);
      return title === "Save your recovery code";
    },
  };
}

const ways: readonly (readonly [string, () => Promise<Attempt>])[] = [
  ["an mfa_token", async () => startByToken(stringMember(await service.begin(), "mfa_token"))],
  ["an access token", async () => startByToken(await accessToken())],
  ["a login", startInLogin],
  ["a security key in a login", startKeyInLogin],
  ["an enrollment ticket", startByTicket],
  ["the page of the account", startOnAccountPage],
];

describe.each(ways)("with %s", (name, start) => {
  beforeEach(async () => {
    await service.manage("PUT", "/api/v2/guardian/factors/webauthn-roaming", { enabled: true });
    if (name === "an access token") await setPolicies(service, []);
  });

  test("one of eight parallel first factors is added, with one recovery code", async () => {
    const attempts: Attempt[] = [];
    for (let i = 0; i < 8; i++) attempts.push(await start());
    const added = await Promise.all(attempts.map(({ confirm }) => confirm()));
    expect(added.filter(Boolean)).toHaveLength(1);
    const types = await confirmedTypes();
    expect(types.filter((type) => type === "recovery-code")).toHaveLength(1);
    expect(types).toHaveLength(2);
  });

  test("a factor that a parallel request added is required", async () => {
    const { confirm } = await start();
    const winner = await startByTicket();
    expect(await winner.confirm()).toBe(true);
    expect(await confirm()).toBe(false);
    expect(await confirmedTypes()).toEqual(["recovery-code", "totp"]);
  });
});

test("of parallel first factors with different ways, one is added", async () => {
  const attempts = [
    await startByToken(stringMember(await service.begin(), "mfa_token")),
    await startInLogin(),
    await startByTicket(),
    await startOnAccountPage(),
  ];
  const added = await Promise.all(attempts.map(({ confirm }) => confirm()));
  expect(added.filter(Boolean)).toHaveLength(1);
  expect(await confirmedTypes()).toHaveLength(2);
});

test("only the recovery code of the factor that was added is valid", async () => {
  const attempts: Attempt[] = [];
  for (let i = 0; i < 3; i++) attempts.push(await startByToken(stringMember(await service.begin(), "mfa_token")));
  const added = await Promise.all(attempts.map(({ confirm }) => confirm()));
  const accepted: boolean[] = [];
  for (const { recoveryCode = "" } of attempts) {
    const mfa_token = stringMember(await service.begin(), "mfa_token");
    accepted.push((await service.grant(recoveryGrant, { mfa_token, recovery_code: recoveryCode })).status === 200);
  }
  expect(accepted).toEqual(added);
});

test("the mfa_token of the other one stays valid, and passes the factor that was added", async () => {
  const mfa_token = stringMember(await service.begin(), "mfa_token");
  const loser = await startByToken(mfa_token);
  const { secret } = await service.enrollApp();
  expect(await loser.confirm()).toBe(false);
  expectError(await service.associate(mfa_token, { authenticator_types: ["otp"] }), 400, "access_denied", "already enrolled");
  service.clock.advance("31s");
  jsonBody(await service.grant(otpGrant, { mfa_token, otp: service.codeNow(secret) }), 200);
});

test("the login page says why, and asks for the factor that was added", async () => {
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" }));
  const html = await (await openStep(browser, state)).text();
  const { secret } = await service.enrollApp();
  const code = codeNow(stringMember(totpOf(chosen), "secret"));
  await followRedirects(browser, await sendForm(browser, html, { action: "confirm-new-factor", code }));
  expect(await (await openStep(browser, state)).text()).toContain(otherFactor);
  expect(screenOf(await getFlow(browser, state))).toMatchObject({ name: "factor", problem: "already-enrolled" });
  const done = await submitStep(browser, state, { action: "enter-factor-code", code: service.codeNow(secret) });
  successParameters(redirectOf(done));
});

test("an enrollment ticket stays valid if it allows another factor, and requires the one that was added", async () => {
  const link = await startByTicket({ allow_multiple_enrollments: true });
  const { secret } = await service.enrollApp();
  const page = await link.submit();
  expect(page).toMatchObject({ status: 200, actions: ["enter-factor-code"] });
  expect(page.html).toContain(otherFactor);
  const passed = await submitLinkForm(link.browser, page, { action: "enter-factor-code", code: service.codeNow(secret) });
  // The user continues with the app that was being added.
  expect(passed.actions).toEqual(["confirm-new-factor", "other-new-factor"]);
});

test("the page of the account says why, and asks for the factor that was added", async () => {
  const account = await startOnAccountPage();
  const { secret } = await service.enrollApp();
  const page = await account.submit();
  expect(page.html).toContain(otherFactor);
  const passed = await submitSecurity(account.browser, page, { action: "enter-factor-code", code: service.codeNow(secret) });
  expect(passed.actions).toContain("confirm-new-factor");
  expect((await addPhone(service, account.browser, "+4915112345699")).html).toContain("The method was added.");
});

test("users who passed a factor add others in parallel", async () => {
  await setPolicies(service, []);
  const first = await startByToken(await accessToken());
  expect(await first.confirm()).toBe(true);
  await setPolicies(service, ["all-applications"]);
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  expect(screenName(await getFlow(browser, state))).toBe("factor");
  const recovery = first.recoveryCode ?? "";
  await submitStep(browser, state, { action: "choose-factor", factor: "recovery-code" });
  await submitStep(browser, state, { action: "enter-factor-code", code: recovery });
  await submitStep(browser, state, { action: "recovery-code-stored" });
  const pages: LinkPage[] = [];
  const phones = ["+4915112345601", "+4915112345602", "+4915112345603"];
  for (const phone of phones) {
    const form = await openSecurity(browser, { view: "add", type: "phone" });
    pages.push(await submitSecurity(browser, form, { action: "enter-phone", phone }));
  }
  const codes = phones.map((phone) => codeOf(service.outbox.take(phone)));
  await Promise.all(pages.map((page, i) => submitSecurity(browser, page, { action: "confirm-new-factor", code: codes[i] ?? "" })));
  expect(await confirmedTypes()).toEqual(["phone", "phone", "phone", "recovery-code", "totp"]);
});
