import { expect } from "vitest";
import { totpAt } from "../factors/support.ts";
import { manage, managerToken, sendPasswordGrant, tokenOf, userinfoStatus, type JsonReply } from "./support/client.ts";
import { password } from "./support/fixtures.ts";
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
  for (const factor of ["otp", "email"])
    expect(await manage(origin, token, "PUT", `/api/v2/guardian/factors/${factor}`, { enabled: true })).toBe(200);
  await send(origin, "PUT", "/api/v2/guardian/policies", token, ["all-applications"]);
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

async function redeem({ origin }: ServerProcess, kind: "otp" | "oob", parameters: { readonly [name: string]: string }): Promise<JsonReply> {
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

/** Whether the user has a confirmed authenticator app, according to the MFA API. */
async function hasApp({ origin }: ServerProcess, mfaToken: string): Promise<boolean> {
  const { body } = await send(origin, "GET", "/mfa/authenticators", mfaToken);
  return (body as unknown as readonly JsonReply["body"][]).some(
    ({ authenticator_type: type, active }) => type === "otp" && active === true,
  );
}

/** The writes from an accepted factor to the token response. */
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
    "logs.insert",
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
  const listed = (await send(server.origin, "GET", "/mfa/authenticators", mfaToken)).body as unknown as readonly JsonReply["body"][];
  const authenticator_id = String(listed.find(({ type }) => type === "email")?.["id"]);
  const body = new URLSearchParams({ mfa_token: mfaToken, client_id: "app", challenge_type: "oob", authenticator_id });
  const challenge = (await (await fetch(`${server.origin}/mfa/challenge`, { method: "POST", body })).json()) as JsonReply["body"];
  const { code = "" } = await server.mailTo(email);
  return { mfaToken, oob: { oob_code: String(challenge["oob_code"]), binding_code: code } };
}
