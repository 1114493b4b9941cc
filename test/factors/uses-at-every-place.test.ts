import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { creationOptionsSchema, requestOptionsSchema } from "../../packages/core/src/model/factors/webauthn.ts";
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { openSecurity, submitSecurity } from "../account/support.ts";
import { jsonBody, list, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  getFlow,
  loginState,
  obtainTokens,
  redirectOf,
  screenName,
  sendAuthorization,
  submitStep,
  type AuthorizationParameters,
} from "../support/flow.ts";
import { createTicketLink, openLink, submitLinkForm, type LinkPage } from "../support/links.ts";
import { codeOf } from "../support/outbox.ts";
import { managementAudience } from "../support/postern.ts";
import { appKey, openLinkingService, userPath, type LinkingService } from "./linked-support.ts";
import { setPasskeys } from "./passkey-api-support.ts";
import { exchangeLoginCode, screenOf, setPolicies, totpAt } from "./support.ts";

/** The uses of each factor, at every place that accepts one. The expected values do not come from the source. */

const multifactor = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
const phone = "+4915112345678";
const mfaApi = { audience: "https://id.example.test/mfa/", scope: "openid enroll read:authenticators remove:authenticators" };
const linkingScope = "openid update:current_user_identities";

/** How a user authenticates, and what that is good for. */
interface Use {
  readonly first: "password" | "passkey";
  readonly factor?: "passkey" | "webauthn-roaming" | "totp" | "phone" | "email" | "recovery-code";
  /** The tenant's setting `passkey_counts_as_factor`. */
  readonly counts?: false;
  readonly satisfiesPolicy: boolean;
  readonly givesPhr: boolean;
  readonly permitsChanges: boolean;
}

const strong = { satisfiesPolicy: true, givesPhr: true, permitsChanges: true };
const ordinary = { satisfiesPolicy: true, givesPhr: false, permitsChanges: true };

const uses: { readonly [name: string]: Use } = {
  "a passkey alone": { first: "passkey", ...strong },
  "a passkey alone that does not count as a factor": {
    first: "passkey",
    counts: false,
    satisfiesPolicy: false,
    givesPhr: true,
    permitsChanges: false,
  },
  "a passkey after a password": { first: "password", factor: "passkey", ...strong },
  "a security key": { first: "password", factor: "webauthn-roaming", ...strong },
  "an authenticator app": { first: "password", factor: "totp", ...ordinary },
  "a code by text message": { first: "password", factor: "phone", ...ordinary },
  "a code by email": { first: "password", factor: "email", satisfiesPolicy: true, givesPhr: false, permitsChanges: false },
  "a recovery code": { first: "password", factor: "recovery-code", ...ordinary },
  "a password alone": { first: "password", satisfiesPolicy: false, givesPhr: false, permitsChanges: false },
};

let service: LinkingService;
let key: SoftwareAuthenticator;
let passkeyDevice: SoftwareAuthenticator;
let recoveryCode: string;

const policies = (isSet: boolean): Promise<void> => setPolicies(service, isSet ? ["all-applications"] : []);
const codeNow = (): string => totpAt(appKey, service.clock.now());

/** Enters the first factor. */
async function begin(browser: Browser, { first }: Pick<Use, "first">, parameters: AuthorizationParameters = {}) {
  const state = loginState(await sendAuthorization(browser, service.web, parameters));
  if (first === "passkey") {
    const { passkey } = screenOf(await getFlow(browser, state));
    const response = JSON.stringify(await passkeyDevice.get(requestOptionsSchema.parse(Object(passkey).publicKey)));
    return { state, reply: await submitStep(browser, state, { action: "use-passkey", response }) };
  }
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  return { state, reply: await submitStep(browser, state, { action: "sign-in", password: service.ada.password, passkeys: "available" }) };
}

/** Passes the factor in a login. */
async function pass(browser: Browser, state: string, factor: NonNullable<Use["factor"]>): Promise<JsonBody> {
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-factor", factor }));
  expect(chosen["factor"]).toBe(factor);
  if (factor === "passkey" || factor === "webauthn-roaming") {
    const device = factor === "passkey" ? passkeyDevice : key;
    const response = JSON.stringify(await device.get(requestOptionsSchema.parse(chosen["publicKey"])));
    return submitStep(browser, state, { action: "use-key", response });
  }
  const reply = await submitStep(browser, state, { action: "enter-factor-code", code: codeFor(factor) });
  service.clock.advance("31s");
  if ("redirect_to" in reply || screenName(reply) !== "recovery-code") return reply;
  recoveryCode = stringMember(screenOf(reply), "code");
  return submitStep(browser, state, { action: "recovery-code-stored" });
}

function codeFor(factor: "totp" | "phone" | "email" | "recovery-code"): string {
  if (factor === "totp") return codeNow();
  if (factor === "recovery-code") return recoveryCode;
  return codeOf(service.outbox.take(factor === "phone" ? phone : service.ada.email));
}

const isSignedIn = (reply: JsonBody): boolean => "redirect_to" in reply || screenName(reply) === "add-passkey";

/** Signs in as a use says. The policy stays set only if the use satisfies it. */
async function signIn(browser: Browser, use: Use): Promise<JsonBody> {
  await policies(true);
  const { state, reply } = await begin(browser, use);
  const passed = use.factor === undefined ? reply : await pass(browser, state, use.factor);
  expect(isSignedIn(passed), "the policy").toBe(use.satisfiesPolicy);
  await policies(false);
  return use.satisfiesPolicy ? passed : (await begin(browser, use)).reply;
}

const offersIn = (reply: JsonBody): readonly string[] => {
  const { factor, others } = screenOf(reply);
  return [factor, ...(Array.isArray(others) ? others : [])].map(String);
};

const unescaped = (text: string): string => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

async function addFactors(hasPasskey: boolean): Promise<void> {
  const browser = service.browser();
  await policies(true);
  const { state } = await begin(browser, { first: "password" });
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "webauthn-roaming" }));
  const response = JSON.stringify(await key.create(creationOptionsSchema.parse(chosen["publicKey"])));
  await submitStep(browser, state, { action: "confirm-key", response });
  await submitStep(browser, state, { action: "recovery-code-stored" });
  await policies(false);
  if (hasPasskey) {
    const page = await openSecurity(browser, { view: "add", type: "passkey" });
    const [, options = "{}"] = /data-key-options="([^"]*)"/.exec(page.html) ?? [];
    const created = await passkeyDevice.create(creationOptionsSchema.parse(JSON.parse(unescaped(options))));
    await submitSecurity(browser, page, { action: "confirm-key", response: JSON.stringify(created) });
  }
  const methods = `${userPath(service.ada)}/authentication-methods`;
  await service.manage.create(methods, { type: "totp", totp_secret: appKey });
  await service.manage.create(methods, { type: "phone", phone_number: phone });
  const renewed = await service.manage("POST", `${userPath(service.ada)}/recovery-code-regeneration`);
  recoveryCode = stringMember(jsonBody(renewed), "recovery_code");
}

beforeEach(async () => {
  service = await openLinkingService();
  await setPasskeys(service, true);
  await service.manage("PUT", "/api/v2/guardian/factors/webauthn-roaming", { enabled: true });
  key = createSoftwareAuthenticator({ origin: "https://id.example.test" });
  passkeyDevice = createSoftwareAuthenticator({ origin: "https://id.example.test" });
});

/** Whether an authorization request gets a code without a page. */
async function isSilent(browser: Browser, parameters: AuthorizationParameters): Promise<boolean> {
  const result = await sendAuthorization(browser, service.web, { ...parameters, prompt: "none" });
  return result.kind === "response" && "code" in result.parameters;
}

/** Whether a login with this use gets tokens of the MFA API. The factor must be passed in this login. */
async function getsMfaTokens(use: Use): Promise<boolean> {
  const browser = service.browser();
  const { state, reply } = await begin(browser, use, mfaApi);
  if (isSignedIn(reply) || use.factor === undefined) return isSignedIn(reply);
  return offersIn(reply).includes(use.factor) && isSignedIn(await pass(browser, state, use.factor));
}

describe.each(Object.entries(uses))("%s", (_, use) => {
  test("is worth the same at the login, at a step-up, on the account page, at the MFA API and for a link", async () => {
    await addFactors(true);
    const counts = use.counts ?? true;
    await service.manage("PATCH", "/api/v2/tenants/settings", { passkey_counts_as_factor: counts });
    const browser = service.browser();
    const redirected = redirectOf(await signIn(browser, use));
    if (redirected.kind !== "response") throw new Error("no response");
    const idToken = stringMember(await exchangeLoginCode(service, redirected.parameters["code"] ?? ""), "id_token");
    const ann = await service.addLinkingUser("ann@example.test");
    const { access } = await obtainTokens(service, service.web, ann, { scope: linkingScope, audience: managementAudience });
    expect({
      acr: decodeJwt(idToken)["acr"],
      stepUp: await isSilent(browser, { acr_values: multifactor }),
      phr: await isSilent(browser, { acr_values: "phr" }),
      accountPage: (await openSecurity(browser, { view: "add" })).title === "Set up two\u2011step verification",
      mfaApi: await getsMfaTokens(use),
      // Ends the sessions of the account.
      link: (await service.link(ann, access, idToken)).status,
    }).toEqual({
      acr: use.satisfiesPolicy ? multifactor : undefined,
      stepUp: use.satisfiesPolicy,
      phr: use.givesPhr,
      accountPage: use.permitsChanges,
      mfaApi: use.permitsChanges,
      link: use.permitsChanges ? 201 : 403,
    });
  });
});

describe.each(Object.entries(uses).filter(([, { first, factor }]) => first === "password" && factor !== "passkey"))("%s", (_, use) => {
  test("is worth the same for the offer of a passkey at the login", async () => {
    await addFactors(false);
    const reply = await signIn(service.browser(), use);
    expect("screen" in reply && screenName(reply) === "add-passkey").toBe(use.permitsChanges);
  });
});

/** Returns the types of the factors that a page lets the user choose, with the current one. */
function typesOn({ html }: LinkPage): readonly string[] {
  return [...new Set([...html.matchAll(/name="(?:current_factor|factor)" value="([a-z-]+)"/g)].map(([, type = ""]) => type))].toSorted();
}

describe("a user with every factor", () => {
  const all = ["email", "passkey", "phone", "recovery-code", "totp", "webauthn-roaming"];
  const withoutMail = all.filter((type) => type !== "email");
  const mailCode = { action: "choose-factor", factor: "email" } as const;

  beforeEach(async () => {
    await addFactors(true);
    service.outbox.sent.length = 0;
  });

  /** Enters the code for a new password. */
  async function reset(): Promise<{ readonly browser: Browser; readonly state: string; readonly reply: JsonBody }> {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "forgot-password" });
    await submitStep(browser, state, { action: "send-reset", identifier: service.ada.email });
    const code = codeOf(service.outbox.take(service.ada.email));
    return { browser, state, reply: await submitStep(browser, state, { action: "enter-code", code }) };
  }

  test.each([
    ["a login", {}, all],
    ["a step-up", { acr_values: multifactor }, all],
    ["a step-up to phr", { acr_values: "phr" }, ["passkey", "webauthn-roaming"]],
    ["a login for the MFA API", mfaApi, withoutMail],
  ] as const)("is offered at %s the factors that count there, and no other by a forged form", async (_, parameters, expected) => {
    await policies(!("audience" in parameters) && !("acr_values" in parameters));
    const browser = service.browser();
    const { state, reply } = await begin(browser, { first: "password" }, parameters);
    expect(offersIn(reply).toSorted()).toEqual(expected);
    for (const factor of all.filter((type) => !expected.some((one) => one === type)))
      expect(screenOf(await submitStep(browser, state, { action: "choose-factor", factor }))["factor"]).not.toBe(factor);
    if (!expected.some((one) => one === "email")) expect(service.outbox.sent).toEqual([]);
  });

  test("is offered no code by email for a new password in the login", async () => {
    const { browser, state, reply } = await reset();
    expect(offersIn(reply).toSorted()).toEqual(withoutMail);
    expect(screenOf(await submitStep(browser, state, mailCode))["factor"]).not.toBe("email");
    expect(service.outbox.sent).toEqual([]);
  });

  test.each(["passkey", "webauthn-roaming", "totp", "phone", "recovery-code"] as const)(
    "sets a new password in the login after %s",
    async (factor) => {
      const { browser, state } = await reset();
      expect(screenName(await pass(browser, state, factor))).toBe("new-password");
    },
  );

  test.each<readonly [string, () => Promise<string>]>([
    ["a link for a new password", () => createTicketLink(service, "password-change", { user_id: service.ada.userId })],
    [
      "a link for another factor",
      async () => {
        const body = { user_id: service.ada.userId, allow_multiple_enrollments: true };
        return stringMember(jsonBody(await service.manage("POST", "/api/v2/guardian/enrollments/ticket", body)), "ticket_url");
      },
    ],
  ])("is offered no code by email at %s", async (_, createLink) => {
    const browser = service.browser();
    const page = await openLink(browser, await createLink());
    expect(typesOn(page)).toEqual(withoutMail);
    expect(typesOn(await submitLinkForm(browser, page, mailCode))).toEqual(withoutMail);
    expect(service.outbox.sent).toEqual([]);
  });

  test("is offered no code by email on the page of the account", async () => {
    const browser = service.browser();
    await begin(browser, { first: "password" });
    const page = await openSecurity(browser, { view: "add" });
    expect(typesOn(page)).toEqual(withoutMail);
    expect(typesOn(await submitSecurity(browser, page, mailCode))).toEqual(withoutMail);
    expect(service.outbox.sent).toEqual([]);
  });

  test.each([
    ["tokens", {}, ["email", "otp", "phone"]],
    ["tokens of the MFA API", mfaApi, ["otp", "phone"]],
  ] as const)("can request %s by API only after a factor that counts there", async (_, parameters, expected) => {
    await policies(true);
    const mfa_token = stringMember(await service.begin(service.ada, parameters), "mfa_token");
    const listed = list(await service.authenticators(mfa_token));
    const challenged = new Set<string>();
    for (const one of listed) {
      const { status } = await service.challenge(mfa_token, { authenticator_id: stringMember(one, "id") });
      if (status === 200) challenged.add(stringMember(one, "type"));
    }
    // A recovery code needs no challenge.
    expect(listed.map(({ type }) => String(type)).toSorted()).toEqual([...expected, "recovery-code"]);
    expect([...challenged].toSorted()).toEqual(expected);
  });
});

describe("a user whose only confirmed factor is", () => {
  const methods = {
    totp: { totp_secret: appKey },
    phone: { phone_number: phone },
    email: { email: "other@example.test" },
  };

  test.each([
    ["totp", "factor"],
    ["phone", "factor"],
    ["email", "add-factor"],
  ] as const)("%s is at the policy asked for the screen %s", async (type, screen) => {
    await service.manage.create(`${userPath(service.ada)}/authentication-methods`, { type, ...methods[type] });
    await policies(true);
    expect(screenName((await begin(service.browser(), { first: "password" })).reply)).toBe(screen);
  });
});
