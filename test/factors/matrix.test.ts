import type { Action, PostChallengeApi, PostLoginApi } from "@postern/core";
import { decodeJwt } from "jose";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { jsonBody, list, managerOf, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  codeGrant,
  errorParameters,
  getFlow,
  loginState,
  openStep,
  redirectOf,
  sendAuthorization,
  submitStep,
  successParameters,
  tokens,
  type App,
  type AuthorizationParameters,
  type FlowResult,
  type LoginService,
} from "../support/flow.ts";
import { createTicketLink, openLink, submitLinkForm } from "../support/links.ts";
import { organizationsBy } from "../support/organizations.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import { openFederation, returnFromProvider, submitProviderSignIn, type Federation } from "../upstream/federation.ts";
import { codeGrantType, oobGrant, otpGrant, recoveryGrant } from "./mfa-api-support.ts";
import { screenOf, totpAt } from "./support.ts";

/**
 * Each method of signing in, combined with each factor and with one cause of the second factor in turn. The channel of the first proof
 * gives no second factor, and every other factor completes the sign-in.
 */

const multifactor = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
const appKey = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const database = "Username-Password-Authentication";
const password = "correct horse battery";
const credentials = { client_secret: clientSecret, scope: "openid" };

/** A tenant. `other` inherits its connections from the control plane `main`. */
interface Site {
  readonly manage: Manager;
  readonly app: App;
}

interface Visitor {
  readonly userId: string;
  /** Empty if the account has none. */
  readonly email: string;
  /** The number of the account, or of its phone. */
  readonly phone: string;
  readonly recoveryCode: string;
}

type Factor = "totp" | "text message" | "voice call" | "email" | "recovery-code";
const factors: readonly Factor[] = ["totp", "text message", "voice call", "email", "recovery-code"];
const typeOf = (factor: Factor): string => (factor === "text message" || factor === "voice call" ? "phone" : factor);

interface Way {
  readonly tenant: "main" | "other";
  readonly isGrant?: true;
  /** The second factors that the way leaves, in the order of the offers. */
  readonly offers: readonly string[];
  /** Creates the account. */
  readonly create: (site: Site) => Promise<Omit<Visitor, "recoveryCode">>;
  /** Enters the first factor. @returns the reply of the flow API or of the token endpoint. */
  readonly enter: (site: Site, visitor: Visitor, browser: Browser, more: AuthorizationParameters) => Promise<Entered>;
}

type Entered = { readonly state: string; readonly reply: JsonBody } | { readonly mfaToken: string };

let service: LoginService;
let federation: Federation;
let outbox: Outbox;
let sites: { readonly [tenant in "main" | "other"]: Site };
let serial = 0;
let onLogin: ((api: PostLoginApi) => void) | undefined;
let onChallenge: ((api: PostChallengeApi) => void) | undefined;

beforeAll(async () => {
  outbox = createOutbox();
  const action: Action = {
    name: "demands",
    onExecutePostLogin: (_, api) => onLogin?.(api),
    onExecutePostChallenge: (_, api) => onChallenge?.(api),
  };
  federation = await openFederation({
    controlPlane: { tenantId: "main", clientId: "shared-client" },
    sync: false,
    actions: [action],
    messages: { mail: outbox.mail, sms: outbox.phone },
    limits: { newNumberMessagesPerTenant: 1000 },
  });
  ({ service } = federation);
  await federation.connect();
  sites = { main: await openSite("main"), other: await openSite("other") };
});

afterEach(() => {
  onLogin = undefined;
  onChallenge = undefined;
});

async function openSite(tenantId: "main" | "other"): Promise<Site> {
  const manage: Manager = await managerOf(service, tenantId);
  // The connection of `other` has no settings, so it uses the provider of the control plane.
  if (tenantId === "other") await manage.create("/api/v2/connections", { name: "fieldnotes", strategy: "oidc" });
  const clientId = `matrix-${tenantId}`;
  const redirectUri = "https://app.example.test/callback";
  const grant_types = ["authorization_code", "password", codeGrantType, otpGrant, oobGrant, recoveryGrant];
  const settings = {
    name: clientId,
    app_type: "regular_web" as const,
    callbacks: [redirectUri],
    grant_types,
    organization_usage: "allow" as const,
  };
  await service.postern.seed({ tenantId, clients: [{ clientId, settings, secret: clientSecret }] });
  for (const name of ["email", "sms"]) await manage.create("/api/v2/connections", { name, strategy: name });
  for (const { id } of list(await manage("GET", "/api/v2/connections")))
    await manage("PATCH", `/api/v2/connections/${String(id)}/clients`, [{ client_id: clientId, status: true }]);
  for (const name of ["otp", "sms", "email", "recovery-code"]) await manage("PUT", `/api/v2/guardian/factors/${name}`, { enabled: true });
  jsonBody(await manage("PUT", "/api/v2/guardian/factors/phone/message-types", { message_types: ["sms", "voice"] }));
  return { manage, app: { clientId, redirectUri, secret: clientSecret } };
}

const setPolicies = async ({ manage }: Site, policies: readonly string[]): Promise<void> =>
  expect((await manage("PUT", "/api/v2/guardian/policies", policies)).status).toBe(200);

const nextAddress = (): string => `visitor-${serial++}@people.example`;
const nextPhone = (): string => `+49${1500 + serial++}5550100`;

async function createWithPassword({ manage }: Site): Promise<Omit<Visitor, "recoveryCode">> {
  const email = nextAddress();
  const user = await manage.create("/api/v2/users", { connection: database, email, password, email_verified: true });
  return { userId: stringMember(user, "user_id"), email, phone: nextPhone() };
}

/** Creates an account whose owner sets the password with a code by email. */
async function createWithMailedPassword(site: Site): Promise<Omit<Visitor, "recoveryCode">> {
  const visitor = await createWithPassword(site);
  const { state } = await enterReset(site, visitor);
  await submitStep(state.browser, state.id, { action: "set-password", password });
  return visitor;
}

/** Creates an account whose owner sets the password with the link of a ticket. */
async function createWithTicket(site: Site): Promise<Omit<Visitor, "recoveryCode">> {
  const visitor = await createWithPassword(site);
  const browser = service.browser();
  const link = await createTicketLink({ ...service, manage: site.manage }, "password-change", { user_id: visitor.userId });
  await submitLinkForm(browser, await openLink(browser, link), { password });
  return visitor;
}

/** Creates an account with an invitation. */
async function createWithInvitation({ manage, app }: Site): Promise<Omit<Visitor, "recoveryCode">> {
  const email = nextAddress();
  const organization = await organizationsBy(manage).create(`company-${serial++}`);
  const body = { inviter: { name: "Ann" }, invitee: { email }, client_id: app.clientId };
  const sent = await manage.create(`/api/v2/organizations/${organization}/invitations`, body);
  const browser = service.browser();
  const invitation = stringMember(sent, "ticket_id");
  const state = loginState(await sendAuthorization(browser, app, { invitation, organization }));
  const { code = "" } = successParameters(redirectOf(await submitStep(browser, state, { action: "create-account", password })));
  const { sub = "" } = decodeJwt(tokens(await service.exchange(codeGrant(app, code))).id ?? "");
  return { userId: sub, email, phone: nextPhone() };
}

/** Signs up with a code. */
const createWithCode =
  (connection: "email" | "sms") =>
  async (site: Site): Promise<Omit<Visitor, "recoveryCode">> => {
    const [email, phone] = [connection === "email" ? nextAddress() : "", nextPhone()];
    const browser = service.browser();
    const entered = await enterCode(connection)(site, { userId: "", email, phone, recoveryCode: "" }, browser, {});
    if (!("reply" in entered)) throw new Error("no login page");
    const { code = "" } = successParameters(redirectOf(entered.reply));
    const { sub = "" } = decodeJwt(tokens(await service.exchange(codeGrant(site.app, code))).id ?? "");
    return { userId: sub, email, phone };
  };

const enterPassword: Way["enter"] = async ({ app }, { email }, browser, more) => {
  const state = loginState(await sendAuthorization(browser, app, more));
  await submitStep(browser, state, { action: "continue", identifier: email });
  return { state, reply: await submitStep(browser, state, { action: "sign-in", password }) };
};

const enterCode =
  (connection: "email" | "sms"): Way["enter"] =>
  async ({ app }, { email, phone }, browser, more) => {
    const identifier = connection === "email" ? email : phone;
    const state = loginState(await sendAuthorization(browser, app, { ...more, connection }));
    await submitStep(browser, state, { action: "continue", identifier });
    return { state, reply: await submitStep(browser, state, { action: "enter-code", code: codeOf(outbox.take(identifier)) }) };
  };

/** Signs in at the identity provider and returns from there. */
async function returnToLogin({ app }: Site, email: string, browser: Browser, more: AuthorizationParameters): Promise<FlowResult> {
  const state = loginState(await sendAuthorization(browser, app, { ...more, connection: "fieldnotes" }));
  const begun = await openStep(browser, state, "provider");
  const account = { email, password, userId: "" };
  return returnFromProvider(browser, await submitProviderSignIn(federation, begun.headers.get("location") ?? "", account));
}

/** Creates an account with the first sign-in at the identity provider. */
async function createAtProvider(site: Site): Promise<Omit<Visitor, "recoveryCode">> {
  const { email } = await federation.provider.addUser(nextAddress());
  const { code = "" } = successParameters(await returnToLogin(site, email, service.browser(), {}));
  const { sub = "" } = decodeJwt(tokens(await service.exchange(codeGrant(site.app, code))).id ?? "");
  return { userId: sub, email, phone: nextPhone() };
}

const enterAtProvider: Way["enter"] = async (site, { email }, browser, more) => {
  const state = loginState(await returnToLogin(site, email, browser, more));
  return { state, reply: await getFlow(browser, state) };
};

const mfaTokenOf = (response: ApiResponse): Entered => ({ mfaToken: stringMember(jsonBody(response, 403), "mfa_token") });

const enterPasswordGrant: Way["enter"] = async ({ app }, { email }) =>
  mfaTokenOf(await service.exchange({ grant_type: "password", client_id: app.clientId, ...credentials, username: email, password }));

const enterCodeGrant: Way["enter"] = async ({ app }, { email }) => {
  const client = { client_id: app.clientId, client_secret: clientSecret };
  await service.call("POST", "/passwordless/start", { body: { ...client, connection: "email", email, send: "code" } });
  const otp = codeOf(outbox.take(email));
  return mfaTokenOf(
    await service.exchange({ grant_type: codeGrantType, client_id: app.clientId, ...credentials, realm: "email", username: email, otp }),
  );
};

/** Enters the code for a new password. */
async function enterReset({ app }: Site, { email }: Pick<Visitor, "email">) {
  const browser = service.browser();
  const id = loginState(await sendAuthorization(browser, app));
  await submitStep(browser, id, { action: "continue", identifier: email });
  await submitStep(browser, id, { action: "forgot-password" });
  await submitStep(browser, id, { action: "send-reset", identifier: email });
  const reply = await submitStep(browser, id, { action: "enter-code", code: codeOf(outbox.take(email)) });
  return { state: { browser, id }, reply };
}

const all = ["totp", "phone", "email", "recovery-code"];
const except = (...types: readonly string[]): readonly string[] => all.filter((type) => !types.includes(type));

const ways: { readonly [name: string]: Way } = {
  "a password": { tenant: "main", offers: all, create: createWithPassword, enter: enterPassword },
  "a password that was set by mail": { tenant: "main", offers: except("email"), create: createWithMailedPassword, enter: enterPassword },
  "a password of a ticket": { tenant: "main", offers: except("email"), create: createWithTicket, enter: enterPassword },
  "a password of an invitation": { tenant: "main", offers: except("email"), create: createWithInvitation, enter: enterPassword },
  "a code by email": { tenant: "main", offers: except("email"), create: createWithCode("email"), enter: enterCode("email") },
  // The account has no email address.
  "a code by text message": { tenant: "main", offers: except("phone", "email"), create: createWithCode("sms"), enter: enterCode("sms") },
  "the password grant": { tenant: "main", isGrant: true, offers: all, create: createWithPassword, enter: enterPasswordGrant },
  "the grant for codes": { tenant: "main", isGrant: true, offers: except("email"), create: createWithCode("email"), enter: enterCodeGrant },
  "a sign-in at an identity provider": { tenant: "main", offers: all, create: createAtProvider, enter: enterAtProvider },
  "a password in a tenant that inherits": { tenant: "other", offers: all, create: createWithPassword, enter: enterPassword },
  "a code of an inherited connection": {
    tenant: "other",
    offers: except("email"),
    create: createWithCode("email"),
    enter: enterCode("email"),
  },
  "a sign-in at an inherited identity provider": { tenant: "other", offers: all, create: createAtProvider, enter: enterAtProvider },
};

/** The causes of the second factor. A grant has no `acr_values`. */
const causes = ["a policy", "acr_values", "an action"] as const;

async function addVisitor(site: Site, { create }: Pick<Way, "create">): Promise<Visitor> {
  await setPolicies(site, []);
  const visitor = await create(site);
  const path = `/api/v2/users/${encodeURIComponent(visitor.userId)}`;
  await site.manage.create(`${path}/authentication-methods`, { type: "totp", totp_secret: appKey });
  await site.manage.create(`${path}/authentication-methods`, { type: "phone", phone_number: visitor.phone });
  const renewed = jsonBody(await site.manage("POST", `${path}/recovery-code-regeneration`));
  outbox.sent.length = 0;
  return { ...visitor, recoveryCode: stringMember(renewed, "recovery_code") };
}

const offersIn = (reply: JsonBody): readonly string[] => {
  const { factor, others } = screenOf(reply);
  return [factor, ...(Array.isArray(others) ? others : [])].map(String);
};

const codeFor = ({ phone, email, recoveryCode }: Visitor, factor: Factor): string => {
  if (factor === "totp") return totpAt(appKey, service.clock.now());
  if (factor === "recovery-code") return recoveryCode;
  if (factor === "voice call") return codeOf(outbox.calls.at(-1) ?? {});
  return codeOf(outbox.take(factor === "email" ? email : phone));
};

/** Passes a factor. @returns the `acr` of the ID token; undefined if no login is completed. */
async function pass(site: Site, visitor: Visitor, browser: Browser, entered: Entered, factor: Factor): Promise<unknown> {
  if ("mfaToken" in entered) return decodeJwt(tokens(await passByGrant(site, visitor, entered.mfaToken, factor)).id ?? "")["acr"];
  const { state } = entered;
  await submitStep(browser, state, { action: "choose-factor", factor: typeOf(factor) });
  if (factor === "voice call") await submitStep(browser, state, { action: "send-factor-code", channel: "voice" });
  let reply = await submitStep(browser, state, { action: "enter-factor-code", code: codeFor(visitor, factor) });
  service.clock.advance("31s");
  if (!("redirect_to" in reply) && screenOf(reply)["name"] === "recovery-code")
    reply = await submitStep(browser, state, { action: "recovery-code-stored" });
  if (!("redirect_to" in reply)) return undefined;
  const { code = "" } = successParameters(redirectOf(reply));
  return decodeJwt(tokens(await service.exchange(codeGrant(site.app, code))).id ?? "")["acr"];
}

async function passByGrant({ app }: Site, visitor: Visitor, mfa_token: string, factor: Factor): Promise<ApiResponse> {
  const client = { client_id: app.clientId, client_secret: clientSecret, mfa_token };
  if (factor === "totp") return service.exchange({ grant_type: otpGrant, ...client, otp: codeFor(visitor, factor) });
  if (factor === "recovery-code")
    return service.exchange({ grant_type: recoveryGrant, ...client, recovery_code: codeFor(visitor, factor) });
  const found = list(await service.call("GET", "/mfa/authenticators", { token: mfa_token })).find(({ type }) => type === typeOf(factor));
  const id = stringMember(found ?? {}, "id");
  const authenticator_id = factor === "voice call" ? id.replace("phone", "voice") : id;
  const challenged = jsonBody(await service.call("POST", "/mfa/challenge", { body: { ...client, authenticator_id } }));
  const oob_code = stringMember(challenged, "oob_code");
  return service.exchange({ grant_type: oobGrant, ...client, oob_code, binding_code: codeFor(visitor, factor) });
}

/** Returns the types that the visitor is offered. */
async function offersAt(entered: Entered): Promise<readonly string[]> {
  if ("reply" in entered) return offersIn(entered.reply);
  const listed = list(await service.call("GET", "/mfa/authenticators", { token: entered.mfaToken }));
  const types = new Set(listed.map(({ type }) => (type === "otp" ? "totp" : String(type))));
  return all.filter((type) => types.has(type));
}

const cells = Object.entries(ways).flatMap(([name, way], row) =>
  factors.map((factor, column) => {
    const cause = causes[(row + column) % causes.length] ?? "a policy";
    return [name, factor, way.isGrant && cause === "acr_values" ? "a policy" : cause] as const;
  }),
);

test.each(cells)("after %s, %s counts only if it goes through another channel, because of %s", async (name, factor, cause) => {
  const way = ways[name];
  if (way === undefined) throw new Error(name);
  const site = sites[way.tenant];
  const visitor = await addVisitor(site, way);
  if (cause === "a policy") await setPolicies(site, ["all-applications"]);
  if (cause === "an action") onLogin = (api) => api.multifactor.enable("any");
  const browser = service.browser();
  const entered = await way.enter(site, visitor, browser, cause === "acr_values" ? { acr_values: multifactor } : {});
  expect(await offersAt(entered)).toEqual(way.offers);
  if (way.offers.includes(typeOf(factor))) {
    expect(await pass(site, visitor, browser, entered, factor)).toBe(multifactor);
    return;
  }
  if ("state" in entered) {
    const { state } = entered;
    await submitStep(browser, state, { action: "choose-factor", factor: typeOf(factor) });
    expect(screenOf(await getFlow(browser, state))["factor"]).not.toBe(typeOf(factor));
  }
  expect(outbox.calls.filter(({ to }) => to === visitor.phone)).toEqual([]);
  expect(outbox.sent.filter(({ code }) => code !== undefined)).toEqual([]);
});

describe("before a new password, an action that requires", () => {
  const types = { totp: "otp", "text message": "phone", "voice call": "phone", email: "email", "recovery-code": "recovery-code" } as const;

  test.each(factors.filter((factor) => factor !== "email"))("%s gets it, in a tenant and in one that inherits", async (factor) => {
    onChallenge = (api) => api.authentication.challengeWith({ type: types[factor] });
    for (const site of [sites.main, sites.other]) {
      const visitor = await addVisitor(site, { create: createWithPassword });
      const { state, reply } = await enterReset(site, visitor);
      expect(offersIn(reply)).toEqual([typeOf(factor)]);
      await pass(site, visitor, state.browser, { state: state.id, reply }, factor);
      const done = await submitStep(state.browser, state.id, { action: "set-password", password: "a new password 1" });
      expect(done).not.toHaveProperty("screen.name", "factor");
    }
  });

  test("a code by email refuses the reset, because the mailbox is the channel of the first proof", async () => {
    onChallenge = (api) => api.authentication.challengeWith({ type: "email" });
    const visitor = await addVisitor(sites.main, { create: createWithPassword });
    const { reply } = await enterReset(sites.main, visitor);
    expect(errorParameters(redirectOf(reply))).toMatchObject({ error: "access_denied" });
  });
});
