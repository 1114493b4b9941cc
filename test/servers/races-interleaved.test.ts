import { createMemoryAdapter } from "@postern/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, type ServedPostern } from "../support/http.ts";
import { decisiveMomentsOf } from "./support/around-writes.ts";
import { exchange, refresh, signIn, tokenOf, userinfo, type Reply } from "./support/client.ts";
import { pausingAdapter } from "./support/pausing-adapter.ts";
import { beyondLeeway, hasher, seed } from "./support/people.ts";

const refused = { status: 400, body: { error: "invalid_grant" } };
const data = pausingAdapter(createMemoryAdapter({ strict: true }));
let service: ServedPostern;
/** Stands still, so that two requests can fall into the same millisecond. */
let now = Date.now();

beforeAll(async () => {
  service = await serve(() => ({ data, crypto: { hasher }, testing: { clock: { now: () => now } } }));
  await service.postern.seed(seed);
});
afterAll(() => service.close());

const signedIn = async (clientId?: string): Promise<string> =>
  tokenOf(await exchange(service.origin, await signIn(service.origin, new Map(), clientId)), "refresh_token");

async function expectDead(reply: Reply, clientId?: string): Promise<void> {
  expect(await refresh(service.origin, tokenOf(reply, "refresh_token"), clientId)).toMatchObject(refused);
  expect(await userinfo(service.origin, tokenOf(reply, "access_token"))).toBe(401);
}

/** Chance alone rarely finds a gap between two writes: here one request stands still in each of them while a second one runs through. */
describe("a code", () => {
  const writes = ["refresh_tokens.insert", "authorization_codes.update", "logs.insert"];

  test("is exchanged by these writes", async () => {
    const code = await signIn(service.origin);
    expect(await data.writesOf(() => exchange(service.origin, code))).toEqual(writes);
  });

  test.each(decisiveMomentsOf(writes))(
    "that is replayed $side write $write, $name, gives one answer, which the replay ends",
    async (at) => {
      const code = await signIn(service.origin);
      const redeem = (): Promise<Reply> => exchange(service.origin, code);
      const replies = await data.interleave(at, redeem, redeem);
      const [winner, ...others] = replies.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      expect(replies.find((each) => each !== winner)).toMatchObject(refused);
      if (winner === undefined) throw new Error("nobody won");
      await expectDead(winner);
    },
  );
});

describe("a refresh token", () => {
  const writes = ["refresh_tokens.insert", "refresh_tokens.update", "logs.insert"];

  test("is rotated by these writes", async () => {
    const token = await signedIn();
    expect(await data.writesOf(() => refresh(service.origin, token))).toEqual(writes);
  });

  test.each(decisiveMomentsOf(writes))("that is used twice, $side write $write, $name, has one successor", async (at) => {
    const token = await signedIn();
    const rotate = (): Promise<Reply> => refresh(service.origin, token);
    const [first, second] = await data.interleave(at, rotate, rotate);
    expect(tokenOf(first, "refresh_token")).toBe(tokenOf(second, "refresh_token"));
    tokenOf(await refresh(service.origin, tokenOf(first, "refresh_token")), "refresh_token");
  });

  test.each(decisiveMomentsOf(writes))("without leeway that is used twice, $side write $write, $name, ends its family", async (at) => {
    const token = await signedIn("unforgiving");
    const rotate = (): Promise<Reply> => refresh(service.origin, token, "unforgiving");
    const replies = await data.interleave(at, rotate, rotate);
    const [winner, ...others] = replies.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect(replies.find((each) => each !== winner)).toMatchObject(refused);
    if (winner === undefined) throw new Error("nobody won");
    await expectDead(winner, "unforgiving");
  });
});

describe("a lost successor", () => {
  const writes = ["refresh_tokens.update", "refresh_tokens.insert", "refresh_tokens.update", "logs.insert", "logs.insert"];
  const lose = async (): Promise<{ old: string; lost: string }> => {
    const old = await signedIn();
    const lost = tokenOf(await refresh(service.origin, old), "refresh_token");
    now += beyondLeeway;
    return { old, lost };
  };

  test("is replaced by these writes", async () => {
    const { old } = await lose();
    expect(await data.writesOf(() => refresh(service.origin, old))).toEqual(writes);
  });

  test.each(decisiveMomentsOf(writes))("that is missed twice, $side write $write, $name, is replaced once", async (at) => {
    const { old, lost } = await lose();
    const recover = (): Promise<Reply> => refresh(service.origin, old);
    const [first, second] = await data.interleave(at, recover, recover);
    expect(tokenOf(first, "refresh_token")).toBe(tokenOf(second, "refresh_token"));
    expect(tokenOf(first, "refresh_token")).not.toBe(lost);
    await expectNext(first);
  });

  test.each(decisiveMomentsOf(writes))("that turns up $side write $write, $name, of its replacement ends the family", async (at) => {
    const { old, lost } = await lose();
    const [recovered, found] = await data.interleave(
      at,
      () => refresh(service.origin, old),
      () => refresh(service.origin, lost),
    );
    // Somebody has the old token and somebody the new one: whether they are the same, nobody can tell.
    for (const each of [recovered, found]) {
      if (each.status === 200) await expectDead(each);
      else expect(each).toMatchObject(refused);
    }
    expect(await refresh(service.origin, old)).toMatchObject(refused);
  });

  async function expectNext(reply: Reply): Promise<void> {
    const next = await refresh(service.origin, tokenOf(reply, "refresh_token"));
    expect(await userinfo(service.origin, tokenOf(next, "access_token"))).toBe(200);
  }
});
