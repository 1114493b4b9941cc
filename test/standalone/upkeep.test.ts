import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { startDelivering, startSweeping } from "../../examples/standalone/src/sweeper.ts";
import { managementToken, startExample, temporaryFolder, type ReadyLine } from "./start.ts";

/** Sends a wrong password for the first user through the web client, with a client address that a proxy sent. */
function tryPassword({ url, web_client, user }: ReadyLine, address: string): Promise<Response> {
  const form = { grant_type: "password", ...web_client, username: user.email, password: "wrong" };
  return fetch(`${url}oauth/token`, { method: "POST", headers: { "x-forwarded-for": address }, body: new URLSearchParams(form) });
}

test("expired rows are deleted when the server starts", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "data/postern.db");
  await (await startExample(folder)).stop();
  const count = (): unknown => {
    const database = new DatabaseSync(file);
    const rows = database.prepare("select jti_hash from postern_used_assertions").all();
    database.close();
    return rows.map(({ jti_hash: hash }) => hash);
  };
  const database = new DatabaseSync(file);
  const insert = database.prepare("insert into postern_used_assertions (tenant_id, jti_hash, expires_at) values ('main', ?, ?)");
  insert.run("expired", Date.now() - 1000);
  insert.run("living", Date.now() + 3600_000);
  database.close();
  expect(count()).toEqual(["expired", "living"]);
  const { stop } = await startExample(folder);
  await expect.poll(count).toEqual(["living"]);
  expect((await stop()).code).toBe(0);
});

test("sweeping repeats after each interval, even after a failure, and `stop` waits for a running sweep", async () => {
  let sweeps = 0;
  let running = 0;
  const logEntries: unknown[] = [];
  const sweeper = startSweeping(
    {
      async sweep() {
        sweeps++;
        running++;
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        if (sweeps === 3) throw new Error("the database is away");
        return { removed: 1000, sealedAnew: 0, olderKeysInUse: false, finished: sweeps % 2 === 0, skippedTenants: [] };
      },
    },
    { log: (entry) => logEntries.push(entry) },
    10,
  );
  await expect.poll(() => sweeps).toBeGreaterThan(5);
  expect(logEntries).toMatchObject([{ level: "warn", event: "sweep_failed", error: { message: "the database is away" } }]);
  await sweeper.stop();
  expect(running).toBe(0);
  const sweepsAtStop = sweeps;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sweeps).toBe(sweepsAtStop);
});

test("a round of sweeping runs until no expired rows are left, and `stop` ends it early", async () => {
  let sweeps = 0;
  const startRound = (length: number) => {
    sweeps = 0;
    const sweep = async () => ({ removed: 1000, sealedAnew: 0, olderKeysInUse: false, finished: ++sweeps === length, skippedTenants: [] });
    return startSweeping({ sweep }, { log: () => {} }, 3600_000);
  };
  const finiteRound = startRound(4);
  await expect.poll(() => sweeps).toBe(4);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sweeps).toBe(4);
  await finiteRound.stop();

  const endlessRound = startRound(Infinity);
  await expect.poll(() => sweeps).toBeGreaterThan(3);
  await endlessRound.stop();
  const sweepsAtStop = sweeps;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sweeps).toBe(sweepsAtStop);
});

test("deliveries start at each interval although a slow receiver holds up earlier ones, at most four at the same time", async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  let [calls, running] = [0, 0];
  const deliverer = startDelivering(
    {
      async deliverEvents() {
        calls++;
        running++;
        await response;
        running--;
        return { delivered: 1, failed: 0, finished: true, skippedTenants: [] };
      },
    },
    { log: () => {} },
    5,
  );
  await expect.poll(() => calls).toBe(4);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(calls).toBe(4);
  respond();
  await expect.poll(() => calls).toBeGreaterThan(4);
  await deliverer.stop();
  expect(running).toBe(0);
});

test("password attempts are counted per client address", async () => {
  const { ready } = await startExample(temporaryFolder(), {
    DATABASE_URL: "memory:",
    LOGINS_PER_MINUTE: "2",
    TRUSTED_PROXIES: "127.0.0.1,::1",
  });
  const allowed = await fetch(`${ready.url}api/v2/clients/${ready.web_client.client_id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${await managementToken(ready)}`, "content-type": "application/json" },
    body: JSON.stringify({ grant_types: ["authorization_code", "password"] }),
  });
  expect(allowed.status).toBe(200);
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await tryPassword(ready, "198.51.100.7")).status);
  expect(statuses).toEqual([403, 403, 429]);
  const limited = await tryPassword(ready, "198.51.100.7");
  expect(await limited.json()).toMatchObject({ error: "TOO_MANY_REQUESTS" });
  const header = (name: string): number => Number(limited.headers.get(name) ?? NaN);
  expect(header("retry-after")).toBeGreaterThan(0);
  expect([header("x-ratelimit-limit"), header("x-ratelimit-remaining")]).toEqual([2, 0]);
  expect(header("x-ratelimit-reset") * 1000).toBeGreaterThan(Date.now());
  expect((await tryPassword(ready, "198.51.100.8")).status).toBe(403);
});
