import { createMemoryAdapter } from "@postern/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, type ServedPostern } from "../support/http.ts";
import { decisiveMomentsOf } from "./support/around-writes.ts";
import { exchange, sendRefreshGrant, obtainCode, tokenOf, userinfoStatus, type JsonReply } from "./support/client.ts";
import { pausingAdapter } from "./support/pausing-adapter.ts";
import { beyondLeeway, hasher, serverSeed } from "./support/fixtures.ts";

const invalidGrant = { status: 400, body: { error: "invalid_grant" } };
const data = pausingAdapter(createMemoryAdapter({ strict: true }));
let service: ServedPostern;
/** The clock advances only by hand, so that two requests can share a millisecond. */
let now = Date.now();

beforeAll(async () => {
  service = await serve(() => ({ data, crypto: { hasher }, testing: { clock: { now: () => now } } }));
  await service.postern.seed(serverSeed);
});
afterAll(() => service.close());

const newRefreshToken = async (clientId?: string): Promise<string> =>
  tokenOf(await exchange(service.origin, await obtainCode(service.origin, new Map(), clientId)), "refresh_token");

async function expectRevoked(reply: JsonReply, clientId?: string): Promise<void> {
  expect(await sendRefreshGrant(service.origin, tokenOf(reply, "refresh_token"), clientId)).toMatchObject(invalidGrant);
  expect(await userinfoStatus(service.origin, tokenOf(reply, "access_token"))).toBe(401);
}

/**
 * Parallel requests rarely hit the gap between two writes by chance. Here, one request pauses at each write while a
 * second one runs to its end.
 */
describe("an authorization code", () => {
  const writes = ["refresh_tokens.insert", "authorization_codes.update", "logs.insert"];

  test("is exchanged with exactly these writes", async () => {
    const code = await obtainCode(service.origin);
    expect(await data.writesOf(() => exchange(service.origin, code))).toEqual(writes);
  });

  test.each(decisiveMomentsOf(writes))(
    "that is replayed $side write $write, $name, yields tokens once, and the replay revokes them",
    async (at) => {
      const code = await obtainCode(service.origin);
      const redeem = (): Promise<JsonReply> => exchange(service.origin, code);
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
    expect(await data.writesOf(() => sendRefreshGrant(service.origin, token))).toEqual(writes);
  });

  test.each(decisiveMomentsOf(writes))("that is used twice, $side write $write, $name, has one successor", async (at) => {
    const token = await newRefreshToken();
    const rotate = (): Promise<JsonReply> => sendRefreshGrant(service.origin, token);
    const [first, second] = await data.interleave(at, rotate, rotate);
    expect(tokenOf(first, "refresh_token")).toBe(tokenOf(second, "refresh_token"));
    tokenOf(await sendRefreshGrant(service.origin, tokenOf(first, "refresh_token")), "refresh_token");
  });

  test.each(decisiveMomentsOf(writes))("without leeway that is used twice, $side write $write, $name, revokes its family", async (at) => {
    const token = await newRefreshToken("unforgiving");
    const rotate = (): Promise<JsonReply> => sendRefreshGrant(service.origin, token, "unforgiving");
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
    const lost = tokenOf(await sendRefreshGrant(service.origin, old), "refresh_token");
    now += beyondLeeway;
    return { old, lost };
  };

  test("is replaced with exactly these writes", async () => {
    const { old } = await lose();
    expect(await data.writesOf(() => sendRefreshGrant(service.origin, old))).toEqual(writes);
  });

  test.each(decisiveMomentsOf(writes))("that is requested twice, $side write $write, $name, is replaced once", async (at) => {
    const { old, lost } = await lose();
    const recover = (): Promise<JsonReply> => sendRefreshGrant(service.origin, old);
    const [first, second] = await data.interleave(at, recover, recover);
    expect(tokenOf(first, "refresh_token")).toBe(tokenOf(second, "refresh_token"));
    expect(tokenOf(first, "refresh_token")).not.toBe(lost);
    await expectNext(first);
  });

  test.each(decisiveMomentsOf(writes))("that is used $side write $write, $name, of its replacement revokes the family", async (at) => {
    const { old, lost } = await lose();
    const [recovered, found] = await data.interleave(
      at,
      () => sendRefreshGrant(service.origin, old),
      () => sendRefreshGrant(service.origin, lost),
    );
    // One party has the old token and another party has the successor. One of them may be an attacker, so both tokens
    // are revoked.
    for (const each of [recovered, found]) {
      if (each.status === 200) await expectRevoked(each);
      else expect(each).toMatchObject(invalidGrant);
    }
    expect(await sendRefreshGrant(service.origin, old)).toMatchObject(invalidGrant);
  });

  async function expectNext(reply: JsonReply): Promise<void> {
    const next = await sendRefreshGrant(service.origin, tokenOf(reply, "refresh_token"));
    expect(await userinfoStatus(service.origin, tokenOf(next, "access_token"))).toBe(200);
  }
});
