import type { RateLimiter } from "@postern/core";
import { redisRateLimiter, type RedisRateLimiterOptions } from "@postern/redis";
import { Redis } from "ioredis";
import { randomUUID } from "node:crypto";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openService, type LoginService } from "../support/flow.ts";
import { issuer } from "../support/postern.ts";

type Send = RedisRateLimiterOptions["send"];

const url = process.env["POSTERN_TEST_REDIS_URL"];
const prefix = `postern-test-${randomUUID()}:`;

describe.skipIf(url === undefined)("rate limits in Redis (set POSTERN_TEST_REDIS_URL, or run by .ci/services.sh)", () => {
  const client = createClient({ url: url ?? "" });
  const other = new Redis(url ?? "", { lazyConnect: true });
  const clients = {
    redis: (command) => client.sendCommand([...command]),
    ioredis: ([name = "", ...rest]) => other.call(name, ...rest),
  } satisfies { readonly [name: string]: Send };
  const limited = (tries: number, windowSeconds: number, send: Send): RateLimiter =>
    redisRateLimiter({ send, prefix, limits: { "pre-login": { tries, windowSeconds } } });

  beforeAll(async () => {
    await Promise.all([client.connect(), other.connect()]);
  });
  afterAll(async () => {
    await Promise.all([client.close(), other.quit()]);
  });

  test.each(Object.entries(clients))(
    "by %s: of thirty-two parallel tries as many pass as may, and the rest are told when to come back",
    async (_, send) => {
      const limiter = limited(5, 60, send);
      const key = randomUUID();
      const decisions = await Promise.all(Array.from({ length: 32 }, () => limiter.consume("pre-login", key)));
      const [allowed, refused] = [decisions.filter((one) => one?.allowed), decisions.filter((one) => one?.allowed === false)];
      expect([allowed.length, refused.length]).toEqual([5, 27]);
      for (const { retryAfterSeconds = 0 } of refused.filter((one) => one !== undefined)) expect(retryAfterSeconds).toBeOneOf([59, 60]);
      expect(await limiter.consume("pre-login", randomUUID())).toEqual({ allowed: true });
    },
  );

  test("two processes count together, also after the scripts of the server are gone", async () => {
    const [first, second] = [limited(2, 60, clients.redis), limited(2, 60, clients.ioredis)];
    const key = randomUUID();
    expect(await first.consume("pre-login", key)).toEqual({ allowed: true });
    await client.sendCommand(["SCRIPT", "FLUSH"]);
    expect(await second.consume("pre-login", key)).toEqual({ allowed: true });
    expect(await first.consume("pre-login", key)).toMatchObject({ allowed: false });
  });

  test("the window slides, refusals do not count, and nothing stays behind", async () => {
    const own = `${prefix}sliding:`;
    const limiter = redisRateLimiter({ send: clients.redis, prefix: own, limits: { "pre-login": { tries: 1, windowSeconds: 1 } } });
    const key = randomUUID();
    expect(await limiter.consume("pre-login", key)).toEqual({ allowed: true });
    expect(await limiter.consume("pre-login", key)).toEqual({ allowed: false, retryAfterSeconds: 1 });
    await expect.poll(() => limiter.consume("pre-login", key)).toEqual({ allowed: true });
    await expect.poll(() => client.keys(`${own}*`)).toEqual([]);
    for (const name of await client.keys(`${prefix}*`)) expect(await client.pTTL(name)).toBeGreaterThan(0);
  });

  describe("behind the password grant", () => {
    let service: LoginService;
    async function grant(): Promise<Response> {
      const { web, ada, postern } = service;
      const body = new URLSearchParams({
        grant_type: "password",
        client_id: web.clientId,
        client_secret: web.secret ?? "",
        username: ada.email,
        password: ada.password,
      });
      return postern.fetch(new Request(`${issuer}oauth/token`, { method: "POST", body }), { clientAddress: "192.0.2.7" });
    }

    test("the third try is 429 with Retry-After; where Redis is away, tries pass", async () => {
      let away = false;
      const send: Send = async (command) => {
        if (away) throw new Error("connection lost");
        return clients.redis(command);
      };
      service = await openService({ rateLimiter: limited(2, 60, send), logger: { log: () => {} } });
      await service.manage("PATCH", `/api/v2/clients/${service.web.clientId}`, { grant_types: ["password"] });
      const statuses = [await grant(), await grant(), await grant()];
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(Number(statuses[2]?.headers.get("retry-after"))).toBeGreaterThan(50);
      away = true;
      expect((await grant()).status).toBe(200);
    });
  });
});
