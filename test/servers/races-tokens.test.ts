import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownMysql, ownPostgres } from "../../packages/kysely/test/servers.ts";
import {
  authorize,
  exchange,
  loginTicket,
  pressLink,
  redeemCode,
  refresh,
  signIn,
  signUp,
  startCode,
  takeCodes,
  tokenOf,
  userinfo,
  type Reply,
} from "./support/client.ts";
import { beyondLeeway } from "./support/people.ts";
import { prepareServers, type ServerProcess, type Servers } from "./support/processes.ts";

let servers: Servers;
beforeAll(async () => {
  servers = await prepareServers();
});
afterAll(() => servers.close());

/** What of 32 requests at once comes true, however they are spread over processes that share one database. */
function oneWins(databaseUrl: () => string, drop: () => unknown): void {
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
    const advance = (): Promise<unknown> => Promise.all(processes.map((each) => each.advance(beyondLeeway)));
    const inParallel = (request: (origin: string) => Promise<Reply>): Promise<Reply[]> =>
      Promise.all(Array.from({ length: 32 }, (_, i) => request(origins()[i % count] ?? "")));

    /** Everything that a grant gave is refused, on each process. */
    const expectDead = async ({ refreshTokens, accessTokens }: Dead, clientId?: string): Promise<void> => {
      for (const origin of origins()) {
        for (const each of refreshTokens) expect(await refresh(origin, each, clientId)).toMatchObject(refused);
        for (const each of accessTokens) expect(await userinfo(origin, each)).toBe(401);
      }
    };

    test("one code is exchanged once, and the replays end what it gave", async () => {
      const code = await signIn(first());
      const replies = await inParallel((origin) => exchange(origin, code));
      const [winner, ...others] = replies.filter(({ status }) => status === 200);
      expect(winner).toBeDefined();
      expect(others).toEqual([]);
      for (const each of replies) if (each !== winner) expect(each).toMatchObject(refused);
      if (winner !== undefined) await expectDead(tokensOf(winner));
    });

    test("one one-time code is redeemed once, and one link signs one browser in", async () => {
      const [server] = processes;
      if (server === undefined) throw new Error("no process was started");
      await takeCodes(first());
      const email = `mira-${count}@example.com`;
      await startCode(first(), email);
      const { code = "" } = await server.mailTo(email);
      const replies = await inParallel((origin) => redeemCode(origin, email, code));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const each of replies) if (each.status !== 200) expect(each).toMatchObject(refused);

      const reader = `jonas-${count}@example.com`;
      await startCode(first(), reader, "link");
      const { link = "" } = await server.mailTo(reader);
      const led = await Promise.all(Array.from({ length: 32 }, (_, i) => pressLink(origins()[i % count] ?? "", new Map(), link)));
      expect(led.filter(({ pathname }) => pathname === "/authorize")).toHaveLength(1);
    });

    test("of 32 who sign up with one address one gets the account", async () => {
      const replies = await inParallel((origin) => signUp(origin, `lena-${count}@example.com`));
      const made = replies.filter(({ status }) => status === 200);
      expect(made).toHaveLength(1);
      for (const each of replies) if (!made.includes(each)) expect(each).toMatchObject({ status: 400, body: { code: "invalid_signup" } });
    });

    test("one login ticket signs in once", async () => {
      const cookies = new Map<string, string>();
      const ticket = await loginTicket(first(), cookies);
      const bring = (origin: string) => authorize(origin, new Map(cookies), "app", { login_ticket: ticket });
      const told = await Promise.all(Array.from({ length: 32 }, (_, i) => bring(origins()[i % count] ?? "")));
      expect(told.filter(({ answer }) => answer?.has("code"))).toHaveLength(1);
      expect(told.filter(({ loginSession }) => loginSession !== undefined)).toHaveLength(31);
    });

    test("one refresh token has one successor, which every request gets", async () => {
      const old = tokenOf(await exchange(first(), await signIn(first())), "refresh_token");
      const replies = await inParallel((origin) => refresh(origin, old));
      const [successor, ...others] = new Set(replies.map((each) => tokenOf(each, "refresh_token")));
      expect(others).toEqual([]);

      const next = await refresh(origins().at(-1) ?? "", successor ?? "");
      expect(await userinfo(first(), tokenOf(next, "access_token"))).toBe(200);
      await advance();
      expect(await refresh(first(), old)).toMatchObject(refused);
      await expectDead(tokensOf(next, ...replies));
    });

    test("32 parallel late replays get one successor: a replacement, or from a process that first sees the rotation the same again", async () => {
      const old = tokenOf(await exchange(first(), await signIn(first())), "refresh_token");
      const lost = tokenOf(await refresh(first(), old), "refresh_token");
      await advance();
      const replies = await inParallel((origin) => refresh(origin, old));
      const [successor, ...others] = new Set(replies.map((each) => tokenOf(each, "refresh_token")));
      expect(others).toEqual([]);
      if (count === 1) expect(successor).not.toBe(lost);

      const next = await refresh(first(), successor ?? "");
      tokenOf(next, "refresh_token");
      // Either is a reuse, which ends the family: the replaced token, or the first one after its successor was presented.
      expect(await refresh(first(), successor === lost ? old : lost)).toMatchObject(refused);
      await expectDead(tokensOf(next, ...replies));
    });

    test("without leeway one request wins, and the others end the family", async () => {
      const old = tokenOf(await exchange(first(), await signIn(first(), new Map(), "unforgiving")), "refresh_token");
      const replies = await inParallel((origin) => refresh(origin, old, "unforgiving"));
      const winners = replies.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      for (const each of replies) if (each.status !== 200) expect(each).toMatchObject(refused);
      await expectDead(tokensOf(...winners), "unforgiving");
    });
  });
}

interface Dead {
  readonly refreshTokens: readonly string[];
  readonly accessTokens: readonly string[];
}

const refused = { status: 400, body: { error: "invalid_grant" } };

function tokensOf(...replies: readonly Reply[]): Dead {
  return {
    refreshTokens: [...new Set(replies.map((each) => tokenOf(each, "refresh_token")))],
    accessTokens: replies.slice(0, 3).map((each) => tokenOf(each, "access_token")),
  };
}

describe("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-"));
  oneWins(
    () => `sqlite:${join(folder, "test.db")}`,
    () => rmSync(folder, { recursive: true }),
  );
});

describe("PostgreSQL", async () => {
  const database = await ownPostgres("races");
  oneWins(() => database.url, database.drop);
});

describe("MariaDB or MySQL", async () => {
  const database = await ownMysql("races");
  oneWins(() => database.url, database.drop);
});
