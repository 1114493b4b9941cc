import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { DataAdapter } from "@postern/core/adapter";
import { systemClock } from "@postern/core/testing";
import { createMysqlAdapter, createPostgresAdapter } from "@postern/kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mysqlPool, ownMysql, ownPostgres, postgresPool } from "../../packages/kysely/test/servers.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

/**
 * Starts a TCP proxy in front of a database server. While it is silent, it accepts connections and forwards nothing.
 */
async function silentProxy(to: URL) {
  let isSilent = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(to.port), to.hostname);
    for (const [from, target] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => target.destroy());
      // A connection that sent data during the silence stays silent, like one whose state a firewall lost.
      let isDropped = isSilent;
      from.on("data", (chunk) => {
        isDropped ||= isSilent;
        if (!isDropped) target.write(chunk);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(to);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence: (silent: boolean) => void (isSilent = silent),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

interface Server {
  /** The service that uses the proxy, with a pool of three connections. */
  readonly service: TestPostern;
  readonly silence: (silent: boolean) => void;
  /** Locks the roles from a connection outside the proxy. @returns a function that releases the lock. */
  lockRoles(): Promise<() => Promise<void>>;
  /** Returns the number of the service's statements that wait for a lock. */
  blocked(): Promise<number>;
}

/** A short timeout keeps the tests short. */
const createService = (data: DataAdapter) =>
  createTestPostern({ data, limits: { dataTimeoutSeconds: 2 }, testing: { clock: systemClock }, logger: { log: () => {} } });

function recovers(open: () => Server): void {
  const clients = async (token: string): Promise<number> => (await open().service.call("GET", "/api/v2/clients", { token })).status;

  test("an unresponsive database server causes 503, and the pool recovers with the server", async () => {
    const { service, silence } = open();
    const token = await service.token();
    expect(await clients(token)).toBe(200);
    silence(true);
    const answers = await Promise.all(Array.from({ length: 8 }, () => clients(token)));
    expect(new Set(answers)).toEqual(new Set([503]));
    expect((await service.postern.ready()).status).toBe(503);
    silence(false);
    // Every connection that was used during the silence is lost, so the pool needs new ones.
    await expect.poll(() => clients(token), { timeout: 20_000 }).toBe(200);
    expect(new Set(await Promise.all(Array.from({ length: 8 }, () => clients(token))))).toEqual(new Set([200]));
  });

  test("a statement that exceeds the timeout while it waits for a lock is cancelled on the server and has no later effect", async () => {
    const { service, lockRoles, blocked } = open();
    const token = await service.token();
    const unlock = await lockRoles();
    const write = (name: string) => service.call("POST", "/api/v2/roles", { token, body: { name } });
    const answers = await Promise.all(["One", "Two", "Three", "Four"].map(write));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    // Other statements succeed while the lock is held.
    await expect.poll(() => clients(token), { timeout: 20_000 }).toBe(200);
    await expect.poll(blocked, { timeout: 20_000 }).toBe(0);
    await unlock();
    const { body } = await service.call("GET", "/api/v2/roles", { token });
    expect(body).toEqual([]);
    expect((await write("Five")).status).toBe(201);
  });
}

describe("PostgreSQL", async () => {
  const database = await ownPostgres("silent");
  const proxy = await silentProxy(new URL(database.url));
  const directPool = postgresPool(database.url, 2);
  const pool = postgresPool(proxy.url, 3, 1000);
  const data = createPostgresAdapter({ pool });
  let service: TestPostern;
  beforeAll(async () => {
    await data.migrate();
    service = await createService(data);
  });
  afterAll(async () => {
    proxy.close();
    await pool.end();
    await directPool.end();
    await database.drop();
  });

  recovers(() => ({
    service,
    silence: proxy.silence,
    async lockRoles() {
      const client = await directPool.connect();
      await client.query("begin");
      await client.query("lock table postern_roles in share row exclusive mode");
      return async () => {
        await client.query("rollback");
        client.release();
      };
    },
    async blocked() {
      const { rows } = await directPool.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows[0]?.n ?? -1;
    },
  }));

  test("no connection of the pool stays in use", async () => {
    await expect.poll(() => [pool.totalCount - pool.idleCount, pool.waitingCount], { timeout: 20_000 }).toEqual([0, 0]);
    expect(pool.totalCount).toBeLessThanOrEqual(3);
  });
});

describe("MySQL or MariaDB", async () => {
  const database = await ownMysql("silent");
  const proxy = await silentProxy(new URL(database.url));
  const directPool = mysqlPool(database.url, 2).promise();
  const pool = mysqlPool(proxy.url, 3, 1000);
  const data = createMysqlAdapter({ pool });
  let service: TestPostern;
  beforeAll(async () => {
    await data.migrate();
    service = await createService(data);
  });
  afterAll(async () => {
    proxy.close();
    pool.end(() => {});
    await directPool.end();
    await database.drop();
  });

  recovers(() => ({
    service,
    silence: proxy.silence,
    async lockRoles() {
      const connection = await directPool.getConnection();
      await connection.query("lock tables postern_roles read");
      return async () => {
        await connection.query("unlock tables");
        connection.release();
      };
    },
    async blocked() {
      const [rows] = await directPool.query(
        "select count(*) as n from information_schema.processlist where db = database() and state like 'Waiting for table%'",
      );
      return Number((rows as { n: number }[])[0]?.n);
    },
  }));
});
