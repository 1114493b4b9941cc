import { beforeEach, expect, test } from "vitest";
import { createLogins, rightPassword, type Logins } from "../../../test/password-logins.ts";
import type { Row } from "../../store/schema.ts";
import { createSession, isAlive } from "../sessions/session.ts";
import { disownAccount, proveEmail } from "./prove-email.ts";

const email = "invited@example.com";

let logins: Logins;
/** An account with an unproven email address. */
let invited: Row<"users">;

beforeEach(async () => {
  logins = await createLogins();
  invited = await logins.addUser({ email });
  expect(invited.email_verified).toBe(false);
});

const requestInfo = { requestId: "r", ip: "192.0.2.1", sharedIp: false, userAgent: "", hostname: "", acceptLanguage: "" };
const lifetimes = {
  session_cookie: { mode: "persistent" },
  session_lifetime_in_minutes: 600,
  idle_session_lifetime_in_minutes: 60,
  ephemeral_session_lifetime_in_minutes: 600,
  idle_ephemeral_session_lifetime_in_minutes: 60,
} as const;

async function session(accountId = invited.user_id): Promise<string> {
  const { connection } = logins;
  const signIn = { clientId: "c", issuer: "https://login.example.com/", method: "pwd" };
  const input = { userId: invited.user_id, accountId, connectionId: connection.id, ...signIn, requestInfo, lifetimes };
  return (await createSession(logins.tenant, input)).id;
}

async function isLive(id: string): Promise<boolean> {
  const [row] = await logins.data.sessions.find({ where: { id }, limit: 1 });
  return row !== undefined && isAlive(row, logins.clock.now());
}

async function stored(): Promise<Row<"users"> | undefined> {
  return (await logins.data.users.find({ where: { user_id: invited.user_id }, limit: 1 }))[0];
}

const prove = (byCreator = false, to = email): Promise<boolean> =>
  proveEmail(logins.tenant, { userId: invited.user_id, email: to, byCreator });

const disown = (from = email): ReturnType<typeof disownAccount> => disownAccount(logins.tenant, { userId: invited.user_id, email: from });

test("another user who proves the email address gets the account, without the creator's password and sessions", async () => {
  const creatorSession = await session();
  expect(await logins.login(email, rightPassword)).toMatchObject({ kind: "signed-in" });

  expect(await prove()).toBe(true);
  expect(await stored()).toMatchObject({ email_verified: true, password_id: null });
  expect(await logins.login(email, rightPassword)).toMatchObject({ kind: "wrong-credentials" });
  expect(await isLive(creatorSession)).toBe(false);
});

test("an account that the creator linked is unlinked when another user proves the email address", async () => {
  const other = await logins.addUser({ email: "maker@example.com" });
  await logins.link(other, invited);
  const creatorSession = await session(other.user_id);
  expect(await prove()).toBe(true);
  expect(await stored()).toMatchObject({ email_verified: true, password_id: null, linked_count: 0 });
  expect(await isLive(creatorSession)).toBe(false);
  expect(await logins.login("maker@example.com", rightPassword)).toMatchObject({ user: { user_id: other.user_id } });
});

test("the creator keeps the password, the session and the linked accounts after proving the email address", async () => {
  const other = await logins.addUser({ email: "maker@example.com" });
  await logins.link(other, invited);
  const creatorSession = await session();
  expect(await prove(true)).toBe(true);
  expect(await stored()).toMatchObject({ email_verified: true, password_id: invited.password_id, linked_count: 1 });
  expect(await isLive(creatorSession)).toBe(true);
  expect(await logins.login(email, rightPassword)).toMatchObject({ kind: "signed-in" });
});

test("a disowned account has no password, no linked account, no session and no verified email address", async () => {
  const other = await logins.addUser({ email: "maker@example.com" });
  await logins.link(other, invited);
  const creatorSession = [await session(), await session(other.user_id)];
  expect(await disown()).toBe("disowned");
  expect(await stored()).toMatchObject({ email_verified: false, password_id: null, linked_count: 0 });
  expect(await logins.login(email, rightPassword)).toMatchObject({ kind: "wrong-credentials" });
  for (const id of creatorSession) expect(await isLive(id)).toBe(false);
  // A second call, as after a crash, succeeds as well.
  expect(await disown()).toBe("disowned");
});

test("an account cannot be disowned with another email address, or if its email address is verified", async () => {
  expect(await disown("former@example.com")).toBe("unchanged");
  expect(await prove(true)).toBe(true);
  expect(await disown()).toBe("unchanged");
  expect(await stored()).toMatchObject({ email_verified: true, password_id: invited.password_id });
});

test("a proof changes nothing if it is for another email address, a linked account or an unknown user, and ends no access if the email address was verified before", async () => {
  expect(await prove(false, "former@example.com")).toBe(false);
  expect(await stored()).toMatchObject({ email_verified: false, password_id: invited.password_id });
  expect(await proveEmail(logins.tenant, { userId: "auth0|nobody", email, byCreator: true })).toBe(false);
  await logins.data.users.update({ user_id: invited.user_id }, { set: { email_verified: true } });
  expect(await prove(false, email.toUpperCase())).toBe(true);
  expect(await stored()).toMatchObject({ email_verified: true, password_id: invited.password_id });
  const primary = await logins.addUser({ email: "primary@example.com" });
  await logins.link(invited, primary);
  expect(await prove()).toBe(false);
});
