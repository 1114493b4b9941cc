import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { momentsOf } from "./support/around-writes.ts";
import {
  authorize,
  codeOf,
  exchange,
  isVerified,
  passwordGrant,
  pressLink,
  redeemCode,
  refresh,
  sendPassword,
  signIn,
  signInSilently,
  signOut,
  signUp,
  startCode,
  takeCodes,
  tokenOf,
  userinfo,
  type Code,
  type Cookies,
  type Reply,
  type LoginSession,
} from "./support/client.ts";
import { beyondLeeway, signedOut } from "./support/people.ts";
import { prepareServers, type ServerProcess, type Servers } from "./support/processes.ts";

/** Milliseconds by which the clocks of two processes may differ. */
const clockSkew = 60_000;

const refused = { status: 400, body: { error: "invalid_grant" } };

/** Something that a client does, during which the process is killed. */
interface Flow<Before> {
  /** What happened before, and was acknowledged. */
  prepare(server: ServerProcess): Promise<Before>;
  /** The request that is cut off, and that the client repeats. */
  request(server: ServerProcess, before: Before): Promise<unknown>;
  /** What must hold afterwards: `server` is a new process on the same file. */
  check(server: ServerProcess, before: Before): Promise<void>;
}

let servers: Servers;
let folder: string;
beforeAll(async () => {
  servers = await prepareServers();
  folder = mkdtempSync(join(tmpdir(), "postern-"));
  // Seeded once; each test gets a copy.
  const seeded = await servers.start(`sqlite:${join(folder, "seeded.db")}`);
  await seeded.stop();
});
afterAll(async () => {
  await servers.close();
  rmSync(folder, { recursive: true });
});

let databases = 0;

/** The address of a new database with one user. */
function newDatabase(): string {
  const path = join(folder, `${databases++}.db`);
  for (const suffix of ["", "-wal"])
    if (existsSync(join(folder, `seeded.db${suffix}`))) copyFileSync(join(folder, `seeded.db${suffix}`), path + suffix);
  return `sqlite:${path}`;
}

/** Kills a process before and after each write of a flow. @param writes what the flow is known to write, so that no write is left out unnoticed. */
function survives<Before>(name: string, writes: readonly string[], flow: Flow<Before>): void {
  describe(name, () => {
    let database: string;
    let server: ServerProcess | undefined;
    beforeAll(() => {
      database = newDatabase();
    });
    afterAll(() => server?.stop());

    test("writes what is known", async () => {
      server = await servers.start(database);
      const before = await flow.prepare(server);
      await server.arm();
      await flow.request(server, before);
      expect(await server.writes()).toEqual(writes);
    });

    test.each(momentsOf(writes))("killed $side write $write, $name", async (moment) => {
      // What the test before left running is the next to die: starting a process is what takes time here.
      const doomed = server ?? (await servers.start(database));
      // Tries that were never decided are forgotten by now.
      await doomed.advance(60_000);
      const before = await flow.prepare(doomed);
      await doomed.arm(moment);
      await expect(flow.request(doomed, before)).rejects.toThrow(TypeError);
      await doomed.died;
      server = await servers.start(database, doomed.ahead());
      await flow.check(server, before);
    });
  });
}

/** A refresh token works, once; afterwards its successor does. @returns that. */
async function refreshed(server: ServerProcess, token: string): Promise<string> {
  const reply = await refresh(server.origin, token);
  expect(await userinfo(server.origin, tokenOf(reply, "access_token"))).toBe(200);
  return tokenOf(reply, "refresh_token");
}

survives<{ cookies: Cookies; code: Code; earlier: string }>(
  "code exchange",
  ["refresh_tokens.insert", "authorization_codes.update", "logs.insert"],
  {
    async prepare({ origin }) {
      const cookies: Cookies = new Map();
      const earlier = tokenOf(await exchange(origin, await signIn(origin, cookies)), "refresh_token");
      const code = await signInSilently(origin, cookies);
      if (typeof code === "string") throw new Error(code);
      return { cookies, code, earlier };
    },
    request: ({ origin }, { code }) => exchange(origin, code),
    async check(server, { cookies, code, earlier }) {
      const { origin } = server;
      const repeated = await exchange(origin, code);
      if (repeated.status === 200) expect(await userinfo(origin, tokenOf(repeated, "access_token"))).toBe(200);
      else expect(repeated).toMatchObject(refused);
      expect(await exchange(origin, code)).toMatchObject(refused);
      if (repeated.status === 200) expect(await refresh(origin, tokenOf(repeated, "refresh_token"))).toMatchObject(refused);

      // The person is still signed in: the app gets another code without asking them anything.
      const another = await signInSilently(origin, cookies);
      if (typeof another === "string") throw new Error(another);
      await refreshed(server, tokenOf(await exchange(origin, another), "refresh_token"));
      await refreshed(server, earlier);
    },
  },
);

survives<{ old: string }>("refresh", ["refresh_tokens.insert", "refresh_tokens.update", "logs.insert"], {
  prepare: async ({ origin }) => ({ old: tokenOf(await exchange(origin, await signIn(origin)), "refresh_token") }),
  request: ({ origin }, { old }) => refresh(origin, old),
  async check(server, { old }) {
    const next = await refreshed(server, await refreshed(server, old));
    await server.advance(beyondLeeway);
    expect(await refresh(server.origin, old)).toMatchObject(refused);
    expect(await refresh(server.origin, next)).toMatchObject(refused);
  },
});

survives<{ old: string; lost: string }>(
  "recovery of a lost successor",
  ["refresh_tokens.update", "refresh_tokens.insert", "refresh_tokens.update", "logs.insert", "logs.insert"],
  {
    async prepare(server) {
      const old = tokenOf(await exchange(server.origin, await signIn(server.origin)), "refresh_token");
      const lost = tokenOf(await refresh(server.origin, old), "refresh_token");
      // The process that comes after the kill did not see the rotation, and allows for another clock.
      await server.advance(beyondLeeway + clockSkew);
      return { old, lost };
    },
    request: ({ origin }, { old }) => refresh(origin, old),
    async check(server, { old, lost }) {
      const next = await refreshed(server, await refreshed(server, old));
      expect(await refresh(server.origin, lost)).toMatchObject(refused);
      expect(await refresh(server.origin, next)).toMatchObject(refused);
    },
  },
);

survives<{ old: string; last: Reply }>(
  "replay of a refresh token",
  ["refresh_tokens.update", "revoked_grants.insert", "logs.insert", "logs.insert"],
  {
    async prepare(server) {
      const old = tokenOf(await exchange(server.origin, await signIn(server.origin)), "refresh_token");
      const last = await refresh(server.origin, await refreshed(server, old));
      await server.advance(beyondLeeway);
      return { old, last };
    },
    request: ({ origin }, { old }) => refresh(origin, old),
    async check({ origin }, { old, last }) {
      expect(await refresh(origin, old)).toMatchObject(refused);
      expect(await refresh(origin, tokenOf(last, "refresh_token"))).toMatchObject(refused);
      expect(await userinfo(origin, tokenOf(last, "access_token"))).toBe(401);
    },
  },
);

survives<{ cookies: Cookies; token: string }>("logout", ["sessions.update", "refresh_tokens.update", "logs.insert"], {
  async prepare({ origin }) {
    const cookies: Cookies = new Map();
    return { cookies, token: tokenOf(await exchange(origin, await signIn(origin, cookies)), "refresh_token") };
  },
  request: ({ origin }, { cookies }) => signOut(origin, cookies),
  async check({ origin }, { cookies, token }) {
    const kept = new Map(cookies);
    expect(await signOut(origin, cookies)).toBe(signedOut);
    for (const each of [cookies, kept]) expect(await signInSilently(origin, each)).toBe("login_required");
    expect(await refresh(origin, token)).toMatchObject(refused);
    await signIn(origin, cookies);
  },
});

survives<{ cookies: Cookies; loginSession: LoginSession }>(
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
      const cookies: Cookies = new Map();
      const { loginSession } = await authorize(origin, cookies, "app");
      if (loginSession === undefined) throw new Error("nobody has signed in yet");
      return { cookies, loginSession };
    },
    request: ({ origin }, { cookies, loginSession }) => sendPassword(origin, cookies, loginSession),
    async check(server, { cookies, loginSession }) {
      const { origin } = server;
      const code = codeOf(loginSession, await sendPassword(origin, cookies, loginSession));
      await refreshed(server, tokenOf(await exchange(origin, code), "refresh_token"));
      expect(await signInSilently(origin, cookies)).toMatchObject({ clientId: "app" });
    },
  },
);

survives<object>(
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
    request: ({ origin }) => passwordGrant(origin),
    check: async (server) => void (await refreshed(server, tokenOf(await passwordGrant(server.origin), "refresh_token"))),
  },
);

survives<{ email: string; code: string }>(
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
      // One address for all would have more codes than its budget.
      const email = `mira-${databases++}@example.com`;
      await takeCodes(origin);
      // Their account is made by the first code.
      await startCode(origin, email);
      tokenOf(await redeemCode(origin, email, (await server.mailTo(email)).code ?? ""), "access_token");
      await startCode(origin, email);
      return { email, code: (await server.mailTo(email)).code ?? "" };
    },
    request: ({ origin }, { email, code }) => redeemCode(origin, email, code),
    async check(server, { email, code }) {
      const { origin } = server;
      const repeated = await redeemCode(origin, email, code);
      if (repeated.status === 200) await refreshed(server, tokenOf(repeated, "refresh_token"));
      else expect(repeated).toMatchObject(refused);
      expect(await redeemCode(origin, email, code)).toMatchObject(refused);
      // Whoever lost a code gets another one.
      await startCode(origin, email);
      const another = await redeemCode(origin, email, (await server.mailTo(email)).code ?? "");
      await refreshed(server, tokenOf(another, "refresh_token"));
    },
  },
);

survives<{ email: string; code: string }>(
  "first one-time code of somebody",
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
      const email = `new-${databases++}@example.com`;
      await takeCodes(server.origin);
      await startCode(server.origin, email);
      return { email, code: (await server.mailTo(email)).code ?? "" };
    },
    request: ({ origin }, { email, code }) => redeemCode(origin, email, code),
    async check(server, { email }) {
      await startCode(server.origin, email);
      const another = await redeemCode(server.origin, email, (await server.mailTo(email)).code ?? "");
      await refreshed(server, tokenOf(another, "refresh_token"));
    },
  },
);

survives<{ cookies: Cookies; email: string; link: string }>(
  "link to sign in by",
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
      const email = `link-${databases++}@example.com`;
      await takeCodes(server.origin);
      await startCode(server.origin, email, "link");
      return { cookies: new Map(), email, link: (await server.mailTo(email)).link ?? "" };
    },
    request: ({ origin }, { cookies, link }) => pressLink(origin, cookies, link),
    async check(server, { cookies, email, link }) {
      const { origin } = server;
      let { pathname } = await pressLink(origin, cookies, link);
      if (pathname !== "/authorize") {
        await startCode(origin, email, "link");
        ({ pathname } = await pressLink(origin, cookies, (await server.mailTo(email)).link ?? ""));
      }
      expect(pathname).toBe("/authorize");
      expect(await signInSilently(origin, cookies)).toMatchObject({ clientId: "app" });
    },
  },
);

/** Makes an account. @returns its address, and the link that asks whether it is theirs. */
async function unverified(server: ServerProcess): Promise<{ email: string; link: string }> {
  const email = `new-${databases++}@example.com`;
  expect(await signUp(server.origin, email)).toMatchObject({ status: 200 });
  const { link = "" } = await server.mailTo(email);
  return { email, link };
}

survives<{ email: string; link: string }>("the yes to a link that verifies an address", ["users.update", "tickets.update", "logs.insert"], {
  prepare: unverified,
  request: ({ origin }, { link }) => pressLink(origin, new Map(), link, "yes"),
  async check({ origin }, { email, link }) {
    await pressLink(origin, new Map(), link, "yes");
    expect(await isVerified(origin, email)).toBe(true);
  },
});

survives<{ email: string; link: string }>("a new link in the place of one that is over", ["tickets.insert", "tickets.update"], {
  async prepare(server) {
    const made = await unverified(server);
    await server.advance(6 * 24 * 60 * 60 * 1000);
    return made;
  },
  request: ({ origin }, { link }) => pressLink(origin, new Map(), link, "renew"),
  async check(server, { email, link }) {
    const { origin } = server;
    await pressLink(origin, new Map(), link, "yes");
    expect(await isVerified(origin, email)).toBe(false);
    // The mail may have been lost with the process: as soon as its link would be over, the old one asks for another.
    await server.advance(60 * 60 * 1000);
    await pressLink(origin, new Map(), link, "renew");
    await pressLink(origin, new Map(), (await server.mailTo(email)).link ?? "", "yes");
    expect(await isVerified(origin, email)).toBe(true);
  },
});
