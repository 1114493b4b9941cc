import { expect } from "vitest";
import { totpAt } from "../factors/support.ts";
import { manage, managerToken, sendPasswordGrant, tokenOf, userinfoStatus, type JsonReply } from "./support/client.ts";
import { password, serverIssuer } from "./support/fixtures.ts";
import type { ServerProcess } from "./support/processes.ts";
import { crashTests } from "./support/survive-crashes.ts";

/** A process is killed before and after each write while a second factor is added or passed with the MFA API. */
const surviveCrashes = crashTests();

const connection = "Username-Password-Authentication";
const timeStep = 31_000;
let users = 0;

/** Adds a user to a tenant that requires a second factor. @param methods are confirmed at once. */
async function addUser({ origin }: ServerProcess, ...methods: readonly object[]): Promise<string> {
  const token = await managerToken(origin);
  for (const factor of ["otp", "email", "sms"])
    expect(await manage(origin, token, "PUT", `/api/v2/guardian/factors/${factor}`, { enabled: true })).toBe(200);
  await send(origin, "PUT", "/api/v2/guardian/policies", token, ["all-applications"]);
  await send(origin, "PUT", "/api/v2/guardian/factors/phone/message-types", token, { message_types: ["sms", "voice"] });
  const email = `factor-${users++}@example.com`;
  const body = { connection, email, password, email_verified: true };
  const { body: created } = await send(origin, "POST", "/api/v2/users", token, body);
  const path = `/api/v2/users/${encodeURIComponent(String(created["user_id"]))}/authentication-methods`;
  for (const method of methods) expect((await send(origin, "POST", path, token, method)).status).toBe(201);
  return email;
}

/** Sends a request with a bearer token and a JSON body. */
async function send(origin: string, method: string, path: string, token: string, body?: unknown): Promise<JsonReply> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as JsonReply["body"] };
}

/** Enters the password. The tenant's policy never allows tokens for it alone. @returns the `mfa_token`. */
async function enterPassword({ origin }: ServerProcess, email: string): Promise<string> {
  const { status, body } = await sendPasswordGrant(origin, email);
  expect([status, body["error"]]).toEqual([403, "mfa_required"]);
  return String(body["mfa_token"]);
}

const codeNow = (server: ServerProcess, secret: string): string => totpAt(secret, Date.now() + server.ahead());

async function redeem(
  { origin }: ServerProcess,
  kind: "otp" | "oob" | "recovery-code",
  parameters: { readonly [name: string]: string },
): Promise<JsonReply> {
  const body = new URLSearchParams({ grant_type: `http://auth0.com/oauth/grant-type/mfa-${kind}`, client_id: "app", ...parameters });
  const response = await fetch(`${origin}/oauth/token`, { method: "POST", body });
  return { status: response.status, body: (await response.json()) as JsonReply["body"] };
}

const enterCode = (server: ServerProcess, mfaToken: string, otp: string): Promise<JsonReply> =>
  redeem(server, "otp", { mfa_token: mfaToken, otp });

/** Adds an authenticator app, up to its first code. @returns its key. */
async function addApp({ origin }: ServerProcess, mfaToken: string): Promise<string> {
  const { status, body } = await send(origin, "POST", "/mfa/associate", mfaToken, { authenticator_types: ["otp"] });
  expect(status).toBe(200);
  return String(body["secret"]);
}

async function expectTokens({ origin }: ServerProcess, reply: JsonReply): Promise<void> {
  expect(await userinfoStatus(origin, tokenOf(reply, "access_token"))).toBe(200);
}

/** Returns the user's authenticators, according to the MFA API. */
async function authenticators({ origin }: ServerProcess, mfaToken: string): Promise<readonly JsonReply["body"][]> {
  const { body } = await send(origin, "GET", "/mfa/authenticators", mfaToken);
  return body as unknown as readonly JsonReply["body"][];
}

/** Whether the user has a confirmed authenticator app, according to the MFA API. */
const hasApp = async (server: ServerProcess, mfaToken: string): Promise<boolean> =>
  (await authenticators(server, mfaToken)).some(({ authenticator_type: type, active }) => type === "otp" && active === true);

/** The writes from an accepted factor to the token response. The events of a new factor share the first insert. */
const tokenWrites = [
  "logs.insert",
  "sessions.insert",
  "tickets.update",
  "users.update",
  "logs.insert",
  "refresh_tokens.insert",
  "logs.insert",
];

surviveCrashes<{ email: string; mfaToken: string; secret: string }>(
  "confirmation of a new authenticator app",
  [
    "login_attempts.insert",
    "factors.update",
    "factors.update",
    "login_attempts.delete",
    "users.update",
    "trusted_browsers.delete",
    "factors.update",
    ...tokenWrites,
  ],
  {
    // The ticket for the mail about the new factor.
    afterResponse: ["tickets.insert"],
    async prepare(server) {
      const email = await addUser(server);
      const mfaToken = await enterPassword(server, email);
      return { email, mfaToken, secret: await addApp(server, mfaToken) };
    },
    request: (server, { mfaToken, secret }) => enterCode(server, mfaToken, codeNow(server, secret)),
    async check(server, { email, secret }) {
      await server.advance(timeStep);
      const mfaToken = await enterPassword(server, email);
      // Either the app was confirmed before the crash, and is required; or the user adds another one.
      const key = (await hasApp(server, mfaToken)) ? secret : await addApp(server, mfaToken);
      await expectTokens(server, await enterCode(server, mfaToken, codeNow(server, key)));
    },
  },
);

const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const app = { type: "totp", totp_secret: secret };

surviveCrashes<{ email: string; mfaToken: string }>(
  "code of an authenticator app",
  ["login_attempts.insert", "factors.update", "factors.update", "login_attempts.delete", ...tokenWrites],
  {
    async prepare(server) {
      const email = await addUser(server, app);
      return { email, mfaToken: await enterPassword(server, email) };
    },
    request: (server, { mfaToken }) => enterCode(server, mfaToken, codeNow(server, secret)),
    async check(server, { email }) {
      await server.advance(timeStep);
      const mfaToken = await enterPassword(server, email);
      const code = codeNow(server, secret);
      await expectTokens(server, await enterCode(server, mfaToken, code));
      // The code that was used is not accepted again.
      expect((await enterCode(server, await enterPassword(server, email), code)).status).toBe(403);
    },
  },
);

/** Returns the path of a user at the Management API. */
async function userPath({ origin }: ServerProcess, email: string, token: string): Promise<string> {
  const { body } = await send(origin, "GET", `/api/v2/users-by-email?email=${encodeURIComponent(email)}`, token);
  const [user] = body as unknown as readonly { readonly user_id: string }[];
  return `/api/v2/users/${encodeURIComponent(user?.user_id ?? "")}`;
}

/** Adds a user with an authenticator app, and returns their recovery code. */
async function addUserWithRecovery(server: ServerProcess): Promise<{ readonly email: string; readonly recoveryCode: string }> {
  const email = await addUser(server, app);
  const token = await managerToken(server.origin);
  await send(server.origin, "PUT", "/api/v2/guardian/factors/recovery-code", token, { enabled: true });
  const path = `${await userPath(server, email, token)}/recovery-code-regeneration`;
  return { email, recoveryCode: String((await send(server.origin, "POST", path, token)).body["recovery_code"]) };
}

surviveCrashes<{ email: string; mfaToken: string; recovery: { mfa_token: string; recovery_code: string } }>(
  "recovery code",
  ["login_attempts.insert", "factors.update", "login_attempts.delete", ...tokenWrites],
  {
    async prepare(server) {
      const { email, recoveryCode } = await addUserWithRecovery(server);
      const mfaToken = await enterPassword(server, email);
      return { email, mfaToken, recovery: { mfa_token: mfaToken, recovery_code: recoveryCode } };
    },
    request: (server, { recovery }) => redeem(server, "recovery-code", recovery),
    async check(server, { email, recovery }) {
      // The same request gets the next recovery code, which is valid.
      const repeated = await redeem(server, "recovery-code", recovery);
      await expectTokens(server, repeated);
      const next = { mfa_token: await enterPassword(server, email), recovery_code: String(repeated.body["recovery_code"]) };
      await expectTokens(server, await redeem(server, "recovery-code", next));
      expect((await redeem(server, "recovery-code", recovery)).status).toBe(401);
    },
  },
);

surviveCrashes<{ email: string; mfaToken: string; oob: { oob_code: string; binding_code: string } }>(
  "code by email",
  ["login_attempts.insert", "one_time_codes.update", "one_time_codes.update", "factors.update", "login_attempts.delete", ...tokenWrites],
  {
    async prepare(server) {
      const email = await addUser(server, app);
      return { email, ...(await requestCode(server, email)) };
    },
    request: (server, { mfaToken, oob }) => redeem(server, "oob", { mfa_token: mfaToken, ...oob }),
    async check(server, { email }) {
      const { mfaToken, oob } = await requestCode(server, email);
      await expectTokens(server, await redeem(server, "oob", { mfa_token: mfaToken, ...oob }));
    },
  },
);

/** Enters the password, and requests a code for the verified email address. */
async function requestCode(server: ServerProcess, email: string) {
  const mfaToken = await enterPassword(server, email);
  const challenge = await requestChallenge(server, mfaToken, await authenticatorId(server, mfaToken, "email"));
  const { code = "" } = await server.mailTo(email);
  return { mfaToken, oob: { oob_code: oobCodeOf(challenge), binding_code: code } };
}

/** Returns the id of the user's confirmed authenticator of a type. */
async function authenticatorId(server: ServerProcess, mfaToken: string, type: "email" | "phone"): Promise<string> {
  const found = (await authenticators(server, mfaToken)).find((one) => one["type"] === type && one["active"] === true);
  return String(found?.["id"]);
}

async function requestChallenge({ origin }: ServerProcess, mfaToken: string, authenticator_id: string): Promise<JsonReply> {
  const body = new URLSearchParams({ mfa_token: mfaToken, client_id: "app", challenge_type: "oob", authenticator_id });
  const response = await fetch(`${origin}/mfa/challenge`, { method: "POST", body });
  return { status: response.status, body: (await response.json()) as JsonReply["body"] };
}

function oobCodeOf({ status, body }: JsonReply): string {
  expect([status, body]).toEqual([200, expect.objectContaining({ oob_code: expect.any(String) })]);
  return String(body["oob_code"]);
}

surviveCrashes<{ email: string; mfaToken: string }>(
  "start of a new authenticator app",
  ["factors.delete", "factors.insert", "logs.insert", "tickets.update"],
  {
    async prepare(server) {
      const email = await addUser(server);
      return { email, mfaToken: await enterPassword(server, email) };
    },
    request: (server, { mfaToken }) => addApp(server, mfaToken),
    async check(server, { mfaToken }) {
      expect(await hasApp(server, mfaToken)).toBe(false);
      const key = await addApp(server, mfaToken);
      await expectTokens(server, await enterCode(server, mfaToken, codeNow(server, key)));
    },
  },
);

/** Requests an access token of the MFA API, and passes the authenticator app if one is required. */
async function changeToken(server: ServerProcess, email: string): Promise<string> {
  await server.advance(timeStep);
  const { origin } = server;
  const scope = "enroll read:authenticators remove:authenticators";
  const form = { grant_type: "password", client_id: "app", username: email, password, scope, audience: `${serverIssuer}mfa/` };
  const response = await fetch(`${origin}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  const body = (await response.json()) as JsonReply["body"];
  if (response.status === 200) return String(body["access_token"]);
  expect([response.status, body["error"]]).toEqual([403, "mfa_required"]);
  return tokenOf(await enterCode(server, String(body["mfa_token"]), codeNow(server, secret)), "access_token");
}

async function removeAuthenticator({ origin }: ServerProcess, token: string, id: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${origin}/mfa/authenticators/${encodeURIComponent(id)}`, { method: "DELETE", headers })).status;
}

surviveCrashes<{ email: string; token: string; id: string }>(
  "removal of the last authenticator app",
  ["users.update", "factors.delete", "trusted_browsers.delete", "users.update", "trusted_browsers.delete", "users.update", "logs.insert"],
  {
    // The ticket for the mail about the removal.
    afterResponse: ["tickets.insert"],
    async prepare(server) {
      const email = await addUser(server, app);
      await send(server.origin, "PUT", "/api/v2/guardian/policies", await managerToken(server.origin), []);
      const token = await changeToken(server, email);
      const found = (await authenticators(server, token)).find(({ authenticator_type: type }) => type === "otp");
      return { email, token, id: String(found?.["id"]) };
    },
    request: (server, { token, id }) => removeAuthenticator(server, token, id),
    async check(server, { email, id }) {
      const token = await changeToken(server, email);
      if (await hasApp(server, token)) expect(await removeAuthenticator(server, token, id)).toBe(204);
      expect(await hasApp(server, token)).toBe(false);
      const key = await addApp(server, await changeToken(server, email));
      expect(key).not.toBe("");
    },
  },
);

let phones = 0;

/** Returns a phone number in a range that no other test uses, because the number of messages to a number and a range is limited. */
const newNumber = (): string => `+49${1500 + phones++}5550100`;

const addPhone = ({ origin }: ServerProcess, mfaToken: string, phone_number: string): Promise<JsonReply> =>
  send(origin, "POST", "/mfa/associate", mfaToken, { authenticator_types: ["oob"], oob_channels: ["sms"], phone_number });

/** Adds a phone, up to its first code. @returns the parameters that confirm it. */
async function startPhone(server: ServerProcess, mfaToken: string, number: string) {
  const oob_code = oobCodeOf(await addPhone(server, mfaToken, number));
  const { code = "" } = await server.textTo(number);
  return { mfa_token: mfaToken, oob_code, binding_code: code };
}

/** Whether the user has a confirmed phone, according to the MFA API. */
const hasPhone = async (server: ServerProcess, mfaToken: string): Promise<boolean> =>
  (await authenticators(server, mfaToken)).some(({ type, active }) => type === "phone" && active === true);

surviveCrashes<{ mfaToken: string; number: string }>(
  "start of a new phone",
  [
    "factors.delete",
    "factors.insert",
    "logs.insert",
    "destination_budgets.insert",
    "one_time_codes.insert",
    // The user, the number, the range and the tenant.
    "message_counts.insert",
    "message_counts.insert",
    "message_counts.insert",
    "message_counts.insert",
    "logs.insert",
  ],
  {
    prepare: async (server) => ({ mfaToken: await enterPassword(server, await addUser(server)), number: newNumber() }),
    request: (server, { mfaToken, number }) => addPhone(server, mfaToken, number),
    async check(server, { mfaToken, number }) {
      expect(await hasPhone(server, mfaToken)).toBe(false);
      const code = await startPhone(server, mfaToken, number);
      await expectTokens(server, await redeem(server, "oob", code));
      expect((await redeem(server, "oob", code)).status).toBe(401);
    },
  },
);

surviveCrashes<{ email: string; number: string; code: Awaited<ReturnType<typeof startPhone>> }>(
  "confirmation of a new phone",
  [
    "login_attempts.insert",
    "one_time_codes.update",
    "one_time_codes.update",
    "factors.update",
    "login_attempts.delete",
    "users.update",
    "trusted_browsers.delete",
    "factors.update",
  ],
  {
    coveredElsewhere: tokenWrites,
    afterResponse: ["tickets.insert"],
    async prepare(server) {
      const email = await addUser(server);
      const number = newNumber();
      return { email, number, code: await startPhone(server, await enterPassword(server, email), number) };
    },
    request: (server, { code }) => redeem(server, "oob", code),
    async check(server, { email, number, code }) {
      const mfaToken = await enterPassword(server, email);
      // Either the phone was confirmed before the crash, and is required; or the user adds it again.
      const next = (await hasPhone(server, mfaToken))
        ? await requestText(server, mfaToken, number)
        : await startPhone(server, mfaToken, number);
      await expectTokens(server, await redeem(server, "oob", next));
      for (const used of [code, next]) expect((await redeem(server, "oob", used)).status).toBeGreaterThanOrEqual(400);
    },
  },
);

/** Requests a code by text message for the user's phone. @returns the parameters that redeem it. */
async function requestText(server: ServerProcess, mfaToken: string, number: string) {
  const oob_code = oobCodeOf(await requestChallenge(server, mfaToken, await authenticatorId(server, mfaToken, "phone")));
  const { code = "" } = await server.textTo(number);
  return { mfa_token: mfaToken, oob_code, binding_code: code };
}

/** Adds a user with a phone, and enters the password. */
async function startWithPhone(server: ServerProcess) {
  const number = newNumber();
  const email = await addUser(server, { type: "phone", phone_number: number, preferred_authentication_method: "sms" });
  return { email, number, mfaToken: await enterPassword(server, email) };
}

surviveCrashes<{ number: string; mfaToken: string; id: string }>(
  "start of a code by text message",
  ["logs.insert", "destination_budgets.insert", "one_time_codes.insert", "logs.insert"],
  {
    async prepare(server) {
      const started = await startWithPhone(server);
      return { ...started, id: await authenticatorId(server, started.mfaToken, "phone") };
    },
    request: (server, { mfaToken, id }) => requestChallenge(server, mfaToken, id),
    async check(server, { number, mfaToken, id }) {
      const text = await requestText(server, mfaToken, number);
      // The call replaces the text message.
      const oob_code = oobCodeOf(await requestChallenge(server, mfaToken, id.replace("phone", "voice")));
      const { code = "" } = await server.callTo(number);
      expect((await redeem(server, "oob", text)).status).toBe(403);
      await expectTokens(server, await redeem(server, "oob", { mfa_token: mfaToken, oob_code, binding_code: code }));
    },
  },
);

surviveCrashes<{ email: string; number: string; code: Awaited<ReturnType<typeof requestText>> }>(
  "code by text message",
  ["login_attempts.insert", "one_time_codes.update", "one_time_codes.update", "factors.update", "login_attempts.delete"],
  {
    coveredElsewhere: tokenWrites,
    async prepare(server) {
      const { email, number, mfaToken } = await startWithPhone(server);
      return { email, number, code: await requestText(server, mfaToken, number) };
    },
    request: (server, { code }) => redeem(server, "oob", code),
    async check(server, { email, number, code }) {
      const mfaToken = await enterPassword(server, email);
      const next = await requestText(server, mfaToken, number);
      await expectTokens(server, await redeem(server, "oob", next));
      // The first code may be unused, and is then valid once.
      await redeem(server, "oob", code);
      for (const used of [code, next]) expect((await redeem(server, "oob", used)).status).toBeGreaterThanOrEqual(400);
    },
  },
);

/** Two users with factors, who can be linked. */
interface Pair {
  /** Has a phone. */
  readonly ann: string;
  /** Has an authenticator app and a recovery code. */
  readonly bob: string;
  readonly bobsId: string;
  /** The path of Ann's identities at the Management API. */
  readonly identities: string;
  /** An access token for the Management API. */
  readonly token: string;
}

async function addPair(server: ServerProcess): Promise<Pair> {
  const ann = await addUser(server, { type: "phone", phone_number: newNumber(), preferred_authentication_method: "sms" });
  const { email: bob } = await addUserWithRecovery(server);
  const token = await managerToken(server.origin);
  const bobsId = decodeURIComponent((await userPath(server, bob, token)).replace("/api/v2/users/", ""));
  return { ann, bob, bobsId, identities: `${await userPath(server, ann, token)}/identities`, token };
}

const linkPair = ({ origin }: ServerProcess, { identities, bobsId, token }: Pair): Promise<number> =>
  manage(origin, token, "POST", identities, { provider: "auth0", user_id: bobsId });

const unlinkPair = ({ origin }: ServerProcess, { identities, bobsId, token }: Pair): Promise<number> =>
  manage(origin, token, "DELETE", `${identities}/auth0/${encodeURIComponent(bobsId)}`);

/** The writes that end the access of the linked account. */
const endOfAccess = [
  "refresh_tokens.update",
  "trusted_browsers.delete",
  "user_permissions.delete",
  "user_roles.delete",
  "organization_members.delete",
];

/** Returns the types of the authenticators that a sign-in with the password asks for. */
async function challengesOf(server: ServerProcess, email: string): Promise<readonly string[]> {
  const listed = await authenticators(server, await enterPassword(server, email));
  return listed
    .map(({ type }) => String(type))
    .filter((type) => type !== "email")
    .toSorted();
}

/** Expects the factors of both accounts. @returns whether they are linked. */
async function expectFactorsOfPair(server: ServerProcess, { ann, bob }: Pair): Promise<boolean> {
  const [anns, bobs] = [await challengesOf(server, ann), await challengesOf(server, bob)];
  const isLinked = !bobs.includes("recovery-code");
  expect([anns, bobs]).toEqual(
    isLinked
      ? [
          ["otp", "phone"],
          ["otp", "phone"],
        ]
      : [["phone"], ["otp", "recovery-code"]],
  );
  return isLinked;
}

const linkWrites = ["users.update", "trusted_browsers.delete", "users.update", ...endOfAccess, "logs.insert", "logs.insert"];

surviveCrashes<Pair>("link of an account with factors", linkWrites, {
  prepare: addPair,
  request: linkPair,
  async check(server, pair) {
    await expectFactorsOfPair(server, pair);
    expect([201, 409]).toContain(await linkPair(server, pair));
    expect(await expectFactorsOfPair(server, pair)).toBe(true);
    expect(await unlinkPair(server, pair)).toBe(200);
    expect(await expectFactorsOfPair(server, pair)).toBe(false);
  },
});

const unlinkWrites = [...endOfAccess, "users.update", "users.update", "trusted_browsers.delete", "users.update", "logs.insert"];

surviveCrashes<Pair>("removal of the link of an account with factors", unlinkWrites, {
  async prepare(server) {
    const pair = await addPair(server);
    expect(await linkPair(server, pair)).toBe(201);
    return pair;
  },
  request: unlinkPair,
  async check(server, pair) {
    await expectFactorsOfPair(server, pair);
    expect([200, 404]).toContain(await unlinkPair(server, pair));
    expect(await expectFactorsOfPair(server, pair)).toBe(false);
    expect(await linkPair(server, pair)).toBe(201);
    expect(await expectFactorsOfPair(server, pair)).toBe(true);
  },
});
