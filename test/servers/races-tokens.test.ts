import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownMysql, ownPostgres } from "../../packages/kysely/test/servers.ts";
import {
  requestAuthorization,
  exchange,
  loginTicket,
  submitLinkPage,
  redeemOneTimeCode,
  sendRefreshGrant,
  obtainCode,
  sendSignUp,
  startCode,
  createEmailConnection,
  tokenOf,
  userinfoStatus,
  type JsonReply,
} from "./support/client.ts";
import { beyondLeeway } from "./support/fixtures.ts";
import { prepareServers, type ServerProcess, type Servers } from "./support/processes.ts";

let servers: Servers;
beforeAll(async () => {
  servers = await prepareServers();
});
afterAll(() => servers.close());

/** Tests that one of 32 parallel requests succeeds, on one process or on two that share a database. */
function oneRequestSucceeds(databaseUrl: () => string, drop: () => unknown): void {
  const processes: ServerProcess[] = [];
  beforeAll(async () => {
    for (let i = 0; i < 2; i++) processes.push(await servers.start(databaseUrl()));
  });
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.stop()));
    await drop();
  });

  describe.each([1, 2])("on %i process(es)", (count) => {
    const origins = (): readonly string[] => processes.slice(0, count).map(({ origin }) => origin);
    const first = (): string => origins()[0] ?? "";
    const passLeeway = (): Promise<unknown> => Promise.all(processes.map((each) => each.advance(beyondLeeway)));
    const inParallel = (request: (origin: string) => Promise<JsonReply>): Promise<JsonReply[]> =>
      Promise.all(Array.from({ length: 32 }, (_, i) => request(origins()[i % count] ?? "")));

    /** Expects each process to reject all tokens of a grant. */
    const expectRevoked = async ({ refreshTokens, accessTokens }: Tokens, clientId?: string): Promise<void> => {
      for (const origin of origins()) {
        for (const each of refreshTokens) expect(await sendRefreshGrant(origin, each, clientId)).toMatchObject(invalidGrant);
        for (const each of accessTokens) expect(await userinfoStatus(origin, each)).toBe(401);
      }
    };

    test("an authorization code is exchanged once, and its replays revoke the tokens", async () => {
      const code = await obtainCode(first());
      const replies = await inParallel((origin) => exchange(origin, code));
      const [winner, ...others] = replies.filter(({ status }) => status === 200);
      expect(winner).toBeDefined();
      expect(others).toEqual([]);
      for (const each of replies) if (each !== winner) expect(each).toMatchObject(invalidGrant);
      if (winner !== undefined) await expectRevoked(tokensOf(winner));
    });

    test("a one-time code is redeemed once, and a link signs in one browser", async () => {
      const [server] = processes;
      if (server === undefined) throw new Error("no process was started");
      await createEmailConnection(first());
      const email = `mira-${count}@example.com`;
      await startCode(first(), email);
      const { code = "" } = await server.mailTo(email);
      const replies = await inParallel((origin) => redeemOneTimeCode(origin, email, code));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const each of replies) if (each.status !== 200) expect(each).toMatchObject(invalidGrant);

      const linkEmail = `jonas-${count}@example.com`;
      await startCode(first(), linkEmail, "link");
      const { link = "" } = await server.mailTo(linkEmail);
      const redirects = await Promise.all(
        Array.from({ length: 32 }, (_, i) => submitLinkPage(origins()[i % count] ?? "", new Map(), link)),
      );
      expect(redirects.filter(({ pathname }) => pathname === "/authorize")).toHaveLength(1);
    });

    test("one of 32 sign-ups with the same email address creates the account", async () => {
      const replies = await inParallel((origin) => sendSignUp(origin, `lena-${count}@example.com`));
      const created = replies.filter(({ status }) => status === 200);
      expect(created).toHaveLength(1);
      for (const each of replies)
        if (!created.includes(each)) expect(each).toMatchObject({ status: 400, body: { code: "invalid_signup" } });
    });

    test("a login ticket signs a user in once", async () => {
      const cookies = new Map<string, string>();
      const ticket = await loginTicket(first(), cookies);
      const useTicket = (origin: string) => requestAuthorization(origin, new Map(cookies), "app", { login_ticket: ticket });
      const results = await Promise.all(Array.from({ length: 32 }, (_, i) => useTicket(origins()[i % count] ?? "")));
      expect(results.filter(({ answer }) => answer?.has("code"))).toHaveLength(1);
      expect(results.filter(({ loginSession }) => loginSession !== undefined)).toHaveLength(31);
    });

    test("a refresh token has one successor, which every request receives", async () => {
      const old = tokenOf(await exchange(first(), await obtainCode(first())), "refresh_token");
      const replies = await inParallel((origin) => sendRefreshGrant(origin, old));
      const [successor, ...others] = new Set(replies.map((each) => tokenOf(each, "refresh_token")));
      expect(others).toEqual([]);

      const next = await sendRefreshGrant(origins().at(-1) ?? "", successor ?? "");
      expect(await userinfoStatus(first(), tokenOf(next, "access_token"))).toBe(200);
      await passLeeway();
      expect(await sendRefreshGrant(first(), old)).toMatchObject(invalidGrant);
      await expectRevoked(tokensOf(next, ...replies));
    });

    test("32 parallel replays after the leeway get one successor. A process that first sees the rotation may return the old one", async () => {
      const old = tokenOf(await exchange(first(), await obtainCode(first())), "refresh_token");
      const lost = tokenOf(await sendRefreshGrant(first(), old), "refresh_token");
      await passLeeway();
      const replies = await inParallel((origin) => sendRefreshGrant(origin, old));
      const [successor, ...others] = new Set(replies.map((each) => tokenOf(each, "refresh_token")));
      expect(others).toEqual([]);
      if (count === 1) expect(successor).not.toBe(lost);

      const next = await sendRefreshGrant(first(), successor ?? "");
      tokenOf(next, "refresh_token");
      // Both are a reuse that revokes the family: the replaced successor, or the first token after its successor was
      // used.
      expect(await sendRefreshGrant(first(), successor === lost ? old : lost)).toMatchObject(invalidGrant);
      await expectRevoked(tokensOf(next, ...replies));
    });

    test("one request succeeds without a leeway, and the others revoke the family", async () => {
      const old = tokenOf(await exchange(first(), await obtainCode(first(), new Map(), "unforgiving")), "refresh_token");
      const replies = await inParallel((origin) => sendRefreshGrant(origin, old, "unforgiving"));
      const winners = replies.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      for (const each of replies) if (each.status !== 200) expect(each).toMatchObject(invalidGrant);
      await expectRevoked(tokensOf(...winners), "unforgiving");
    });
  });
}

interface Tokens {
  readonly refreshTokens: readonly string[];
  readonly accessTokens: readonly string[];
}

const invalidGrant = { status: 400, body: { error: "invalid_grant" } };

function tokensOf(...replies: readonly JsonReply[]): Tokens {
  return {
    refreshTokens: [...new Set(replies.map((each) => tokenOf(each, "refresh_token")))],
    accessTokens: replies.slice(0, 3).map((each) => tokenOf(each, "access_token")),
  };
}

describe("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-"));
  oneRequestSucceeds(
    () => `sqlite:${join(folder, "test.db")}`,
    () => rmSync(folder, { recursive: true }),
  );
});

describe("PostgreSQL", async () => {
  const database = await ownPostgres("races");
  oneRequestSucceeds(() => database.url, database.drop);
});

describe("MariaDB or MySQL", async () => {
  const database = await ownMysql("races");
  oneRequestSucceeds(() => database.url, database.drop);
});
