import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { startSweeping } from "../../examples/standalone/src/sweeper.ts";
import { managementToken, start, temporaryFolder, type Ready } from "./start.ts";

/** Tries a password of the first user, by the web client, from behind a proxy. */
function tryPassword({ url, web_client, user }: Ready, address: string): Promise<Response> {
  const form = { grant_type: "password", ...web_client, username: user.email, password: "wrong" };
  return fetch(`${url}oauth/token`, { method: "POST", headers: { "x-forwarded-for": address }, body: new URLSearchParams(form) });
}

test("what has expired is removed as the server starts", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "data/postern.db");
  await (await start(folder)).stop();
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
  const { stop } = await start(folder);
  await expect.poll(count).toEqual(["living"]);
  expect((await stop()).code).toBe(0);
});

test("sweeping goes on until nothing is left, again and again, also after a failure; stopping waits for what is under way", async () => {
  let sweeps = 0;
  let under = 0;
  const told: unknown[] = [];
  const sweeper = startSweeping(
    {
      async sweep() {
        sweeps++;
        under++;
        await new Promise((resolve) => setTimeout(resolve, 5));
        under--;
        if (sweeps === 3) throw new Error("the database is away");
        return { removed: 1000, sealedAnew: 0, olderKeysInUse: false, finished: sweeps % 2 === 0, skippedTenants: [] };
      },
    },
    { log: (entry) => told.push(entry) },
    10,
  );
  await expect.poll(() => sweeps).toBeGreaterThan(5);
  expect(told).toMatchObject([{ level: "warn", event: "sweep_failed", error: { message: "the database is away" } }]);
  await sweeper.stop();
  expect(under).toBe(0);
  const then = sweeps;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sweeps).toBe(then);
});

test("one round goes on until nothing is left, and no further; stopping ends it in the middle", async () => {
  let sweeps = 0;
  const rounds = (length: number) => {
    sweeps = 0;
    const sweep = async () => ({ removed: 1000, sealedAnew: 0, olderKeysInUse: false, finished: ++sweeps === length, skippedTenants: [] });
    return startSweeping({ sweep }, { log: () => {} }, 3600_000);
  };
  const done = rounds(4);
  await expect.poll(() => sweeps).toBe(4);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sweeps).toBe(4);
  await done.stop();

  const endless = rounds(Infinity);
  await expect.poll(() => sweeps).toBeGreaterThan(3);
  await endless.stop();
  const then = sweeps;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sweeps).toBe(then);
});

test("passwords are counted by the address that they come from", async () => {
  const { ready } = await start(temporaryFolder(), {
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
  const refused = await tryPassword(ready, "198.51.100.7");
  expect(await refused.json()).toMatchObject({ error: "TOO_MANY_REQUESTS" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await tryPassword(ready, "198.51.100.8")).status).toBe(403);
});
