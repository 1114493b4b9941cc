import { createMemoryAdapter } from "@postern/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, type ServedPostern } from "../support/http.ts";
import { decisiveMomentsOf } from "./support/around-writes.ts";
import { exchange, refresh, signIn, tokenOf, userinfo, type Reply } from "./support/client.ts";
import { pausingAdapter } from "./support/pausing-adapter.ts";
import { beyondLeeway, hasher, seed } from "./support/fixtures.ts";

const invalidGrant = { status: 400, body: { error: "invalid_grant" } };
const data = pausingAdapter(createMemoryAdapter({ strict: true }));
let service: ServedPostern;
/** The clock advances only by hand, so that two requests can share a millisecond. */
let now = Date.now();

beforeAll(async () => {
  service = await serve(() => ({ data, crypto: { hasher }, testing: { clock: { now: () => now } } }));
  await service.postern.seed(seed);
});
afterAll(() => service.close());

const newRefreshToken = async (clientId?: string): Promise<string> =>
  tokenOf(await exchange(service.origin, await signIn(service.origin, new Map(), clientId)), "refresh_token");

async function expectRevoked(reply: Reply, clientId?: string): Promise<void> {
  expect(await refresh(service.origin, tokenOf(reply, "refresh_token"), clientId)).toMatchObject(invalidGrant);
  expect(await userinfo(service.origin, tokenOf(reply, "access_token"))).toBe(401);
}

/**
 * Parallel requests rarely hit the gap between two writes by chance. Here, one request pauses at each write while a
 * second one runs to its end.
 */
describe("an authorization code", () => {
  const writes = ["refresh_tokens.insert", "authorization_codes.update", "logs.insert"];

  test("is exchanged with exactly these writes", async () => {
    const code = await signIn(service.origin);
    expect(await data.writesOf(() => exchange(service.origin, code))).toEqual(writes);
  });

  test.each(decisiveMomentsOf(writes))(
    "that is replayed $side write $write, $name, yields tokens once, and the replay revokes them",
    async (at) => {
      const code = await signIn(service.origin);
      const redeem = (): Promise<Reply> => exchange(service.origin, code);
      const replies = await data.interleave(at, redeem, redeem);
      const [winner, ...others] = replies.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      expect(replies.find((each) => each !== winner)).toMatchObject(invalidGrant);
      if (winner === undefined) throw new Error("no request succeeded");
      await expectRevoked(winner);
    },
  );
});

describe("a refresh token", () => {
  const writes = ["refresh_tokens.insert", "refresh_tokens.update", "logs.insert"];

  test("is rotated with exactly these writes", async () => {
    const token = await newRefreshToken();
    expect(await data.writesOf(() => refresh(service.origin, token))).toEqual(writes);
  });

  test.each(decisiveMomentsOf(writes))("that is used twice, $side write $write, $name, has one successor", async (at) => {
    const token = await newRefreshToken();
    const rotate = (): Promise<Reply> => refresh(service.origin, token);
    const [first, second] = await data.interleave(at, rotate, rotate);
    expect(tokenOf(first, "refresh_token")).toBe(tokenOf(second, "refresh_token"));
    tokenOf(await refresh(service.origin, tokenOf(first, "refresh_token")), "refresh_token");
  });

  test.each(decisiveMomentsOf(writes))("without leeway that is used twice, $side write $write, $name, revokes its family", async (at) => {
    const token = await newRefreshToken("unforgiving");
    const rotate = (): Promise<Reply> => refresh(service.origin, token, "unforgiving");
    const replies = await data.interleave(at, rotate, rotate);
    const [winner, ...others] = replies.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect(replies.find((each) => each !== winner)).toMatchObject(invalidGrant);
    if (winner === undefined) throw new Error("no request succeeded");
    await expectRevoked(winner, "unforgiving");
  });
});

describe("a lost successor", () => {
  const writes = ["refresh_tokens.update", "refresh_tokens.insert", "refresh_tokens.update", "logs.insert", "logs.insert"];
  const lose = async (): Promise<{ old: string; lost: string }> => {
    const old = await newRefreshToken();
    const lost = tokenOf(await refresh(service.origin, old), "refresh_token");
    now += beyondLeeway;
    return { old, lost };
  };

  test("is replaced with exactly these writes", async () => {
    const { old } = await lose();
    expect(await data.writesOf(() => refresh(service.origin, old))).toEqual(writes);
  });

  test.each(decisiveMomentsOf(writes))("that is requested twice, $side write $write, $name, is replaced once", async (at) => {
    const { old, lost } = await lose();
    const recover = (): Promise<Reply> => refresh(service.origin, old);
    const [first, second] = await data.interleave(at, recover, recover);
    expect(tokenOf(first, "refresh_token")).toBe(tokenOf(second, "refresh_token"));
    expect(tokenOf(first, "refresh_token")).not.toBe(lost);
    await expectNext(first);
  });

  test.each(decisiveMomentsOf(writes))("that is used $side write $write, $name, of its replacement revokes the family", async (at) => {
    const { old, lost } = await lose();
    const [recovered, found] = await data.interleave(
      at,
      () => refresh(service.origin, old),
      () => refresh(service.origin, lost),
    );
    // One party has the old token and another party has the successor. One of them may be an attacker, so both tokens
    // are revoked.
    for (const each of [recovered, found]) {
      if (each.status === 200) await expectRevoked(each);
      else expect(each).toMatchObject(invalidGrant);
    }
    expect(await refresh(service.origin, old)).toMatchObject(invalidGrant);
  });

  async function expectNext(reply: Reply): Promise<void> {
    const next = await refresh(service.origin, tokenOf(reply, "refresh_token"));
    expect(await userinfo(service.origin, tokenOf(next, "access_token"))).toBe(200);
  }
});
