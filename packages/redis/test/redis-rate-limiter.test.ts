import { describe, expect, test } from "vitest";
import { redisRateLimiter, type RedisLimit } from "@postern/redis";

const limits = { "pre-login": { tries: 3, windowSeconds: 60 } };

/** A Redis that answers as it is told, and keeps what it was sent. */
function answering(...replies: readonly unknown[]) {
  const sent: (readonly string[])[] = [];
  const left = [...replies];
  return {
    sent,
    send: async (command: readonly string[]): Promise<unknown> => {
      sent.push(command);
      const reply = left.shift();
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
}

test("a try is one command, which says nothing of whose it is", async () => {
  const redis = answering(0);
  const limiter = redisRateLimiter({ send: redis.send, limits });
  expect(await limiter.consume("pre-login", "main:192.0.2.7")).toEqual({ allowed: true });
  expect(redis.sent).toHaveLength(1);
  const [command = [], name = "", keys = "", key = "", tries = "", window = ""] = redis.sent[0] ?? [];
  expect({ command, keys, tries, window }).toEqual({ command: "EVALSHA", keys: "1", tries: "3", window: "60000" });
  expect(name).toMatch(/^[0-9a-f]{40}$/);
  expect(key).toMatch(/^postern:pre-login:[0-9a-f]{64}$/);
});

test("a server that does not know the script is given it, and counts the try", async () => {
  const redis = answering(new Error("NOSCRIPT No matching script. Please use EVAL."), 0);
  const limiter = redisRateLimiter({ send: redis.send, limits, prefix: "mine/" });
  expect(await limiter.consume("pre-login", "k")).toEqual({ allowed: true });
  expect(redis.sent.map(([command]) => command)).toEqual(["EVALSHA", "EVAL"]);
  expect(redis.sent[1]?.[3]).toMatch(/^mine\/pre-login:/);
});

test("a refusal says when to come back, in whole seconds", async () => {
  const limiter = redisRateLimiter({ send: answering(1, 59_001).send, limits });
  expect(await limiter.consume("pre-login", "k")).toEqual({ allowed: false, retryAfterSeconds: 1 });
  expect(await limiter.consume("pre-login", "k")).toEqual({ allowed: false, retryAfterSeconds: 60 });
});

test("a scope without a limit asks nobody", async () => {
  const redis = answering();
  expect(await redisRateLimiter({ send: redis.send, limits }).consume("brute-force", "k")).toBeUndefined();
  expect(redis.sent).toEqual([]);
});

describe("what is wrong with Redis is told, so that the try passes", () => {
  test.each([
    ["a connection that is lost", new Error("Socket closed unexpectedly")],
    ["a reply that is no number", "OK"],
    ["no reply", undefined],
  ])("%s", async (_, reply) => {
    await expect(redisRateLimiter({ send: answering(reply).send, limits }).consume("pre-login", "k")).rejects.toThrow();
  });
});

test.each<[string, RedisLimit]>([
  ["no tries", { tries: 0, windowSeconds: 60 }],
  ["half a try", { tries: 1.5, windowSeconds: 60 }],
  ["no window", { tries: 1, windowSeconds: 0 }],
  ["an endless window", { tries: 1, windowSeconds: Infinity }],
])("a limit of %s is refused at once", (_, limit) => {
  expect(() => redisRateLimiter({ send: answering().send, limits: { "pre-login": limit } })).toThrow(
    /limits\.pre-login\.(tries|windowSeconds)/,
  );
});
