import { digest } from "./digest.ts";
import type { RedisRateLimiterOptions } from "./redis-rate-limiter.ts";

/** The tries of a key stand in a sorted set, by their times: never more than are allowed, for those that are refused are not added. */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local tries, window = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
if redis.call('ZCARD', KEYS[1]) < tries then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window)
  return 0
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return math.max(1, math.ceil(oldest[2] + window - now))
`;

/**
 * Makes the function that counts a try.
 * @returns a function that gives the milliseconds until another try may succeed; 0 where this one is allowed, and counted.
 */
export function slidingWindow(send: RedisRateLimiterOptions["send"]): (key: string, tries: number, window: number) => Promise<number> {
  // Redis knows a script that it ran before by its SHA-1.
  let name: Promise<string> | undefined;
  return async (key, tries, window) => {
    const sent = ["1", key, String(tries), String(window), crypto.randomUUID()];
    try {
      return readReply(await send(["EVALSHA", await (name ??= digest("SHA-1", script)), ...sent]));
    } catch (error) {
      // Never run there: the server is new, was started anew, or another one took its place.
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return readReply(await send(["EVAL", script, ...sent]));
    }
  };
}

function readReply(reply: unknown): number {
  const milliseconds = Number(reply);
  if (Number.isSafeInteger(milliseconds) && milliseconds >= 0) return milliseconds;
  throw new TypeError("Redis answered the rate limit script with something else than a number");
}
