import { passkeyGrantType } from "../../packages/core/src/model/clients/grant-types.ts";
import { createMemoryAdapter } from "@postern/memory";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import type { AuthenticatorBehavior } from "../../packages/core/test/software-authenticator.ts";
import { auditEvents, expectError, jsonBody, list, managerOf, stringMember } from "../support/api.ts";
import type { ApiResponse } from "../support/postern.ts";
import { otpGrant } from "./mfa-api-support.ts";
import { creationOptionsOf, openPasskeyService, requestOptionsOf, setPasskeys, type PasskeyService } from "./passkey-api-support.ts";
import { totpAt } from "./support.ts";

/** The endpoints `/passkey/register` and `/passkey/challenge`, and the grant that completes them. */

let service: PasskeyService;

beforeEach(async () => {
  service = await openPasskeyService();
});

const email = "new@people.example";
const database = "Username-Password-Authentication";
const acr = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";

const sessions = (): Promise<number> => service.data.collections.sessions.count({ tenant_id: "main" });
const users = (): Promise<number> => service.data.collections.users.count({ tenant_id: "main" });
const subjectOf = (body: { readonly [name: string]: unknown }): string => String(decodeJwt(String(body["id_token"])).sub);

/** Requires the error that the grant returns for every rejected response. */
function expectRejected(response: ApiResponse): void {
  expectError(response, 403, "invalid_grant", /^the passkey was rejected/);
}

function expectUnknownSession(response: ApiResponse): void {
  expectError(response, 403, "invalid_grant", /^'auth_session' is unknown or has expired$/);
}

describe("POST /passkey/register", () => {
  test("returns the options to create a passkey in Auth0's format, and creates no account yet", async () => {
    const before = await users();
    const body = jsonBody(await service.register({ user_profile: { email, name: "Mira" }, realm: database }));
    expect(body).toEqual({
      auth_session: expect.any(String),
      authn_params_public_key: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 60_000,
        rp: { id: "id.example.test", name: "id.example.test" },
        user: { id: expect.stringMatching(/^[\w-]{43}$/), name: email, displayName: "Mira" },
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
      },
    });
    expect(stringMember(body, "auth_session")).not.toContain(email);
    expect(await users()).toBe(before);
    expect(await auditEvents(service.manage, "passkey_challenge_started")).toHaveLength(1);
  });

  test("gives each new account another user handle, also for the same email address", async () => {
    const replies = [email, email, "other@people.example"].map(async (sent) => service.register({ user_profile: { email: sent } }));
    const handles = (await Promise.all(replies)).map((reply) => creationOptionsOf(jsonBody(reply)).user.id);
    expect(new Set(handles).size).toBe(3);
  });

  test("responds alike for an email address with and without an account", async () => {
    const [known, unknown] = await Promise.all(
      [service.ada.email, email].map(async (sent) => jsonBody(await service.register({ user_profile: { email: sent } }))),
    );
    expect(Object.keys(known ?? {})).toEqual(Object.keys(unknown ?? {}));
    expect(service.outbox.sent).toEqual([]);
  });

  test.each([
    ["an unknown member", { email, role: "admin" }],
    ["app_metadata", { email, app_metadata: {} }],
    ["email_verified", { email, email_verified: true }],
    ["a malformed email address", { email: "new@" }],
    ["no identifier", { name: "Mira" }],
    ["an identifier that the connection does not accept", { email, phone_number: "+491701234567" }],
    ["a picture that is no web address", { email, picture: "javascript:alert(1)" }],
  ])("rejects a profile with %s", async (_, profile) => {
    expectError(await service.register({ user_profile: profile }), 400, "invalid_request");
  });

  test.each([
    ["eleven members", Object.fromEntries(Array.from({ length: 11 }, (__, i) => [`k${i}`, "v"]))],
    ["a value that is no string", { plan: 1 }],
    ["a long value", { plan: "x".repeat(501) }],
  ])("rejects metadata with %s", async (_, metadata) => {
    expectError(await service.register({ user_profile: { email }, user_metadata: metadata }), 400, "invalid_request");
  });

  test("rejects a username that is taken, and a connection that is closed for sign-ups", async () => {
    await setPasskeys(service, true, { requires_username: true });
    await service.manage.create("/api/v2/users", { connection: database, email, username: "mira", password: "a long password" });
    const profile = { email: "second@people.example", username: "mira" };
    expectError(await service.register({ user_profile: profile }), 400, "invalid_request", /username/);
    await setPasskeys(service, true, { disable_signup: true });
    expectError(await service.register({ user_profile: { email } }), 400, "access_denied", /disabled/);
  });
});

describe("POST /passkey/challenge", () => {
  test("returns the options to use a passkey in Auth0's format, without the ids of passkeys", async () => {
    await service.signUp(email);
    expect(jsonBody(await service.challenge())).toEqual({
      auth_session: expect.any(String),
      authn_params_public_key: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 60_000,
        rpId: "id.example.test",
        userVerification: "preferred",
      },
    });
  });
});

describe.each([
  ["/passkey/register", (body?: object, app?: PasskeyService["app"]) => service.register({ user_profile: { email }, ...body }, app)],
  ["/passkey/challenge", (body?: object, app?: PasskeyService["app"]) => service.challenge(body, app)],
])("%s", (path, send) => {
  test("rejects an unknown client, and a wrong secret if one is sent", async () => {
    expectError(await send({ client_id: "unknown", client_secret: "" }), 401, "invalid_client");
    expectError(await send({ client_secret: "wrong" }), 401, "invalid_client");
    jsonBody(await send({ client_secret: "" }));
  });

  test("rejects a client that is not first-party or may not use the grant", async () => {
    const third = await service.registerClient({ is_first_party: false, grant_types: [passkeyGrantType] });
    expectError(await send({}, third), 400, "invalid_request", /first-party/);
    expectError(await send({}, service.spa), 400, "invalid_request", /grant type/);
  });

  test("rejects an unknown connection and an unknown organization", async () => {
    expectError(await send({ realm: "unknown" }), 400, "invalid_request", /realm/);
    expectError(await send({ organization: "org_unknown" }), 400, "invalid_request", /organization/);
  });

  test("responds with 404 if the connection has no passkeys, or passkeys do not work on the host", async () => {
    await setPasskeys(service, false);
    expectError(await send(), 404, "not_found");
    expectError(await send({ realm: database }), 404, "not_found");
    const plain = await openPasskeyService({ issuer: "https://192.0.2.7/" });
    expectError(await plain.call("POST", path, { body: { client_id: plain.app.clientId, user_profile: { email } } }), 404, "not_found");
  });

  test("is readable for scripts of the client's origins only", async () => {
    const from = async (origin: string) =>
      (
        await service.call("POST", path, {
          body: { client_id: service.app.clientId, user_profile: { email } },
          headers: { origin },
        })
      ).headers.get("access-control-allow-origin");
    expect(await from("https://app.example.test")).toBe("https://app.example.test");
    expect(await from("https://evil.example")).toBeNull();
  });
});

describe("a sign-up with the grant", () => {
  test("creates the account with the passkey, issues tokens and sends the verification mail", async () => {
    const answer = await service.createPasskey(
      email,
      {},
      {
        user_profile: { email, given_name: "Mira", nickname: "m" },
        user_metadata: { plan: "free" },
      },
    );
    const reply = jsonBody(await service.exchange({ ...answer, scope: "openid email offline_access" }));
    expect(reply).toMatchObject({ token_type: "Bearer", scope: "openid email offline_access", refresh_token: expect.any(String) });
    const claims = decodeJwt(stringMember(reply, "id_token"));
    expect(claims).toMatchObject({ email, email_verified: false, acr, amr: expect.arrayContaining(["pop", "user", "mfa"]) });
    const user = jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(String(claims.sub))}`));
    expect(user).toMatchObject({ email, email_verified: false, given_name: "Mira", nickname: "m", user_metadata: { plan: "free" } });
    expect(service.outbox.take(email).link).toContain("/u/verify-email");
    const [created] = await auditEvents(service.manage, "ss");
    expect(created).toMatchObject({ details: { authentication_methods: ["passkey"] }, connection: database });
    const [signedIn] = await auditEvents(service.manage, "s");
    expect(signedIn).toMatchObject({ details: { prompts: [{ performed_amr: ["phr"] }] } });
    expect(subjectOf(jsonBody(await service.exchange(await service.usePasskey())))).toBe(claims.sub);
  });

  test("fails for an existing account like at /dbconnections/signup: the error names no identifier, and the owner gets a mail", async () => {
    const before = await users();
    const { userId, email: known } = service.ada;
    expectError(await service.exchange(await service.createPasskey(known)), 403, "invalid_grant", /^Invalid sign up$/);
    expect(await users()).toBe(before);
    expect(await service.data.collections.factors.count({ tenant_id: "main", user_id: userId })).toBe(0);
    expect(service.outbox.take(known).link).toContain("reset-password");
    expect(await auditEvents(service.manage, "fs")).toHaveLength(1);
    expectRejected(await service.exchange(await service.usePasskey()));
  });

  test("issues no tokens if another user verified the email address before the sign-in", async () => {
    const data = createMemoryAdapter({ strict: true });
    const { sessions: stored, users: accounts } = data.collections;
    const insert: typeof stored.insert = async (...rows) => {
      const inserted = await stored.insert(...rows);
      for (const { user_id } of rows[0]) await accounts.update({ tenant_id: "main", user_id }, { set: { email_verified: true } });
      return inserted;
    };
    const collections = { ...data.collections, sessions: { ...stored, insert } };
    const late = await openPasskeyService({ data: { ...data, collections } });
    expectRejected(await late.exchange(await late.createPasskey("late@people.example")));
    expect(await late.data.collections.sessions.count({ tenant_id: "main" })).toBe(0);
  });

  test("is denied if the connection was closed for sign-ups in the meantime", async () => {
    const answer = await service.createPasskey(email);
    await setPasskeys(service, true, { disable_signup: true });
    expectError(await service.exchange(answer), 400, "access_denied");
  });

  test("adds the user to the organization only if its connection assigns membership", async () => {
    const connection_id = await setPasskeys(service, true);
    const { id } = await service.manage.create("/api/v2/organizations", { name: "acme" });
    const organization = String(id);
    const path = `/api/v2/organizations/${organization}/enabled_connections`;
    await service.manage.create(path, { connection_id });
    const app = await service.registerClient({ secret: true, grant_types: [passkeyGrantType], organization_usage: "require" });
    const body = { organization, user_profile: { email } };
    expectError(await service.register(body, app), 400, "invalid_request", /assign_membership_on_login/);
    expectError(await service.challenge({}, app), 400, "invalid_request", /organization/);
    await service.manage("PATCH", `${path}/${connection_id}`, { assign_membership_on_login: true });
    const reply = jsonBody(await service.exchange(await service.createPasskey(email, {}, body, app), app));
    expect(decodeJwt(stringMember(reply, "id_token"))).toMatchObject({ org_id: organization });
    const again = await service.usePasskey({}, { organization: "acme" }, app);
    await service.manage.create("/api/v2/organizations", { name: "other" });
    expectError(await service.exchange({ ...again, organization: "other" }, app), 400, "invalid_request", /that of the request/);
    jsonBody(await service.exchange(again, app));
    const left = await service.usePasskey({}, { organization }, app);
    await service.manage("DELETE", `/api/v2/organizations/${organization}/members`, { members: [subjectOf(reply)] });
    expectError(await service.exchange(left, app), 400, "access_denied", /member/);
  });
});

describe("a sign-in with the grant", () => {
  test("accepts the response as an object in JSON and as JSON text in a form", async () => {
    const { id_token: first } = await service.signUp(email);
    const { auth_session, authn_response } = await service.usePasskey();
    const { clientId, secret = "" } = service.app;
    const form = await service.postForm({
      grant_type: passkeyGrantType,
      client_id: clientId,
      client_secret: secret,
      auth_session,
      authn_response: JSON.stringify(authn_response),
      scope: "openid offline_access",
    });
    expect(subjectOf(jsonBody(form))).toBe(subjectOf({ id_token: first }));
  });

  test("names the grant to Actions, and the requested connection must fit", async () => {
    const seen: string[] = [];
    const acting = await openPasskeyService({
      actions: [{ name: "protocols", onExecutePostLogin: async ({ transaction }) => void seen.push(transaction?.protocol ?? "") }],
    });
    await acting.signUp(email);
    jsonBody(await acting.exchange({ ...(await acting.usePasskey()), realm: database }));
    expect(seen).toEqual(["oauth2-webauthn", "oauth2-webauthn"]);
    expectError(await acting.exchange({ ...(await acting.usePasskey()), realm: "other" }), 400, "invalid_request", /realm/);
  });

  test("accepts the passkey of the primary account for the connection of a linked one, and for no other connection", async () => {
    const id = subjectOf(await service.signUp(email));
    const options = { authentication_methods: { password: { enabled: true }, passkey: { enabled: true } } };
    await service.manage.create("/api/v2/connections", { name: "second", strategy: "auth0", options });
    expectRejected(await service.exchange(await service.usePasskey({}, { realm: "second" })));
    const account = { connection: "second", email: "work@people.example", password: "Correct horse 1 battery" };
    const { user_id } = await service.manage.create("/api/v2/users", account);
    const identity = { provider: "auth0", user_id, connection_id: undefined };
    expect((await service.manage("POST", `/api/v2/users/${encodeURIComponent(id)}/identities`, identity)).status).toBe(201);
    expect(subjectOf(jsonBody(await service.exchange(await service.usePasskey({}, { realm: "second" }))))).toBe(id);
  });

  test("is refused if the user is blocked, and after the passkey or the account is deleted", async () => {
    const id = subjectOf(await service.signUp(email));
    const path = `/api/v2/users/${encodeURIComponent(id)}`;
    await service.manage("PATCH", path, { blocked: true });
    expectError(await service.exchange(await service.usePasskey()), 400, "access_denied", /^user is blocked$/);
    await service.manage("PATCH", path, { blocked: false });
    jsonBody(await service.exchange(await service.usePasskey()));
    await service.manage("DELETE", `${path}/authenticators`);
    expectRejected(await service.exchange(await service.usePasskey()));
    await service.manage("DELETE", path);
    expectRejected(await service.exchange(await service.usePasskey()));
  });

  test("is refused if the connection no longer offers passkeys", async () => {
    await service.signUp(email);
    const answer = await service.usePasskey();
    await setPasskeys(service, false);
    expectUnknownSession(await service.exchange(answer));
  });

  test("keeps the response valid if the API is unknown", async () => {
    await service.signUp(email);
    const answer = await service.usePasskey();
    expect((await service.exchange({ ...answer, audience: "https://unknown.example" })).status).toBe(400);
    jsonBody(await service.exchange(answer));
  });
});

describe("an auth_session", () => {
  test("is used once, also by a response that was rejected", async () => {
    const signUp = await service.createPasskey(email);
    jsonBody(await service.exchange(signUp));
    expectRejected(await service.exchange(signUp));
    const answer = await service.usePasskey();
    jsonBody(await service.exchange(answer));
    expectRejected(await service.exchange(answer));
    const reply = jsonBody(await service.challenge());
    const auth_session = stringMember(reply, "auth_session");
    const options = requestOptionsOf(reply);
    expectRejected(await service.exchange({ auth_session, authn_response: await service.device.get(options, { wrongSignature: true }) }));
    expectRejected(await service.exchange({ auth_session, authn_response: await service.device.get(options) }));
  });

  test("is invalid with the response to another one", async () => {
    await service.signUp(email);
    const [first, second] = [await service.usePasskey(), await service.usePasskey()];
    expectRejected(await service.exchange({ ...first, authn_response: second.authn_response }));
    jsonBody(await service.exchange(first));
    const [third, fourth] = [await service.createPasskey("a@people.example"), await service.createPasskey("b@people.example")];
    expectRejected(await service.exchange({ ...third, authn_response: fourth.authn_response }));
  });

  test("from a sign-up is rejected for a sign-in, and one from a sign-in is rejected for a sign-up", async () => {
    await service.signUp(email);
    const before = [await sessions(), await users()];
    const [signUp, signIn] = [await service.createPasskey("second@people.example"), await service.usePasskey()];
    expectRejected(await service.exchange({ ...signUp, authn_response: signIn.authn_response }));
    expectRejected(await service.exchange({ ...signIn, authn_response: signUp.authn_response }));
    const reply = jsonBody(await service.register({ user_profile: { email: "second@people.example" } }));
    const { challenge } = creationOptionsOf(reply);
    const asserted = await service.device.get({ challenge, rpId: "id.example.test", timeout: 1000, userVerification: "required" });
    expectRejected(await service.exchange({ auth_session: stringMember(reply, "auth_session"), authn_response: asserted }));
    expect([await sessions(), await users()]).toEqual(before);
  });

  test("is valid for ten minutes", async () => {
    await service.signUp(email);
    const [signIn, signUp] = [await service.usePasskey(), await service.createPasskey("second@people.example")];
    service.clock.advance("10m");
    expectUnknownSession(await service.exchange(signIn));
    expectUnknownSession(await service.exchange(signUp));
    service.clock.advance("7d");
    expectUnknownSession(await service.exchange(signIn));
  });

  test("is unknown for another client, in another tenant, after one character changed, and if /otp/challenge returned it", async () => {
    await service.signUp(email);
    const answer = await service.usePasskey();
    const other = await service.registerClient({ secret: true, grant_types: [passkeyGrantType] });
    expectUnknownSession(await service.exchange(answer, other));
    const { auth_session: text } = answer;
    const changed = text.slice(0, -1) + (text.endsWith("A") ? "B" : "A");
    expectUnknownSession(await service.exchange({ ...answer, auth_session: `${changed}x` }));
    for (const garbage of ["x", "a.b.c.d.e"]) expectUnknownSession(await service.exchange({ ...answer, auth_session: garbage }));
    await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    const code = await service.call("POST", "/otp/challenge", {
      body: { client_id: service.app.clientId, connection: "email", email: service.ada.email },
    });
    expectUnknownSession(await service.exchange({ ...answer, auth_session: stringMember(jsonBody(code), "auth_session") }));
    jsonBody(await service.exchange(answer));
  });

  test("cannot be used by a client that lost the grant, or is no longer first-party", async () => {
    const answer = await service.createPasskey(email);
    const path = `/api/v2/clients/${service.app.clientId}`;
    await service.manage("PATCH", path, { is_first_party: false });
    expectError(await service.exchange(answer), 400, "unauthorized_client");
    await service.manage("PATCH", path, { is_first_party: true, grant_types: ["refresh_token"] });
    expectError(await service.exchange(answer), 400, "unauthorized_client");
    expect(await sessions()).toBe(0);
  });
});

/** Defects of a response that the grant rejects, whichever endpoint began the ceremony. */
const defects: { readonly [name: string]: Partial<AuthenticatorBehavior> } = {
  "another challenge": { challenge: "A".repeat(43) },
  "another type": { clientDataType: "payment.get" },
  "the origin with http": { origin: "http://id.example.test" },
  "the origin with a port": { origin: "https://id.example.test:8443" },
  "the origin of a sibling subdomain": { origin: "https://evil.example.test" },
  "the origin of a subdomain": { origin: "https://a.id.example.test" },
  "the origin of an Android app that is not the client's": { origin: "android:apk-key-hash:AAAA" },
  "another RP ID": { rpId: "example.test" },
  "a frame of another origin": { clientData: { crossOrigin: true } },
  "a top origin": { clientData: { topOrigin: "https://evil.example" } },
  "no user verification": { userVerified: false },
  "no presence of the user": { userPresent: false },
  "a backup without backup eligibility": { backedUp: true },
  "a member that is too long": { response: { clientDataJSON: "A".repeat(9000) } },
};

describe.each(Object.entries(defects))("a response with %s", (_, defect) => {
  test("creates no account", async () => {
    const before = await users();
    expectRejected(await service.exchange(await service.createPasskey(email, defect)));
    expect([await users(), await sessions(), await service.data.collections.factors.count({ tenant_id: "main" })]).toEqual([before, 0, 0]);
    expect(await auditEvents(service.manage, "passkey_challenge_failed")).toHaveLength(1);
  });

  test("does not sign in", async () => {
    await service.signUp(email);
    expectRejected(await service.exchange(await service.usePasskey(defect)));
    expect(await sessions()).toBe(1);
    expect(await auditEvents(service.manage, "passkey_challenge_failed")).toHaveLength(1);
    // The passkey stays valid.
    jsonBody(await service.exchange(await service.usePasskey()));
  });
});

describe("a new passkey", () => {
  test.each<[string, Partial<AuthenticatorBehavior>]>([
    ["an algorithm that was not offered", { key: "ES384" }],
    ["a short RSA key", { key: "RS256 with 1024 bits" }],
    ["an algorithm that does not fit the key", { algorithm: -257 }],
    ["an id of more than 1023 bytes", { credentialIdLength: 1024 }],
    ["a statement in the attestation format none", { attestation: { format: "none", statement: new Map([["x", 1]]) } }],
    ["another attestation format", { attestation: { format: "fido-u2f", statement: new Map() } }],
    ["nested CBOR", { attestationObject: new Uint8Array(4000).fill(0x81) }],
    ["an attestation object that is no CBOR", { attestationObject: Uint8Array.of(0xff) }],
  ])("is rejected with %s", async (_, defect) => {
    expectRejected(await service.exchange(await service.createPasskey(email, defect)));
    expect(await service.data.collections.factors.count({ tenant_id: "main" })).toBe(0);
  });

  test("is rejected if another account has its id, and no account is created", async () => {
    const before = await users();
    const credentialId = new Uint8Array(32).fill(7);
    const first = subjectOf(await service.signUp(email, { credentialId }));
    const second = await service.createPasskey("second@people.example", { credentialId });
    expectRejected(await service.exchange(second));
    expect(await users()).toBe(before + 1);
    const { factors } = service.data.collections;
    expect([await factors.count({ tenant_id: "main" }), await factors.count({ tenant_id: "main", user_id: first })]).toEqual([1, 1]);
    expect(await sessions()).toBe(1);
  });
});

describe("a passkey", () => {
  test("is rejected with the user handle of another user, and accepted without a handle", async () => {
    const first = subjectOf(await service.signUp(email));
    const handle = service.device.credentials[0]?.userHandle ?? "";
    const second = subjectOf(await service.signUp("second@people.example"));
    expectRejected(await service.exchange(await service.usePasskey({ userHandle: handle })));
    expect(subjectOf(jsonBody(await service.exchange(await service.usePasskey({ userHandle: null }))))).toBe(second);
    expect(second).not.toBe(first);
  });

  test("is rejected alike if it is unknown and if its signature is wrong", async () => {
    await service.signUp(email);
    const unknown = await service.exchange(await service.usePasskey({ sentId: "AAAA" }));
    const wrong = await service.exchange(await service.usePasskey({ wrongSignature: true }));
    expectRejected(unknown);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
  });

  test("is rejected if its counter decreases, unless it is synced or has no counter", async () => {
    await service.signUp(email, { counter: 5 });
    expectRejected(await service.exchange(await service.usePasskey({ counter: 5 })));
    jsonBody(await service.exchange(await service.usePasskey({ counter: 6 })));
    await service.signUp("zero@people.example", { counter: 0 });
    jsonBody(await service.exchange(await service.usePasskey({ counter: 0 })));
    const synced = { backupEligible: true, backedUp: true };
    await service.signUp("synced@people.example", { ...synced, counter: 5 });
    jsonBody(await service.exchange(await service.usePasskey({ ...synced, counter: 3 })));
    expect(await auditEvents(service.manage, "w")).toHaveLength(1);
  });

  test("is rejected if it can be backed up now and could not before", async () => {
    await service.signUp(email);
    expectRejected(await service.exchange(await service.usePasskey({ backupEligible: true })));
  });

  test("of another tenant on the same host is unknown", async () => {
    await service.signUp(email);
    const other = await managerOf(service, "other");
    const [connection = {}] = list(await other("GET", "/api/v2/connections?strategy=auth0"));
    const methods = { authentication_methods: { password: { enabled: true }, passkey: { enabled: true } } };
    await other("PATCH", `/api/v2/connections/${String(connection["id"])}`, { options: methods });
    const client = await other.create("/api/v2/clients", { name: "other", app_type: "native", grant_types: [passkeyGrantType] });
    const app = { clientId: stringMember(client, "client_id"), redirectUri: "" };
    expectRejected(await service.exchange(await service.usePasskey({}, {}, app), app));
  });

  test("is limited to 429 if the host's limiter rejects the address", async () => {
    let isAllowed = true;
    const rateLimiter = { consume: async () => ({ allowed: isAllowed, retryAfterSeconds: 7 }) };
    const limited = await openPasskeyService({ rateLimiter });
    await limited.signUp(email);
    const answer = await limited.usePasskey();
    isAllowed = false;
    const responses = [await limited.challenge(), await limited.register({ user_profile: { email } }), await limited.exchange(answer)];
    expect(responses.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(responses.map(() => [429, "7"]));
    isAllowed = true;
    jsonBody(await limited.exchange(answer));
  });
});

describe("a native app", () => {
  const fingerprint = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, "0")).join(":");
  const android = `android:apk-key-hash:${Buffer.from(fingerprint.replaceAll(":", ""), "hex").toString("base64url")}`;

  test("creates and uses passkeys if the client lists its certificate", async () => {
    const mobile = { android: { app_package_name: "com.example", sha256_cert_fingerprints: [fingerprint.toUpperCase()] } };
    const app = await service.registerClient({ app_type: "native", grant_types: [passkeyGrantType], mobile });
    const behavior = { origin: android };
    const reply = jsonBody(await service.exchange(await service.createPasskey(email, behavior, {}, app), app));
    expect(subjectOf(jsonBody(await service.exchange(await service.usePasskey(behavior, {}, app), app)))).toBe(subjectOf(reply));
    const sameTenant = await service.registerClient({ app_type: "native", grant_types: [passkeyGrantType] });
    expectRejected(await service.exchange(await service.usePasskey(behavior, {}, sameTenant), sameTenant));
  });
});

describe("a second factor", () => {
  const setPolicy = async (): Promise<void> => {
    await service.manage("PUT", "/api/v2/guardian/factors/otp", { enabled: true });
    await service.manage("PUT", "/api/v2/guardian/policies", ["all-applications"]);
  };

  test("is not required by the tenant's policy, because the passkey verified the user", async () => {
    await setPolicy();
    const reply = await service.signUp(email);
    expect(decodeJwt(stringMember(reply, "id_token"))).toMatchObject({ acr });
  });

  test("is required if passkeys do not count as a factor, after the sign-up and after each sign-in", async () => {
    await setPolicy();
    jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { passkey_counts_as_factor: false }));
    const required = jsonBody(await service.exchange(await service.createPasskey(email)), 403);
    expect(required).toEqual({
      error: "mfa_required",
      error_description: "Multifactor authentication required",
      mfa_token: expect.any(String),
      mfa_requirements: { enroll: [{ type: "otp" }] },
    });
    expect(await sessions()).toBe(0);
    const token = stringMember(required, "mfa_token");
    const added = jsonBody(await service.call("POST", "/mfa/associate", { token, body: { authenticator_types: ["otp"] } }));
    const secret = stringMember(added, "secret");
    const pass = async (mfa_token: string): Promise<ApiResponse> => {
      const { clientId: client_id, secret: client_secret = "" } = service.app;
      const otp = totpAt(secret, service.clock.now());
      return service.postForm({ grant_type: otpGrant, client_id, client_secret, mfa_token, otp });
    };
    jsonBody(await pass(token));
    service.clock.advance("31s");
    const again = jsonBody(await service.exchange(await service.usePasskey()), 403);
    expect(again["error"]).toBe("mfa_required");
    const { id_token: idToken } = jsonBody(await pass(stringMember(again, "mfa_token")));
    expect(decodeJwt(String(idToken))).toMatchObject({ acr, amr: expect.arrayContaining(["pop", "otp", "mfa"]) });
    expect(await auditEvents(service.manage, "sepkotpft")).toHaveLength(2);
  });
});
