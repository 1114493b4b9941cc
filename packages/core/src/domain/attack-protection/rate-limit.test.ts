import { expect, test } from "vitest";
import type { LogEntry } from "../../adapters/logger.ts";
import type { RateLimitDecision } from "../../adapters/rate-limit.ts";
import { attackProtection } from "../../model/tenant/attack-protection.ts";
import { limitLogin, limitOneTimeCode, type LimitContext } from "./rate-limit.ts";
import { systemWait } from "./wait.ts";

const settings = (stored: object = {}) =>
  attackProtection({ attack_protection: { suspicious_ip_throttling: { ...stored } } }).suspicious_ip_throttling;

function limits(answer: () => Promise<RateLimitDecision | undefined>) {
  const asked: string[] = [];
  const told: LogEntry[] = [];
  const context: LimitContext = {
    environment: { logger: { log: (entry) => void told.push(entry) } },
    limiter: { consume: (scope, key) => (asked.push(`${scope} ${key}`), answer()) },
    wait: async (milliseconds, signal) => systemWait(milliseconds / 20, signal),
  };
  return { asked, told, context };
}

const never = () => new Promise<undefined>(() => {});

test("the keys are those of spec section 8", async () => {
  const { asked, context } = limits(async () => undefined);
  expect(await limitLogin(context, "t1", "192.0.2.1", settings())).toEqual({});
  expect(await limitOneTimeCode(context, "t1", "ann@example.com")).toEqual({});
  expect(asked).toEqual(["pre-login t1:192.0.2.1", "brute-force passwordless:t1:ann@example.com"]);
});

test("the key of an IPv6 address is its /64 network", async () => {
  const { asked, context } = limits(async () => undefined);
  for (const ip of ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1", "::ffff:192.0.2.1"])
    await limitLogin(context, "t1", ip, settings());
  expect(asked).toEqual([
    "pre-login t1:2001:db8:1:2::/64",
    "pre-login t1:2001:db8:1:2::/64",
    "pre-login t1:2001:db8:1:3::/64",
    "pre-login t1:192.0.2.1",
  ]);
});

test.each([
  ["the protection is off", "192.0.2.1", { enabled: false }],
  ["nothing is to be blocked", "192.0.2.1", { shields: ["admin_notification"] }],
  ["the address is unknown", undefined, {}],
  ["the address is on the allowlist", "192.0.2.1", { allowlist: ["192.0.2.1"] }],
  ["the address is in a network on the allowlist", "2001:db8::7", { allowlist: ["10.0.0.0/8", "2001:db8::/32"] }],
])("nothing is counted where %s", async (_name, ip, stored) => {
  const { asked, context } = limits(async () => ({ allowed: false }));
  expect(await limitLogin(context, "t1", ip, settings(stored))).toEqual({});
  expect(asked).toEqual([]);
});

test("without a limiter nothing is limited", async () => {
  const { context } = limits(never);
  expect(await limitLogin({ ...context, limiter: undefined }, "t1", "192.0.2.1", settings())).toEqual({});
});

test.each([
  [undefined, {}],
  [12, { "retry-after": "12" }],
  [0.2, { "retry-after": "1" }],
  [-5, { "retry-after": "0" }],
  [Number.NaN, {}],
])("a refusal that may be tried again after %s s", async (retryAfterSeconds, headers) => {
  const decision = { allowed: false, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  const { context } = limits(async () => decision);
  const { refusal, event } = await limitLogin(context, "t1", "192.0.2.1", settings());
  expect([refusal?.code, refusal?.status, refusal?.headers, event?.type]).toEqual(["TOO_MANY_REQUESTS", 429, headers, "limit_mu"]);
});

test("a refusal carries the limit, what is left and the reset if the limiter returns them", async () => {
  const { context } = limits(async () => ({ allowed: false, retryAfterSeconds: 7, limit: 100, remaining: 0, resetAt: 1_767_225_600.2 }));
  const { refusal } = await limitLogin(context, "t1", "192.0.2.1", settings());
  expect(refusal?.headers).toEqual({
    "retry-after": "7",
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": "1767225601",
  });
  const faulty = limits(async () => ({ allowed: false, limit: Number.NaN, remaining: -1 }));
  expect((await limitLogin(faulty.context, "t1", "192.0.2.1", settings())).refusal?.headers).toEqual({ "x-ratelimit-remaining": "0" });
});

test.each([
  ["rejects", () => Promise.reject(new Error("connection lost"))],
  [
    "throws",
    () => {
      throw new Error("connection lost");
    },
  ],
  ["does not answer", never],
] as const)("a limiter that %s allows, and is an event", async (_name, answer) => {
  const { context, told } = limits(answer);
  expect(await limitLogin(context, "t1", "192.0.2.1", settings())).toMatchObject({ event: { type: "w", details: { scope: "pre-login" } } });
  expect(told).toMatchObject([{ level: "warn", event: "rate_limiter_failed", scope: "pre-login" }]);
});

test("a limiter that rejects too late disturbs nobody", async () => {
  const { context, told } = limits(() => systemWait(80).then(() => Promise.reject(new Error("too late"))));
  expect(await limitLogin(context, "t1", "192.0.2.1", settings())).toMatchObject({ event: { type: "w" } });
  await systemWait(60);
  expect(told).toHaveLength(1);
});

test("no timer is left when the limiter has answered", async () => {
  const { context } = limits(async () => ({ allowed: true }));
  const signals: (AbortSignal | undefined)[] = [];
  const wait: LimitContext["wait"] = (milliseconds, signal) => (signals.push(signal), systemWait(milliseconds, signal));
  await limitLogin({ ...context, wait }, "t1", "192.0.2.1", settings());
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});
