import { beforeAll, describe, expect, test } from "vitest";
import { actions, steps } from "../packages/core/src/login/steps.ts";
import { members, resolve, type ApiOperation, type Schema } from "../packages/testing/src/isolation/document.ts";
import { apiDescriptions } from "./openapi-sweep/description.ts";
import { undeclaredPart } from "./openapi-sweep/replies.ts";
import { jsonBody, stringMember, type JsonBody, list } from "./support/api.ts";
import type { Browser } from "./support/browser.ts";
import { openDeviceLogin, registerDevice, startDevice } from "./devices/support.ts";
import { totpAt } from "./factors/support.ts";
import { openFederation, submitProviderSignIn } from "./upstream/federation.ts";
import { sendAuthorization, getFlow, loginState, openService, type App, type LoginService } from "./support/flow.ts";
import { organizationsBy } from "./support/organizations.ts";
import { codeOf, createOutbox, differentCode, type Outbox } from "./support/outbox.ts";
import type { ApiResponse } from "./support/postern.ts";

/**
 * Hosts build custom pages on the documented JSON login. The test walks through every screen and validates each
 * response.
 */

const [show, act] = ["GET /u/flow", "POST /u/flow"].map((title) => {
  const operation = apiDescriptions.auth.operations.find((each) => each.title === title);
  if (operation === undefined) throw new Error(`no operation ${title}`);
  return operation;
});

const schemas = members(members(apiDescriptions.auth.document["components"])["schemas"]);
const password = "correct horse battery";

let service: LoginService;
let outbox: Outbox;
let partner: App;
let acme: string;
const seen = new Set<string>();

beforeAll(async () => {
  outbox = createOutbox();
  service = await openService({ messages: { mail: outbox.mail, sms: outbox.phone } });
  partner = await service.register({
    secret: true,
    name: "Partner",
    is_first_party: false,
    organization_usage: "require",
    organization_require_behavior: "post_login_prompt",
  });
  const organizations = organizationsBy(service.manage);
  acme = await organizations.create("acme", { display_name: "Acme Inc.", branding: { logo_url: "https://cdn.example.test/acme.png" } });
  await organizations.addMembers(acme, service.ada);
  await organizations.addMembers(await organizations.create("beta"), service.ada);
});

/** A custom login page of a host. */
interface Page {
  /** Submits an action, or only reads the screen. @returns the next screen, or undefined if the login is complete. */
  send(action?: string, fields?: object): Promise<JsonBody | undefined>;
  /** Sends a body unchanged. */
  sendRaw(body: object): Promise<ApiResponse>;
  readonly state: string;
}

async function open(browser: Browser, app: App, parameters = {}): Promise<Page> {
  return openLogin(browser, loginState(await sendAuthorization(browser, app, parameters)));
}

function openLogin(browser: Browser, state: string): Page {
  let csrf = "";
  const call = async (operation: ApiOperation | undefined, received: Response): Promise<ApiResponse> => {
    const response = { status: received.status, headers: received.headers, body: await received.json() };
    expect(operation && undeclaredPart(operation, response)).toBeUndefined();
    return response;
  };
  const readScreen = async (): Promise<JsonBody> =>
    jsonBody(await call(show, await browser.get(`/u/flow?${new URLSearchParams({ state })}`)));
  const sendRaw = async (body: object): Promise<ApiResponse> => call(act, await browser.post("/u/flow", { json: body }));
  return {
    state,
    sendRaw,
    send: async (action, fields = {}) => {
      const response = action === undefined ? undefined : await sendRaw({ state, csrf, action, ...fields });
      // An error response does not contain the screen, so the screen is requested again.
      const reply = response?.status === 200 ? members(response.body) : await readScreen();
      csrf = stringMember(reply, "csrf");
      if (reply["screen"] === undefined) {
        expect(reply).toHaveProperty("redirect_to");
        return undefined;
      }
      const screen = members(reply["screen"]);
      seen.add(stringMember(screen, "name"));
      return screen;
    },
  };
}

/** Lets the users of the password database sign in with passkeys. */
async function enablePasskeys(): Promise<void> {
  const [connection] = list(await service.manage("GET", "/api/v2/connections?strategy=auth0"));
  const options = {
    ...members(connection?.["options"]),
    authentication_methods: { password: { enabled: true }, passkey: { enabled: true } },
  };
  expect(await service.manage("PATCH", `/api/v2/connections/${String(connection?.["id"])}`, { options })).toMatchObject({ status: 200 });
}

/** Changes settings of second factors, by path. */
async function setFactors(settings: { readonly [path: string]: unknown }): Promise<void> {
  for (const [path, body] of Object.entries(settings))
    expect(await service.manage("PUT", `/api/v2/guardian/${path}`, body)).toMatchObject({ status: 200 });
}

/** Requires an authenticator app from all users. */
const enableFactors = (): Promise<void> =>
  setFactors({ "factors/otp": { enabled: true }, "factors/recovery-code": { enabled: true }, policies: ["all-applications"] });

/** Requires a phone that gets text messages or calls from users without another factor. */
const enablePhones = (): Promise<void> =>
  setFactors({
    "factors/otp": { enabled: false },
    "factors/sms": { enabled: true },
    "factors/phone/message-types": { message_types: ["sms", "voice"] },
    policies: ["all-applications"],
  });

/** Creates a user with the password of all users here. */
async function addUser(email: string): Promise<string> {
  const connection = "Username-Password-Authentication";
  await service.manage.create("/api/v2/users", { connection, email, password, email_verified: true });
  return email;
}

const lastCall = () => codeOf(outbox.calls.at(-1) ?? {});

test("every response of a walk through every screen is documented", async () => {
  const browser = service.browser();
  const page = await open(browser, partner);
  expect(await page.send()).toMatchObject({ name: "identifier" });
  expect(await page.send("continue", { identifier: " " })).toMatchObject({ name: "identifier", problem: "identifier-missing" });
  expect(await page.send("continue", { identifier: service.ada.email })).toMatchObject({ name: "password" });
  expect(await page.send("sign-in", { password: "wrong" })).toMatchObject({ name: "password", problem: "wrong-credentials" });
  expect(await page.send("change-identifier")).toMatchObject({ name: "identifier" });
  expect(await page.send("sign-in", { identifier: service.ada.email, password })).toMatchObject({ name: "select-organization" });
  expect(await page.send("select-organization", { organization: acme })).toMatchObject({ name: "consent" });
  expect(await page.send("accept")).toBeUndefined();

  const again = await open(browser, partner, { prompt: "select_account consent", organization: acme });
  expect(await again.send()).toMatchObject({ name: "select-account" });
  expect(await again.send("continue-as")).toMatchObject({ name: "consent" });
  expect(await again.send("other-account")).toMatchObject({ name: "identifier" });

  const app = await service.register({ organization_usage: "allow" });
  const invite = async (email: string): Promise<object> => {
    const body = { inviter: { name: "Ann" }, invitee: { email }, client_id: app.clientId };
    const { ticket_id: invitation } = await service.manage.create(`/api/v2/organizations/${acme}/invitations`, body);
    return { invitation, organization: acme };
  };
  const newcomer = await open(service.browser(), app, await invite("new@example.test"));
  expect(await newcomer.send()).toMatchObject({ name: "create-account" });
  expect(await newcomer.send("create-account", { password: "x" })).toMatchObject({ problem: "password-too-weak" });
  expect(await newcomer.send("have-account")).toMatchObject({ name: "identifier", invitation: { inviter: "Ann" } });
  const member = await open(service.browser(), app, await invite(service.bob.email));
  await member.send();
  expect(await member.send("sign-in", { identifier: service.bob.email, password })).toMatchObject({ name: "invitation" });
  expect(await member.send("accept-invitation")).toBeUndefined();

  const forgetful = await open(service.browser(), partner, { organization: acme });
  await forgetful.send();
  expect(await forgetful.send("continue", { identifier: service.ada.email })).toMatchObject({ name: "password", reset: true });
  expect(await forgetful.send("forgot-password")).toMatchObject({ name: "reset-password" });
  expect(await forgetful.send("send-reset", { identifier: service.ada.email })).toMatchObject({ name: "code" });
  const code = codeOf(outbox.take(service.ada.email));
  expect(await forgetful.send("enter-code", { code: differentCode(code) })).toMatchObject({ problem: "wrong-code" });
  expect(await forgetful.send("resend-code")).toMatchObject({ name: "code", again: true });
  const newer = codeOf(outbox.take(service.ada.email));
  expect(await forgetful.send("enter-code", { code: newer })).toMatchObject({ name: "new-password" });
  expect(await forgetful.send("set-password", { password: "a b" })).toMatchObject({ problem: "password-too-weak" });
  expect(await forgetful.send("set-password", { password: "another horse battery" })).toBeUndefined();

  const newUser = await open(service.browser(), app, { screen_hint: "signup" });
  expect(await newUser.send()).toMatchObject({ name: "sign-up" });
  expect(await newUser.send("make-account", { email: "mira@" })).toMatchObject({ problem: "password-missing" });
  expect(await newUser.send("make-account", { email: "mira@example.test", password })).toMatchObject({ name: "code", purpose: "sign-up" });

  const federation = await openFederation();
  await federation.connect();
  const { service: federatedService, provider } = federation;
  const browserOfAda = federatedService.browser();
  const federated = await open(browserOfAda, federatedService.web, { connection: "fieldnotes" });
  expect(await federated.send()).toMatchObject({ name: "provider", provider: { label: "Fieldnotes" } });
  const { csrf } = await getFlow(browserOfAda, federated.state);
  const departure = await federated.sendRaw({ state: federated.state, csrf, action: "continue-with" });
  await browserOfAda.get(await submitProviderSignIn(federation, stringMember(jsonBody(departure), "redirect_to"), provider.ada));
  expect(await federated.send()).toMatchObject({ name: "link-account", email: federatedService.ada.email });
  expect(await federated.send("link-account")).toMatchObject({ name: "password" });

  await enablePasskeys();
  const signer = await open(service.browser(), service.web, { screen_hint: "signup" });
  expect(await signer.send()).toMatchObject({ name: "sign-up", passkey: true });
  expect(await signer.send("choose-passkey", { email: "eve@example.test" })).toMatchObject({ name: "create-passkey" });
  expect(await signer.send("create-passkey", { response: "{}" })).toMatchObject({ problem: "key-rejected" });
  expect(await signer.send("choose-password")).toMatchObject({ name: "sign-up" });
  const modern = await open(service.browser(), service.web);
  expect(await modern.send()).toMatchObject({ name: "identifier", passkey: { button: true } });
  expect(await modern.send("use-passkey", { response: "{}" })).toMatchObject({ problem: "passkey-rejected" });
  await modern.send("continue", { identifier: service.bob.email });
  expect(await modern.send("sign-in", { password, passkeys: "available" })).toMatchObject({ name: "add-passkey" });
  expect(await modern.send("add-passkey", { response: "{}" })).toMatchObject({ problem: "key-rejected" });
  expect(await modern.send("decline-passkey")).toBeUndefined();

  const device = service.browser();
  const { userCode } = await startDevice(service, await registerDevice(service));
  const onDevice = openLogin(device, await openDeviceLogin(device, userCode));
  await onDevice.send();
  await onDevice.send("continue", { identifier: service.bob.email });
  expect(await onDevice.send("sign-in", { password })).toMatchObject({ name: "confirm-device", userCode });
  expect(await onDevice.send("connect-device")).toBeUndefined();

  await enableFactors();
  const careful = await open(service.browser(), service.web);
  await careful.send();
  await careful.send("continue", { identifier: service.bob.email });
  expect(await careful.send("sign-in", { password })).toMatchObject({ name: "add-factor", options: ["passkey", "totp"] });
  const { totp } = (await careful.send("choose-new-factor", { factor: "totp" })) ?? {};
  const secret = stringMember(members(totp), "secret");
  expect(await careful.send("confirm-new-factor", { code: "000000" })).toMatchObject({ problem: "wrong-code" });
  expect(await careful.send("confirm-new-factor", { code: totpAt(secret, service.clock.now()) })).toMatchObject({ name: "recovery-code" });
  expect(await careful.send("recovery-code-stored")).toBeUndefined();
  service.clock.advance("31s");
  const returning = await open(service.browser(), service.web);
  await returning.send();
  await returning.send("continue", { identifier: service.bob.email });
  expect(await returning.send("sign-in", { password })).toMatchObject({ name: "factor", factor: "totp" });
  expect(await returning.send("enter-factor-code", { code: totpAt(secret, service.clock.now()) })).toBeUndefined();

  const { bob, clock, web } = service;
  await service.data.collections.users.update({ tenant_id: "main", user_id: bob.userId }, { set: { deletes_at: clock.now() } });
  const leaving = await open(service.browser(), web);
  await leaving.send();
  await leaving.send("continue", { identifier: bob.email });
  await leaving.send("sign-in", { password });
  clock.advance("31s");
  expect(await leaving.send("enter-factor-code", { code: totpAt(secret, clock.now()) })).toMatchObject({ name: "keep-account" });
  expect(await leaving.send("keep-account")).toBeUndefined();

  expect([...seen].toSorted()).toEqual(steps.map(({ name }) => name).toSorted());
});

test("every response of a walk with codes by text message and by call is documented", async () => {
  await enablePhones();
  const identifier = await addUser("caller@example.test");
  const phone = "+4915112345678";
  const signIn = async (): Promise<Page> => {
    const page = await open(service.browser(), service.web);
    await page.send();
    await page.send("continue", { identifier });
    return page;
  };
  const adding = await signIn();
  expect(await adding.send("sign-in", { password })).toMatchObject({ name: "add-factor", options: ["passkey", "phone"], channel: "sms" });
  expect(await adding.send("choose-new-factor", { factor: "phone" })).toMatchObject({ factor: "phone" });
  expect(await adding.send("enter-phone", { phone: "1" })).toMatchObject({ problem: "phone-invalid" });
  expect(await adding.send("enter-phone", { phone })).toMatchObject({ sent: true, channel: "sms", otherChannel: "voice" });
  expect(await adding.send("send-new-factor-code", { channel: "voice" })).toMatchObject({ channel: "voice", otherChannel: "sms" });
  expect(await adding.send("confirm-new-factor", { code: differentCode(lastCall()) })).toMatchObject({ problem: "wrong-code" });
  expect(await adding.send("confirm-new-factor", { code: lastCall() })).toMatchObject({ name: "recovery-code" });
  expect(await adding.send("recovery-code-stored")).toBeUndefined();

  const returning = await signIn();
  expect(await returning.send("sign-in", { password })).toMatchObject({ name: "factor", factor: "phone", channel: "voice" });
  expect(await returning.send("send-factor-code", { channel: "sms" })).toMatchObject({ sent: true, channel: "sms", otherChannel: "voice" });
  expect(await returning.send("send-factor-code", { channel: "voice" })).toMatchObject({ channel: "voice", otherChannel: "sms" });
  expect(await returning.send("enter-factor-code", { code: lastCall() })).toBeUndefined();
});

test("every response of the MFA API with a phone that gets calls is documented", async () => {
  await enablePhones();
  const grant = "http://auth0.com/oauth/grant-type/mfa-oob";
  const app = await service.register({ secret: false, grant_types: ["password", grant] });
  const username = await addUser("api-caller@example.test");
  const send = async (title: string, options: Parameters<LoginService["call"]>[2]): Promise<JsonBody> => {
    const [method = "", path = ""] = title.split(" ");
    const operation = apiDescriptions.auth.operations.find((each) => each.title === title);
    const response = await service.call(method, path, options);
    expect([title, operation && undeclaredPart(operation, response)]).toEqual([title, undefined]);
    expect(operation).toBeDefined();
    return members(response.body);
  };
  const client = { client_id: app.clientId };
  const token = async (body: object): Promise<JsonBody> => send("POST /oauth/token", { body: { ...client, ...body } });
  const enterPassword = async (): Promise<string> => {
    const body = { ...client, grant_type: "password", username, password, scope: "openid" };
    return stringMember(members((await service.call("POST", "/oauth/token", { body })).body), "mfa_token");
  };
  const redeem = async (mfa_token: string, { oob_code }: JsonBody): Promise<JsonBody> =>
    token({ grant_type: grant, mfa_token, oob_code, binding_code: lastCall() });

  const first = await enterPassword();
  const wanted = { authenticator_types: ["oob"], phone_number: "+4915187654321" };
  const refused = { token: first, body: { ...wanted, oob_channels: ["auth0"] } };
  expect(await send("POST /mfa/associate", refused)).toMatchObject({ error: "invalid_request" });
  const added = await send("POST /mfa/associate", { token: first, body: { ...wanted, oob_channels: ["voice"] } });
  expect(added).toMatchObject({ oob_channel: "voice" });
  expect(await redeem(first, added)).toHaveProperty("id_token");

  const second = await enterPassword();
  const listed = await service.call("GET", "/mfa/authenticators", { token: second });
  const operation = apiDescriptions.auth.operations.find((each) => each.title === "GET /mfa/authenticators");
  expect(operation && undeclaredPart(operation, listed)).toBeUndefined();
  expect(list(listed)).toContainEqual(expect.objectContaining({ oob_channel: "voice", oob_channels: ["voice", "sms"] }));
  const authenticator_id = stringMember(added, "id").replace("phone", "voice");
  const challenge = await send("POST /mfa/challenge", { body: { ...client, mfa_token: second, authenticator_id } });
  expect(challenge).toMatchObject({ challenge_type: "oob", binding_method: "prompt" });
  expect(await redeem(second, challenge)).toHaveProperty("id_token");
});

describe("the document", () => {
  test("has a discriminated component for every screen and every action, with all fields and problems", () => {
    const screens = variantsOf("Screen", "name");
    expect([...screens.keys()].toSorted()).toEqual(steps.map(({ name }) => name).toSorted());
    for (const { name, screenFields, problems, actions: own } of steps) {
      const { description, properties } = screens.get(name) ?? {};
      expect(Object.keys(members(properties))).toEqual(expect.arrayContaining(["name", ...Object.keys(screenFields)]));
      expect(members(members(properties)["problem"])["enum"] ?? []).toEqual(Object.keys(problems));
      for (const action of Object.keys(own)) expect(description).toContain(`\`${action}\``);
    }
    const actionVariants = variantsOf("FlowAction", "action");
    expect([...actionVariants.keys()].toSorted()).toEqual(Object.keys(actions).toSorted());
    for (const [name, { fields }] of Object.entries(actions)) {
      expect(Object.keys(members(actionVariants.get(name)?.["properties"]))).toEqual(["state", "csrf", "action", ...Object.keys(fields)]);
    }
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(["IdentifierScreen", "SelectAccountScreen", "SignInAction", "InvitedTo"]));
  });

  test("describes every field of every screen and action", () => {
    const undescribed: string[] = [];
    const look = (schema: Schema, at: string, passed: readonly unknown[]): void => {
      const own = resolve(apiDescriptions.auth.document, schema);
      const named = schema["$ref"] ?? at;
      if (passed.includes(named)) return;
      for (const [name, field] of Object.entries(members(own["properties"]))) {
        const { const: fixed, description } = { ...resolve(apiDescriptions.auth.document, members(field)), ...members(field) };
        // WebAuthn Level 3 describes the members of these dictionaries.
        if (String(schema["$ref"]).includes("/Webauthn") || at.includes("publicKey")) continue;
        if (fixed === undefined && description === undefined) undescribed.push(`${at}.${name}`);
        look(members(field), `${at}.${name}`, [...passed, named]);
      }
      if (own["items"] !== undefined) look(members(own["items"]), `${at}[]`, [...passed, named]);
    };
    for (const [name, variant] of [...variantsOf("Screen", "name"), ...variantsOf("FlowAction", "action")]) look(variant, name, []);
    expect(undescribed).toEqual([]);
  });
});

test.each([
  ["an unknown action", { action: "fly" }, "'action' must be one of continue-as, "],
  ["no action", {}, "'action'"],
  ["a field that the action does not have", { action: "continue", pasword: "x" }, "unknown field 'pasword'"],
  ["a field of another action", { action: "continue", password: "x" }, "unknown field 'password'"],
  ["an unknown channel", { action: "send-factor-code", channel: "pigeon" }, "'channel'"],
  ["an unknown channel for a new phone", { action: "send-new-factor-code", channel: "pigeon" }, "'channel'"],
  ["a field of another type", { action: "continue", identifier: 3 }, "'identifier' must be a string"],
])("responds to %s with a 400 that names the field", async (_what, sent, expected) => {
  const page = await open(service.browser(), service.web);
  const response = await page.sendRaw({ state: page.state, csrf: "x", ...sent });
  expect(response).toMatchObject({ status: 400, body: { error: "invalid_request", error_description: expect.stringContaining(expected) } });
});

/** Returns the members of a union by discriminator value. */
function variantsOf(union: string, field: string): Map<string, Schema> {
  const { oneOf, discriminator } = members(schemas[union]);
  const { propertyName, mapping } = members(discriminator);
  expect(propertyName).toBe(field);
  const variants = Object.entries(members(mapping)).map(
    ([value, $ref]) => [value, resolve(apiDescriptions.auth.document, { $ref })] as const,
  );
  expect(oneOf).toEqual(Object.values(members(mapping)).map(($ref) => ({ $ref })));
  for (const [value, { properties }] of variants) expect(members(members(properties)[field])["const"]).toBe(value);
  return new Map(variants);
}
