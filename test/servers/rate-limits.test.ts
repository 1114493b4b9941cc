import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { createClient } from "redis";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ownPostgres, postgresPool } from "../../packages/kysely/test/servers.ts";
import { runRecipe, seedSignIn, sendPasswordGrantFrom, testRecipe, type RecipeStore } from "../support/rate-limit-recipe.ts";

/** A server that runs the code block of a store. */
interface StoreServer {
  readonly url: string;
  /** Returns the code block's store, for the server at a URL. */
  readonly storeAt: (url: string) => RecipeStore;
  /** Returns the keys that the server stores. */
  readonly readKeys: () => Promise<readonly string[]>;
}

const { POSTERN_TEST_REDIS_URL: redisUrl = "", POSTERN_TEST_VALKEY_URL: valkeyUrl = redisUrl } = process.env;
const database = await ownPostgres("rate_limits");
afterAll(() => database.drop());

const servers: { readonly [name: string]: StoreServer } = {
  Redis: {
    url: redisUrl,
    storeAt: (url) => ({ heading: "Redis", env: { REDIS_URL: url }, close: "client.destroy()" }),
    readKeys: () => readRedisKeys(redisUrl),
  },
  // Without a Valkey server, the block for Valkey runs against the Redis server: both have the same protocol.
  Valkey: {
    url: valkeyUrl,
    storeAt: (url) => ({ heading: "Valkey", env: { VALKEY_URL: url }, close: "client.disconnect()" }),
    readKeys: () => readRedisKeys(valkeyUrl),
  },
  PostgreSQL: {
    url: database.url,
    storeAt: (url) => ({ heading: "PostgreSQL", env: { DATABASE_URL: url }, close: "pool.end()" }),
    readKeys: async () => {
      const pool = postgresPool(database.url);
      const { rows } = await pool.query<{ readonly key: string }>("SELECT key FROM postern_rate_limits");
      await pool.end();
      return rows.map(({ key }) => key);
    },
  },
};

describe.each(Object.entries(servers))("the rate limiter in %s of docs/rate-limits.md", (_, { url, storeAt, readKeys }) => {
  beforeEach(({ skip }) => skip(url === "", "set POSTERN_TEST_REDIS_URL, or run the tests by .ci/services.sh"));

  testRecipe(storeAt(url));

  test("counts the attempts of all processes together", async () => {
    const [first, second] = [await runRecipe(storeAt(url)), await runRecipe(storeAt(url))];
    const key = `main:${crypto.randomUUID()}`;
    for (let count = 0; count < 15; count++) {
      expect(await first.rateLimiter.consume("pre-login", key)).toEqual({ allowed: true });
      expect(await second.rateLimiter.consume("pre-login", key)).toEqual({ allowed: true });
    }
    for (const { rateLimiter } of [first, second]) {
      expect(await rateLimiter.consume("pre-login", key)).toMatchObject({ allowed: false });
    }
  });

  test("stores hashed keys", async () => {
    const { rateLimiter } = await runRecipe(storeAt(url));
    await rateLimiter.consume("pre-login", "main:192.0.2.7");
    await rateLimiter.consume("brute-force", "passwordless:main:ada@example.test");
    const keys = await readKeys();
    for (const scope of ["pre-login", "brute-force"]) {
      expect(keys.find((key) => key.includes(scope))).toMatch(new RegExp(`^(postern:)?${scope}:[0-9a-f]{64}$`));
    }
    expect(keys.filter((key) => key.includes("192.0.2.7") || key.includes("ada@example.test"))).toEqual([]);
  });

  test("allows a sign-in while the store is unreachable", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const proxy = await openProxy(new URL(url));
    const recipe = await runRecipe(storeAt(proxy.url));
    const address = await seedSignIn(recipe);
    await Promise.all(Array.from({ length: 30 }, () => recipe.rateLimiter.consume("pre-login", `main:${address}`)));
    expect((await sendPasswordGrantFrom(recipe, address)).status).toBe(429);
    proxy.cut();
    await expect(recipe.rateLimiter.consume("pre-login", `main:${address}`)).rejects.toThrow();
    expect((await sendPasswordGrantFrom(recipe, address)).status).toBe(200);
  });
});

async function readRedisKeys(url: string): Promise<readonly string[]> {
  const client = createClient({ url });
  await client.connect();
  const keys = await client.keys("*");
  await client.close();
  return keys;
}

/** Opens a TCP proxy in front of a server. `cut` closes its connections and its port. */
async function openProxy(target: URL): Promise<{ readonly url: string; readonly cut: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname);
    for (const socket of [incoming, outgoing]) sockets.add(socket.on("error", () => {}));
    incoming.pipe(outgoing).pipe(incoming);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  onTestFinished(cut);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  return { url: url.href, cut };
}
