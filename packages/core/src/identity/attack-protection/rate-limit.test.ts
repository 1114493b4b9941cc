import { expect, test } from "vitest";
import { createLogins } from "../../../test/password-logins.ts";
import { withHost } from "../../../test/service-context.ts";
import type { RateLimitDecision } from "../../adapters/rate-limit.ts";
import type { TenantContext } from "../../context.ts";
import type { JsonObject } from "../../store/value.ts";
import { limitLogin, limitOneTimeCode } from "./rate-limit.ts";
import { systemWait, type Wait } from "../../adapters/wait.ts";

async function limits(answer: () => Promise<RateLimitDecision | undefined>) {
  const calls: string[] = [];
  const logins = await createLogins();
  const tenant = withHost(logins.tenant, {
    rateLimiter: { consume: (scope, key) => (calls.push(`${scope} ${key}`), answer()) },
    wait: async (milliseconds, signal) => systemWait(milliseconds / 20, signal),
  });
  const from = (ip: string | undefined, stored: JsonObject = {}): TenantContext => ({
    ...tenant,
    requestInfo: { ...tenant.requestInfo, ip },
    record: { id: "t1", attack_protection: { suspicious_ip_throttling: stored } },
  });
  return { calls, logged: logins.logged, audited: logins.audited, client: logins.client, from };
}

const never = () => new Promise<undefined>(() => {});

test("calls the host's rate limiter with the documented keys", async () => {
  const { calls, client, from } = await limits(async () => undefined);
  expect(await limitLogin(from("192.0.2.1"), client)).toBeUndefined();
  expect(await limitOneTimeCode(from(undefined), client, "ann@example.com")).toBeUndefined();
  expect(calls).toEqual(["pre-login t1:192.0.2.1", "brute-force passwordless:t1:ann@example.com"]);
});

test("counts an IPv6 address under the key of its /64 network", async () => {
  const { calls, client, from } = await limits(async () => undefined);
  for (const ip of ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1", "::ffff:192.0.2.1"]) await limitLogin(from(ip), client);
  expect(calls).toEqual([
    "pre-login t1:2001:db8:1:2::/64",
    "pre-login t1:2001:db8:1:2::/64",
    "pre-login t1:2001:db8:1:3::/64",
    "pre-login t1:192.0.2.1",
  ]);
});

test.each([
  ["suspicious IP throttling is off", "192.0.2.1", { enabled: false }],
  ["no shield blocks", "192.0.2.1", { shields: ["admin_notification"] }],
  ["the client's IP address is unknown", undefined, {}],
  ["the client's IP address is on the allowlist", "192.0.2.1", { allowlist: ["192.0.2.1"] }],
  ["the client's IP address is in a network on the allowlist", "2001:db8::7", { allowlist: ["10.0.0.0/8", "2001:db8::/32"] }],
])("does not call the rate limiter if %s", async (_name, ip, stored) => {
  const { calls, client, from } = await limits(async () => ({ allowed: false }));
  expect(await limitLogin(from(ip, stored), client)).toBeUndefined();
  expect(calls).toEqual([]);
});

test("allows every login if the host has no rate limiter", async () => {
  const { client, from } = await limits(never);
  expect(await limitLogin(withHost(from("192.0.2.1"), { rateLimiter: undefined }), client)).toBeUndefined();
});

test.each([
  [undefined, {}],
  [12, { "retry-after": "12" }],
  [0.2, { "retry-after": "1" }],
  [-5, { "retry-after": "0" }],
  [Number.NaN, {}],
])("returns the Retry-After header for a rejection with retryAfterSeconds %s", async (retryAfterSeconds, headers) => {
  const decision = { allowed: false, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  const { audited, client, from } = await limits(async () => decision);
  const refusal = await limitLogin(from("192.0.2.1"), client);
  expect([refusal?.code, refusal?.status, refusal?.headers, audited[0]?.type]).toEqual(["TOO_MANY_REQUESTS", 429, headers, "limit_mu"]);
  expect(audited).toMatchObject([{ client: { client_id: "app", name: "App" }, details: { scope: "pre-login" } }]);
});

test("returns the limit, the number of remaining attempts and the reset time as headers if the rate limiter provides them", async () => {
  const { client, from } = await limits(async () => ({
    allowed: false,
    retryAfterSeconds: 7,
    limit: 100,
    remaining: 0,
    resetAt: 1_767_225_600.2,
  }));
  const refusal = await limitLogin(from("192.0.2.1"), client);
  expect(refusal?.headers).toEqual({
    "retry-after": "7",
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": "1767225601",
  });
  const faulty = await limits(async () => ({ allowed: false, limit: Number.NaN, remaining: -1 }));
  expect((await limitLogin(faulty.from("192.0.2.1"), faulty.client))?.headers).toEqual({ "x-ratelimit-remaining": "0" });
});

test.each([
  ["rejects", () => Promise.reject(new Error("connection lost"))],
  [
    "throws",
    () => {
      throw new Error("connection lost");
    },
  ],
  ["does not respond", never],
] as const)("allows and audits a request if the rate limiter %s", async (_name, answer) => {
  const { audited, client, from, logged } = await limits(answer);
  expect(await limitLogin(from("192.0.2.1"), client)).toBeUndefined();
  expect(audited).toMatchObject([{ type: "w", details: { scope: "pre-login" } }]);
  expect(logged).toMatchObject([{ level: "warn", event: "rate_limiter_failed", scope: "pre-login" }]);
});

test("ignores the error of a rate limiter that rejects after its timeout", async () => {
  const { audited, client, from, logged } = await limits(() => systemWait(80).then(() => Promise.reject(new Error("too late"))));
  expect(await limitLogin(from("192.0.2.1"), client)).toBeUndefined();
  expect(audited).toMatchObject([{ type: "w" }]);
  await systemWait(60);
  expect(logged).toHaveLength(1);
});

test("leaves no timer after the rate limiter has responded", async () => {
  const { client, from } = await limits(async () => ({ allowed: true }));
  const signals: (AbortSignal | undefined)[] = [];
  const wait: Wait = (milliseconds, signal) => (signals.push(signal), systemWait(milliseconds, signal));
  await limitLogin(withHost(from("192.0.2.1"), { wait }), client);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});
