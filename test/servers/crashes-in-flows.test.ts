import { expect } from "vitest";
import {
  requestAuthorization,
  redirectCode,
  exchange,
  isVerified,
  sendPasswordGrant,
  submitLinkPage,
  redeemOneTimeCode,
  sendRefreshGrant,
  sendPassword,
  obtainCode,
  signInSilently,
  signOut,
  sendSignUp,
  startCode,
  createEmailConnection,
  tokenOf,
  userinfoStatus,
  type Code,
  type CookieMap,
  type JsonReply,
  type PendingLogin,
} from "./support/client.ts";
import { beyondLeeway, signedOut } from "./support/fixtures.ts";
import type { ServerProcess } from "./support/processes.ts";
import { crashTests } from "./support/survive-crashes.ts";

/** The largest clock difference between two processes, in milliseconds. */
const clockSkew = 60_000;

const invalidGrant = { status: 400, body: { error: "invalid_grant" } };

const surviveCrashes = crashTests();

/** The number of email addresses that were used. */
let addresses = 0;

/** Uses a refresh token once. @returns its successor. */
async function useRefreshToken(server: ServerProcess, token: string): Promise<string> {
  const reply = await sendRefreshGrant(server.origin, token);
  expect(await userinfoStatus(server.origin, tokenOf(reply, "access_token"))).toBe(200);
  return tokenOf(reply, "refresh_token");
}

surviveCrashes<{ cookies: CookieMap; code: Code; earlier: string }>(
  "code exchange",
  ["refresh_tokens.insert", "authorization_codes.update", "logs.insert"],
  {
    async prepare({ origin }) {
      const cookies: CookieMap = new Map();
      const earlier = tokenOf(await exchange(origin, await obtainCode(origin, cookies)), "refresh_token");
      const code = await signInSilently(origin, cookies);
      if (typeof code === "string") throw new Error(code);
      return { cookies, code, earlier };
    },
    request: ({ origin }, { code }) => exchange(origin, code),
    async check(server, { cookies, code, earlier }) {
      const { origin } = server;
      const repeated = await exchange(origin, code);
      if (repeated.status === 200) expect(await userinfoStatus(origin, tokenOf(repeated, "access_token"))).toBe(200);
      else expect(repeated).toMatchObject(invalidGrant);
      expect(await exchange(origin, code)).toMatchObject(invalidGrant);
      if (repeated.status === 200) expect(await sendRefreshGrant(origin, tokenOf(repeated, "refresh_token"))).toMatchObject(invalidGrant);

      // The user still has a session, so the app gets another code without a prompt.
      const another = await signInSilently(origin, cookies);
      if (typeof another === "string") throw new Error(another);
      await useRefreshToken(server, tokenOf(await exchange(origin, another), "refresh_token"));
      await useRefreshToken(server, earlier);
    },
  },
);

surviveCrashes<{ old: string }>("refresh", ["refresh_tokens.insert", "refresh_tokens.update", "logs.insert"], {
  prepare: async ({ origin }) => ({ old: tokenOf(await exchange(origin, await obtainCode(origin)), "refresh_token") }),
  request: ({ origin }, { old }) => sendRefreshGrant(origin, old),
  async check(server, { old }) {
    const next = await useRefreshToken(server, await useRefreshToken(server, old));
    await server.advance(beyondLeeway);
    expect(await sendRefreshGrant(server.origin, old)).toMatchObject(invalidGrant);
    expect(await sendRefreshGrant(server.origin, next)).toMatchObject(invalidGrant);
  },
});

surviveCrashes<{ old: string; lost: string }>(
  "recovery of a lost successor",
  ["refresh_tokens.update", "refresh_tokens.insert", "refresh_tokens.update", "logs.insert", "logs.insert"],
  {
    async prepare(server) {
      const old = tokenOf(await exchange(server.origin, await obtainCode(server.origin)), "refresh_token");
      const lost = tokenOf(await sendRefreshGrant(server.origin, old), "refresh_token");
      // The process after the crash did not see the rotation, so it adds the possible clock difference to the leeway.
      await server.advance(beyondLeeway + clockSkew);
      return { old, lost };
    },
    request: ({ origin }, { old }) => sendRefreshGrant(origin, old),
    async check(server, { old, lost }) {
      const next = await useRefreshToken(server, await useRefreshToken(server, old));
      expect(await sendRefreshGrant(server.origin, lost)).toMatchObject(invalidGrant);
      expect(await sendRefreshGrant(server.origin, next)).toMatchObject(invalidGrant);
    },
  },
);

surviveCrashes<{ old: string; last: JsonReply }>(
  "replay of a refresh token",
  ["refresh_tokens.update", "revoked_grants.insert", "logs.insert", "logs.insert"],
  {
    async prepare(server) {
      const old = tokenOf(await exchange(server.origin, await obtainCode(server.origin)), "refresh_token");
      const last = await sendRefreshGrant(server.origin, await useRefreshToken(server, old));
      await server.advance(beyondLeeway);
      return { old, last };
    },
    request: ({ origin }, { old }) => sendRefreshGrant(origin, old),
    async check({ origin }, { old, last }) {
      expect(await sendRefreshGrant(origin, old)).toMatchObject(invalidGrant);
      expect(await sendRefreshGrant(origin, tokenOf(last, "refresh_token"))).toMatchObject(invalidGrant);
      expect(await userinfoStatus(origin, tokenOf(last, "access_token"))).toBe(401);
    },
  },
);

surviveCrashes<{ cookies: CookieMap; token: string }>("logout", ["sessions.update", "refresh_tokens.update", "logs.insert"], {
  async prepare({ origin }) {
    const cookies: CookieMap = new Map();
    return { cookies, token: tokenOf(await exchange(origin, await obtainCode(origin, cookies)), "refresh_token") };
  },
  request: ({ origin }, { cookies }) => signOut(origin, cookies),
  async check({ origin }, { cookies, token }) {
    const cookiesBefore = new Map(cookies);
    expect(await signOut(origin, cookies)).toBe(signedOut);
    for (const jar of [cookies, cookiesBefore]) expect(await signInSilently(origin, jar)).toBe("login_required");
    expect(await sendRefreshGrant(origin, token)).toMatchObject(invalidGrant);
    await obtainCode(origin, cookies);
  },
});

surviveCrashes<{ cookies: CookieMap; loginSession: PendingLogin }>(
  "password on the login page",
  [
    "login_attempts.insert",
    "sessions.insert",
    "users.update",
    "login_attempts.delete",
    "login_sessions.update",
    "logs.insert",
    "authorization_codes.insert",
  ],
  {
    async prepare({ origin }) {
      const cookies: CookieMap = new Map();
      const { loginSession } = await requestAuthorization(origin, cookies, "app");
      if (loginSession === undefined) throw new Error("expected a login session");
      return { cookies, loginSession };
    },
    request: ({ origin }, { cookies, loginSession }) => sendPassword(origin, cookies, loginSession),
    async check(server, { cookies, loginSession }) {
      const { origin } = server;
      const code = redirectCode(loginSession, await sendPassword(origin, cookies, loginSession));
      await useRefreshToken(server, tokenOf(await exchange(origin, code), "refresh_token"));
      expect(await signInSilently(origin, cookies)).toMatchObject({ clientId: "app" });
    },
  },
);

surviveCrashes<object>(
  "password grant",
  [
    "login_attempts.insert",
    "sessions.insert",
    "users.update",
    "login_attempts.delete",
    "logs.insert",
    "refresh_tokens.insert",
    "logs.insert",
  ],
  {
    prepare: async () => ({}),
    request: ({ origin }) => sendPasswordGrant(origin),
    check: async (server) => void (await useRefreshToken(server, tokenOf(await sendPasswordGrant(server.origin), "refresh_token"))),
  },
);

surviveCrashes<{ email: string; code: string }>(
  "one-time-code grant",
  [
    "one_time_codes.update",
    "one_time_codes.update",
    "sessions.insert",
    "users.update",
    "login_attempts.delete",
    "logs.insert",
    "refresh_tokens.insert",
  ],
  {
    async prepare(server) {
      const { origin } = server;
      // Each test uses its own email address, because the number of codes per address is limited.
      const email = `mira-${addresses++}@example.com`;
      await createEmailConnection(origin);
      // The first code creates the account.
      await startCode(origin, email);
      tokenOf(await redeemOneTimeCode(origin, email, (await server.mailTo(email)).code ?? ""), "access_token");
      await startCode(origin, email);
      return { email, code: (await server.mailTo(email)).code ?? "" };
    },
    request: ({ origin }, { email, code }) => redeemOneTimeCode(origin, email, code),
    async check(server, { email, code }) {
      const { origin } = server;
      const repeated = await redeemOneTimeCode(origin, email, code);
      if (repeated.status === 200) await useRefreshToken(server, tokenOf(repeated, "refresh_token"));
      else expect(repeated).toMatchObject(invalidGrant);
      expect(await redeemOneTimeCode(origin, email, code)).toMatchObject(invalidGrant);
      // A user who lost a code can request another one.
      await startCode(origin, email);
      const another = await redeemOneTimeCode(origin, email, (await server.mailTo(email)).code ?? "");
      await useRefreshToken(server, tokenOf(another, "refresh_token"));
    },
  },
);

surviveCrashes<{ email: string; code: string }>(
  "first one-time code of a new user",
  [
    "one_time_codes.update",
    "one_time_codes.update",
    "users.insert",
    "sessions.insert",
    "users.update",
    "login_attempts.delete",
    "logs.insert",
    "refresh_tokens.insert",
  ],
  {
    async prepare(server) {
      const email = `new-${addresses++}@example.com`;
      await createEmailConnection(server.origin);
      await startCode(server.origin, email);
      return { email, code: (await server.mailTo(email)).code ?? "" };
    },
    request: ({ origin }, { email, code }) => redeemOneTimeCode(origin, email, code),
    async check(server, { email }) {
      await startCode(server.origin, email);
      const another = await redeemOneTimeCode(server.origin, email, (await server.mailTo(email)).code ?? "");
      await useRefreshToken(server, tokenOf(another, "refresh_token"));
    },
  },
);

surviveCrashes<{ cookies: CookieMap; email: string; link: string }>(
  "sign-in link",
  [
    "one_time_codes.update",
    "one_time_codes.update",
    "users.insert",
    "sessions.insert",
    "users.update",
    "login_attempts.delete",
    "logs.insert",
  ],
  {
    async prepare(server) {
      const email = `link-${addresses++}@example.com`;
      await createEmailConnection(server.origin);
      await startCode(server.origin, email, "link");
      return { cookies: new Map(), email, link: (await server.mailTo(email)).link ?? "" };
    },
    request: ({ origin }, { cookies, link }) => submitLinkPage(origin, cookies, link),
    async check(server, { cookies, email, link }) {
      const { origin } = server;
      let { pathname } = await submitLinkPage(origin, cookies, link);
      if (pathname !== "/authorize") {
        await startCode(origin, email, "link");
        ({ pathname } = await submitLinkPage(origin, cookies, (await server.mailTo(email)).link ?? ""));
      }
      expect(pathname).toBe("/authorize");
      expect(await signInSilently(origin, cookies)).toMatchObject({ clientId: "app" });
    },
  },
);

/** Signs a user up. @returns the email address and the link that verifies it. */
async function signUpUnverified(server: ServerProcess): Promise<{ email: string; link: string }> {
  const email = `new-${addresses++}@example.com`;
  expect(await sendSignUp(server.origin, email)).toMatchObject({ status: 200 });
  const { link = "" } = await server.mailTo(email);
  return { email, link };
}

surviveCrashes<{ email: string; link: string }>("confirmation of a verification link", ["users.update", "tickets.update", "logs.insert"], {
  prepare: signUpUnverified,
  request: ({ origin }, { link }) => submitLinkPage(origin, new Map(), link, "yes"),
  async check({ origin }, { email, link }) {
    await submitLinkPage(origin, new Map(), link, "yes");
    expect(await isVerified(origin, email)).toBe(true);
  },
});

surviveCrashes<{ email: string; link: string }>("replacement of an expired verification link", ["tickets.insert", "tickets.update"], {
  async prepare(server) {
    const unverifiedUser = await signUpUnverified(server);
    await server.advance(6 * 24 * 60 * 60 * 1000);
    return unverifiedUser;
  },
  request: ({ origin }, { link }) => submitLinkPage(origin, new Map(), link, "renew"),
  async check(server, { email, link }) {
    const { origin } = server;
    await submitLinkPage(origin, new Map(), link, "yes");
    expect(await isVerified(origin, email)).toBe(false);
    // The mail may be lost in the crash. The old link can request another one when the new link would have expired.
    await server.advance(60 * 60 * 1000);
    await submitLinkPage(origin, new Map(), link, "renew");
    await submitLinkPage(origin, new Map(), (await server.mailTo(email)).link ?? "", "yes");
    expect(await isVerified(origin, email)).toBe(true);
  },
});
