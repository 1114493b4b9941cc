import { deviceCodeGrantType, passkeyGrantType } from "../../packages/core/src/model/clients/grant-types.ts";
import { poll, signInForDevice, startDevice } from "../devices/support.ts";
import { stringMember, type JsonBody } from "../support/api.ts";
import { formFields, type Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  authorizeParameters,
  getFlow,
  loginState,
  obtainTokens,
  offline,
  openStep,
  readRedirect,
  readResult,
  redirectOf,
  refreshGrant,
  screenName,
  submitStep,
  type TestAccount,
  type App,
  type AuthorizationParameters,
  type FlowResult,
  type LoginService,
} from "../support/flow.ts";
import { createTicketLink, openLink, submitLinkForm, type LinkPage } from "../support/links.ts";
import { organizationsBy } from "../support/organizations.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import { openFederation, returnFromProvider, submitProviderSignIn, signInWithProvider, type Federation } from "../upstream/federation.ts";
import { mfaAppOrigin, codeGrantType, otpGrant } from "./mfa-api-support.ts";
import { passkeyApiOf, setPasskeys } from "./passkey-api-support.ts";
import { setPolicies, totpAt } from "./support.ts";

const database = "Username-Password-Authentication";
const realmGrant = "http://auth0.com/oauth/grant-type/password-realm";
const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

/** A service with an identity provider, all factors and one client that may use every sign-in method. */
export interface World {
  readonly service: LoginService;
  readonly federation: Federation;
  readonly outbox: Outbox;
  readonly app: App;
}

/** Opens a {@link World} without a policy. */
export async function openWorld(): Promise<World> {
  const outbox = createOutbox();
  const federation = await openFederation({ messages: { mail: outbox.mail, sms: outbox.sms } });
  const { service } = federation;
  await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
  const app = await service.register({
    secret: true,
    grant_types: [
      "authorization_code",
      "refresh_token",
      "implicit",
      "password",
      realmGrant,
      codeGrantType,
      otpGrant,
      exchangeGrant,
      passkeyGrantType,
      deviceCodeGrantType,
    ],
    cross_origin_authentication: true,
    allowed_origins: [mfaAppOrigin],
    organization_usage: "allow",
    initiate_login_uri: "https://app.example.test/login",
  });
  await federation.connect();
  await federation.enableFor(app);
  for (const name of ["otp", "recovery-code"]) await service.manage("PUT", `/api/v2/guardian/factors/${name}`, { enabled: true });
  return { service, federation, outbox, app };
}

/** How far a user got without a second factor. */
export type WayInResult =
  | { readonly kind: "browser"; readonly browser: Browser; readonly result: FlowResult }
  | { readonly kind: "grant"; readonly response: ApiResponse };

/** The users of a world. A way that creates users or links accounts chooses its own. */
export interface Travellers {
  /** A user with a password. */
  readonly local: TestAccount;
  /** A user who signs in with codes. */
  readonly mailed: string;
  /** A user of the identity provider. */
  readonly federated: TestAccount;
}

/** Adds the users of a world. */
export async function addTravellers({ service, federation }: World): Promise<Travellers> {
  return {
    local: await service.addUser("local@people.example"),
    mailed: "mailed@people.example",
    federated: await federation.provider.addUser("federated@people.example"),
  };
}

/** A way that signs a user in or issues a token. */
export type Way = (world: World, travellers: Travellers) => Promise<WayInResult>;

/** Returns the members of a JSON object. Throws for any other value. */
export function jsonMembersOf(value: unknown): JsonBody {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`no JSON object: ${JSON.stringify(value)}`);
  return { ...value };
}

/** Returns the result of a reply of the flow API: a screen of the same login session, or a redirect. */
function resultOf(state: string, reply: JsonBody): FlowResult {
  return "redirect_to" in reply ? redirectOf(reply) : { kind: "login", state };
}

const inBrowser = (browser: Browser, result: FlowResult): WayInResult => ({ kind: "browser", browser, result });

async function byPassword(
  { service, app }: World,
  { email, password }: TestAccount,
  parameters: AuthorizationParameters = {},
): Promise<WayInResult> {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, app, parameters));
  await submitStep(browser, state, { action: "continue", identifier: email });
  return inBrowser(browser, resultOf(state, await submitStep(browser, state, { action: "sign-in", password })));
}

/** Begins a login with a code. @returns the code and the link in the mail. */
async function requestCode(
  { service, app, outbox }: World,
  email: string,
): Promise<{
  readonly browser: Browser;
  readonly state: string;
  readonly code: string;
  readonly form: { readonly [name: string]: string };
}> {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, app, { connection: "email" }));
  await submitStep(browser, state, { action: "continue", identifier: email });
  const mail = outbox.take(email);
  return { browser, state, code: codeOf(mail), form: Object.fromEntries(new URL(mail.link ?? "").searchParams) };
}

/** Starts a passwordless login of the application's own page. */
async function startCode(
  { service, app, outbox }: World,
  email: string,
  more: object,
): Promise<{ readonly code: string; readonly link: string }> {
  const body = { client_id: app.clientId, client_secret: clientSecret, connection: "email", email, ...more };
  await service.call("POST", "/passwordless/start", { body });
  const { code = "", link = "" } = outbox.take(email);
  return { code, link };
}

/** Sends the form of a page. @returns the redirect URL. */
async function sendPage(
  browser: Browser,
  path: string,
  { html }: LinkPage,
  fields: (html: string) => { [name: string]: string },
): Promise<string> {
  const response = await browser.post(path, { form: fields(html) });
  return response.headers.get("location") ?? "";
}

async function byTicket(world: World, credentials: object, parameters: AuthorizationParameters = {}): Promise<WayInResult> {
  const { service, app } = world;
  const browser = service.browser();
  const json = { client_id: app.clientId, ...credentials };
  const response = await browser.post("/co/authenticate", { json, headers: { origin: mfaAppOrigin } });
  const body = jsonMembersOf(await response.json());
  return inBrowser(browser, await sendAuthorization(browser, app, { login_ticket: stringMember(body, "login_ticket"), ...parameters }));
}

const credentialsOf = ({ clientId }: App) => ({ client_id: clientId, client_secret: clientSecret });

async function byGrant({ service, app }: World, body: { readonly [name: string]: string }): Promise<WayInResult> {
  return { kind: "grant", response: await service.exchange({ ...credentialsOf(app), scope: "openid offline_access", ...body }) };
}

/** Returns from the identity provider with the address of a local account. */
async function arriveWithLink(
  world: World,
  { email }: TestAccount,
  parameters: AuthorizationParameters = {},
): Promise<{ readonly browser: Browser; readonly state: string }> {
  const { federation, service, app } = world;
  const account = await federation.provider.addUser(email);
  const browser = service.browser();
  if (parameters["connection"] === undefined) {
    return { browser, state: loginState(await signInWithProvider(federation, account, { browser, app, parameters })) };
  }
  const begun = await openStep(browser, loginState(await sendAuthorization(browser, app, parameters)), "provider");
  const back = await submitProviderSignIn(federation, begun.headers.get("location") ?? "", account);
  return { browser, state: loginState(await returnFromProvider(browser, back)) };
}

async function linkByPassword(world: World, account: TestAccount, parameters?: AuthorizationParameters): Promise<WayInResult> {
  const { browser, state } = await arriveWithLink(world, account, parameters);
  await submitStep(browser, state, { action: "link-account" });
  return inBrowser(browser, resultOf(state, await submitStep(browser, state, { action: "sign-in", password: account.password })));
}

/** The ways that a user can take repeatedly, with the same account. */
export const repeatableWays: { readonly [name: string]: Way } = {
  "the hosted password page": (world, { local }) => byPassword(world, local),
  "the hosted password page with response_type=token": (world, { local }) => byPassword(world, local, { response_type: "token" }),
  "the hosted password page with response_type=id_token": (world, { local }) => byPassword(world, local, { response_type: "id_token" }),
  "the hosted password page with response_type=code id_token token": (world, { local }) =>
    byPassword(world, local, { response_type: "code id_token token" }),
  "a hosted one-time code": async (world, { mailed }) => {
    const { browser, state, code } = await requestCode(world, mailed);
    return inBrowser(browser, resultOf(state, await submitStep(browser, state, { action: "enter-code", code })));
  },
  "a magic link in the same browser": async (world, { mailed }) => {
    const { browser, form } = await requestCode(world, mailed);
    const response = await browser.post("/u/code", { form });
    return inBrowser(browser, readRedirect(response.headers.get("location") ?? ""));
  },
  "/passwordless/verify_redirect": async (world, { mailed }) => {
    const { client_id: _, ...authParams } = authorizeParameters(world.app);
    const { link } = await startCode(world, mailed, { send: "link", authParams });
    const browser = world.service.browser();
    const page = await openLink(browser, link);
    const to = await sendPage(browser, "/passwordless/verify_redirect", page, formFields);
    return inBrowser(browser, await readResult(await browser.get(to)));
  },
  "federated login": async (world, { federated }) => {
    const browser = world.service.browser();
    return inBrowser(browser, await signInWithProvider(world.federation, federated, { browser, app: world.app }));
  },
  "/co/authenticate with a password": (world, { local: { email: username, password } }) =>
    byTicket(world, { credential_type: realmGrant, realm: database, username, password }),
  "/co/authenticate with a code": async (world, { mailed: username }) => {
    const { code: otp } = await startCode(world, username, { send: "code" });
    return byTicket(world, { credential_type: codeGrantType, realm: "email", username, otp });
  },
  "the password grant": (world, { local: { email: username, password } }) => byGrant(world, { grant_type: "password", username, password }),
  "the password-realm grant": (world, { local: { email: username, password } }) =>
    byGrant(world, { grant_type: realmGrant, realm: database, username, password }),
  "the one-time code grant": async (world, { mailed: username }) => {
    const { code: otp } = await startCode(world, username, { send: "code" });
    return byGrant(world, { grant_type: codeGrantType, realm: "email", username, otp });
  },
};

/** The ways that change the account, which a user takes once. */
export const singleWays: { readonly [name: string]: Way } = {
  "federated login that links by code": async (world, { local }) => {
    const { browser, state } = await arriveWithLink(world, local);
    await submitStep(browser, state, { action: "send-link-code" });
    const code = codeOf(world.outbox.take(local.email));
    return inBrowser(browser, resultOf(state, await submitStep(browser, state, { action: "enter-code", code })));
  },
  "federated login that links by password": (world, { local }) => linkByPassword(world, local),
  "federated login at a requested connection that links by password": (world, { local }) =>
    linkByPassword(world, local, { connection: "fieldnotes" }),
  "the hosted password reset": async (world, { local }) => {
    const { service, app, outbox } = world;
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, app));
    await submitStep(browser, state, { action: "continue", identifier: local.email });
    await submitStep(browser, state, { action: "forgot-password" });
    await submitStep(browser, state, { action: "send-reset", identifier: local.email });
    const entered = await submitStep(browser, state, { action: "enter-code", code: codeOf(outbox.take(local.email)) });
    if (screenName(entered) !== "new-password") return inBrowser(browser, { kind: "login", state });
    return inBrowser(
      browser,
      resultOf(state, await submitStep(browser, state, { action: "set-password", password: "another long password" })),
    );
  },
};

/** The ways that create the account, which therefore has no factor yet. */
export const creatingWays: { readonly [name: string]: Way } = {
  "sign-up": async ({ service, app, outbox }) => {
    const email = "new@people.example";
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, app, { screen_hint: "signup" }));
    await submitStep(browser, state, { action: "make-account", email, password: "a long password" });
    return inBrowser(
      browser,
      resultOf(state, await submitStep(browser, state, { action: "enter-code", code: codeOf(outbox.take(email)) })),
    );
  },
  "an invitation": async ({ service, app }) => {
    const organization = await organizationsBy(service.manage).create("acme");
    const body = { inviter: { name: "Ann" }, invitee: { email: "invited@people.example" }, client_id: app.clientId };
    const invitation = stringMember(await service.manage.create(`/api/v2/organizations/${organization}/invitations`, body), "ticket_id");
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, app, { invitation, organization }));
    return inBrowser(browser, resultOf(state, await submitStep(browser, state, { action: "create-account", password: "a long password" })));
  },
};

/** Enables passkeys. @returns the ways of the passkey grant. `signIn` uses the passkey of the last sign-up. */
export async function openPasskeyWays({
  service,
  app,
}: World): Promise<{ signUp(email: string): Promise<WayInResult>; signIn(): Promise<WayInResult> }> {
  await setPasskeys(service, true);
  const api = passkeyApiOf(service, app);
  return {
    signUp: async (email) => ({ kind: "grant", response: await api.exchange(await api.createPasskey(email)) }),
    signIn: async () => ({ kind: "grant", response: await api.exchange(await api.usePasskey()) }),
  };
}

/** Enters the code of a device and signs in. @returns `connect`, with which the user confirms the device and its client polls. */
export async function arriveForDevice(
  { service, app }: World,
  { local }: Travellers,
): Promise<{
  readonly reached: WayInResult & { readonly kind: "browser" };
  poll(): Promise<ApiResponse>;
  connect(): Promise<ApiResponse>;
}> {
  const { deviceCode, userCode } = await startDevice(service, app);
  const browser = service.browser();
  const state = await signInForDevice(browser, userCode, local);
  const pollOnce = () => poll(service, app, deviceCode);
  return {
    reached: { kind: "browser", browser, result: { kind: "login", state } },
    poll: pollOnce,
    connect: async () => {
      await submitStep(browser, state, { action: "connect-device" });
      return pollOnce();
    },
  };
}

/** Sets the policy after the user signed in without one. @returns the browser with the session. */
async function signedInBefore(world: World, account: TestAccount): Promise<Browser> {
  await setPolicies(world.service, []);
  const arrived = await byPassword(world, account);
  if (arrived.kind !== "browser" || arrived.result.kind !== "response") throw new Error("the user is not signed in");
  await setPolicies(world.service, ["all-applications"]);
  return arrived.browser;
}

/** The ways that use a session without a second factor, which began before the policy. */
export const sessionWays: { readonly [name: string]: Way } = {
  "an authorization request": async (world, { local }) => {
    const browser = await signedInBefore(world, local);
    return inBrowser(browser, await sendAuthorization(browser, world.app));
  },
  "the account chooser": async (world, { local }) => {
    const browser = await signedInBefore(world, local);
    const state = loginState(await sendAuthorization(browser, world.app, { prompt: "select_account" }));
    if (screenName(await getFlow(browser, state)) !== "select-account") return inBrowser(browser, { kind: "login", state });
    return inBrowser(browser, resultOf(state, await submitStep(browser, state, { action: "continue-as" })));
  },
};

/** Returns the tokens of a session that began before the policy. */
export async function tokensBefore(world: World, { local }: Travellers): Promise<{ readonly access: string; readonly refresh: string }> {
  await setPolicies(world.service, []);
  const issued = await obtainTokens(world.service, world.app, local, offline);
  await setPolicies(world.service, ["all-applications"]);
  return issued;
}

/** Requests tokens with a refresh token. */
export async function refresh({ service, app }: World, refreshToken: string): Promise<ApiResponse> {
  return service.exchange(refreshGrant(app, refreshToken));
}

/** Exchanges an access token for another one. */
export async function exchangeAccessToken({ service, app }: World, subject: string): Promise<ApiResponse> {
  const subject_token_type = "urn:ietf:params:oauth:token-type:access_token";
  return service.exchange({ grant_type: exchangeGrant, ...credentialsOf(app), subject_token: subject, subject_token_type });
}

/** Opens the link of a login in another browser than the one that began the login. @returns the redirect URL. */
export async function openMagicLinkElsewhere(
  world: World,
  email: string,
): Promise<{ readonly browser: Browser; readonly to: string; readonly enterCode: () => Promise<JsonBody> }> {
  const { browser: first, state, code, form } = await requestCode(world, email);
  const browser = world.service.browser();
  const response = await browser.post("/u/code", { form });
  return {
    browser,
    to: response.headers.get("location") ?? "",
    enterCode: () => submitStep(first, state, { action: "enter-code", code }),
  };
}

/** Sets a password on the page of a ticket. */
export async function resetByTicket({ service, app }: World, { userId }: TestAccount): Promise<Browser> {
  const browser = service.browser();
  const link = await createTicketLink(service, "password-change", { user_id: userId, client_id: app.clientId });
  await submitLinkForm(browser, await openLink(browser, link), { password: "another long password" });
  return browser;
}

/** Adds an authenticator app with the current screen of a login session. @returns the key of the app and the result. */
export async function addApp(
  { service }: World,
  browser: Browser,
  state: string,
): Promise<{ readonly secret: string; readonly result: FlowResult }> {
  const { screen } = await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" });
  const secret = stringMember(jsonMembersOf(jsonMembersOf(screen)["totp"]), "secret");
  await submitStep(browser, state, { action: "confirm-new-factor", code: totpAt(secret, service.clock.now()) });
  let reply = await submitStep(browser, state, { action: "recovery-code-stored" });
  if ("screen" in reply && screenName(reply) === "invitation") reply = await submitStep(browser, state, { action: "accept-invitation" });
  service.clock.advance("31s");
  return { secret, result: resultOf(state, reply) };
}

/** Passes the authenticator app in a login session. */
export async function passApp({ service }: World, browser: Browser, state: string, secret: string): Promise<FlowResult> {
  const reply = await submitStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) });
  service.clock.advance("31s");
  if ("screen" in reply && screenName(reply) === "new-password") {
    return resultOf(state, await submitStep(browser, state, { action: "set-password", password: "another long password" }));
  }
  return resultOf(state, reply);
}

/** Adds an authenticator app with the MFA API. @returns its key and the tokens. */
export async function addAppByApi(
  { service, app }: World,
  mfaToken: string,
): Promise<{ readonly secret: string; readonly response: ApiResponse }> {
  const added = await service.call("POST", "/mfa/associate", { token: mfaToken, body: { authenticator_types: ["otp"] } });
  const secret = stringMember(jsonMembersOf(added.body), "secret");
  return { secret, response: await passAppByApi({ service, app }, mfaToken, secret) };
}

/** Passes the authenticator app with the MFA API. */
export async function passAppByApi(
  { service, app }: Pick<World, "service" | "app">,
  mfaToken: string,
  secret: string,
): Promise<ApiResponse> {
  const otp = totpAt(secret, service.clock.now());
  const response = await service.exchange({ grant_type: otpGrant, ...credentialsOf(app), mfa_token: mfaToken, otp });
  service.clock.advance("31s");
  return response;
}
