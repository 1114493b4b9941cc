import { beforeEach, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { authenticationSchema, newestMethods } from "../../model/sessions/authentication.ts";
import { authTimeOf, methodsOf, type AuthTime } from "./methods.ts";
import { createSession, reauthenticate, revokeSession, type StoredSession } from "./session.ts";

let logins: Logins;
let session: StoredSession;
let began: number;

beforeEach(async () => {
  logins = await createLogins();
  began = logins.clock.now();
  session = await createSession(logins.tenant, {
    userId: "Users|1",
    accountId: "Users|1",
    connectionId: logins.connection.id,
    clientId: "app",
    issuer: "https://login.example.com/",
    method: "pwd",
    requestInfo: logins.tenant.requestInfo,
    lifetimes: logins.tenant.settings,
  });
});

async function stored(): Promise<StoredSession | undefined> {
  return (await logins.data.sessions.find({ where: { id: session.id }, limit: 1 }))[0];
}

async function again(method: string, known = session, authTime?: AuthTime): Promise<StoredSession | undefined> {
  return reauthenticate(logins.tenant, known, { method }, logins.tenant.settings, authTime);
}

const storedMethods = async () => authenticationSchema.parse((await stored())?.authentication).methods;

test("stores each authentication method once with its latest time, and the latest method last", async () => {
  logins.clock.advance("1m");
  const withCode = await again("otp");
  expect(await stored()).toEqual(withCode);
  expect(await storedMethods()).toEqual([
    { name: "pwd", timestamp: began },
    { name: "otp", timestamp: began + 60_000 },
  ]);
  logins.clock.advance("1m");
  await again("pwd", withCode);
  expect(await storedMethods()).toEqual([
    { name: "otp", timestamp: began + 60_000 },
    { name: "pwd", timestamp: began + 120_000 },
  ]);
});

test("methodsOf returns only the latest authentication method", async () => {
  expect(methodsOf(session, undefined)).toEqual(["pwd"]);
  logins.clock.advance("1m");
  const withCode = await again("otp");
  expect(methodsOf(withCode, undefined)).toEqual(["otp"]);
  expect(withCode && newestMethods(withCode)).toEqual([{ name: "otp", timestamp: began + 60_000 }]);
  expect(withCode?.authenticated_at).toBe(began + 60_000);
});

test("stores the ten authentication methods that were used last", async () => {
  let current: StoredSession | undefined = session;
  for (let i = 0; i < 12; i++) current = await again(`method-${i}`, current);
  expect((await storedMethods()).map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, i) => `method-${i + 2}`));
});

test("stores the authentication methods of all parallel sign-ins", async () => {
  await Promise.all(["a", "b", "c"].map((method) => again(method)));
  const names = (await storedMethods()).map(({ name }) => name);
  expect(names.toSorted()).toEqual(["a", "b", "c", "pwd"]);
});

test("continues the session if many tabs sign in at the same time", async () => {
  const continued = await Promise.all(Array.from({ length: 32 }, () => again("pwd")));
  expect(continued.filter((one) => one?.id === session.id)).toHaveLength(32);
  expect(await stored(), "each of them is written").toMatchObject({ revision: 32 });
  expect(await storedMethods()).toHaveLength(1);
});

test("keeps the later authentication time if an identity provider reports an earlier one", async () => {
  const first = await again("federated", session, { at: began + 5000, isKnown: true });
  const older = await again("federated", first, { at: began, isKnown: true });
  expect(older).toMatchObject({ authenticated_at: began + 5000 });
  const unknown = await again("federated", older, { at: began + 9000, isKnown: false });
  expect(authTimeOf(unknown ?? session)).toBe(began + 5000);
  expect(await storedMethods()).toEqual([
    { name: "pwd", timestamp: began },
    { name: "federated", timestamp: began + 5000 },
  ]);
  expect(methodsOf(unknown, undefined)).toEqual([]);
});

test("reauthenticate returns undefined for a session that was revoked", async () => {
  await revokeSession(logins.tenant, session.id, "session-revoked");
  expect(await again("otp")).toBeUndefined();
  expect(await storedMethods()).toEqual([{ name: "pwd", timestamp: began }]);
});
