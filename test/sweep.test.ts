import { expect, test } from "vitest";
import { createTestPostern } from "./support/postern.ts";

const connection = "Username-Password-Authentication";

test("sweep deletes expired rows within its budget and keeps the others", async () => {
  const { postern, data, clock } = await createTestPostern();
  const now = clock.now();
  const rows = Array.from({ length: 1200 }, (_, i) => ({
    tenant_id: "main",
    jti_hash: `hash-${i}`,
    expires_at: now + (i < 1100 ? 1000 : 60_000),
  }));
  for (let i = 0; i < rows.length; i += 100) await data.collections.used_assertions.insert(rows.slice(i, i + 100));
  clock.advance("10s");

  const first = await postern.jobs.sweep({ budget: 500 });
  expect(first.finished).toBe(false);
  expect(first.removed).toBeGreaterThanOrEqual(500);
  let result = first;
  for (let i = 0; i < 10 && !result.finished; i++) result = await postern.jobs.sweep({ budget: 500 });
  expect(result.finished).toBe(true);
  expect(await data.collections.used_assertions.count({ tenant_id: "main" })).toBe(100);
});

test("parallel sweeps delete each expired row once and nothing else", async () => {
  const { postern, data, clock } = await createTestPostern();
  const rows = Array.from({ length: 900 }, (_, i) => ({ tenant_id: "main", jti_hash: `hash-${i}`, expires_at: clock.now() + i }));
  for (let i = 0; i < rows.length; i += 100) await data.collections.used_assertions.insert(rows.slice(i, i + 100));
  clock.advance(450);
  const swept = await Promise.all([postern.jobs.sweep(), postern.jobs.sweep(), postern.jobs.sweep()]);
  expect(swept.reduce((sum, { removed }) => sum + removed, 0)).toBe(450);
  expect(await data.collections.used_assertions.count({ tenant_id: "main" })).toBe(450);
});

test("keeps an expired session while a refresh token needs it", async () => {
  const { postern, data, clock } = await createTestPostern();
  const session = {
    tenant_id: "main",
    user_id: "u",
    account_id: "u",
    connection_id: "con_1",
    issuer: "https://login.example.com/",
    cookie_hash: null,
    clients: [],
    authentication: {},
    device: {},
    session_metadata: {},
    authenticated_at: 0,
    last_interacted_at: 0,
    idle_expires_at: 0,
    expires_at: 0,
    revoked_at: null,
    logout_initiator: null,
    logout_at: 0,
    revision: 0,
    created_at: 0,
    updated_at: 0,
    purge_at: clock.now() + 1000,
  };
  await data.collections.sessions.insert([
    { ...session, id: "needed" },
    { ...session, id: "free" },
  ]);
  const token = {
    tenant_id: "main",
    id: "t",
    token_hash: "h",
    family_id: "f",
    grant_id: "g",
    session_id: "needed",
    client_id: "c",
    user_id: "u",
    organization_id: null,
    audience: null,
    scope: [],
    claims: {},
    device: {},
    jkt: null,
    refresh_token_metadata: {},
    rotated_at: null,
    rotated_to: null,
    presented_at: null,
    reissued_at: null,
    recovered_at: null,
    revoked_at: null,
    idle_expires_at: null,
    expires_at: null,
    last_exchanged_at: null,
    auth_time: 0,
    created_at: 0,
    purge_at: null,
  };
  await data.collections.refresh_tokens.insert([token]);
  clock.advance("1m");
  await postern.jobs.sweep();
  const result = await data.collections.sessions.find({ where: { tenant_id: "main", user_id: "u" }, limit: 10 });
  expect(result.map(({ id }) => id)).toEqual(["needed"]);
});

test("sweep completes a removal that a crashed process left unfinished", async () => {
  const { postern, data, call, token, clock } = await createTestPostern();
  const accessToken = await token();
  const { body } = await call("POST", "/api/v2/users", {
    token: accessToken,
    body: { connection, email: "gone@example.test", password: "a-password" },
  });
  const { user_id: userId } = body as { readonly user_id: string };
  expect(await data.collections.passwords.count({ tenant_id: "main", user_id: userId })).toBe(1);
  await data.collections.users.update(
    { tenant_id: "main", connection, email_key: "gone@example.test" },
    { set: { deleting_at: clock.now() } },
  );

  await postern.jobs.sweep();
  expect(await data.collections.users.count({ tenant_id: "main", connection })).toBe(1);
  clock.advance("2m");
  await postern.jobs.sweep();
  expect(await data.collections.users.count({ tenant_id: "main", connection })).toBe(0);
  expect(await data.collections.passwords.count({ tenant_id: "main", user_id: userId })).toBe(0);
});

test("audit events are deleted after thirty days or after the configured retention, and not before", async () => {
  const day = 86_400_000;
  for (const [options, days] of [
    [{}, 30],
    [{ logs: { retentionDays: 7 } }, 7],
    [{ logs: { retentionDays: Infinity } }, Infinity],
  ] as const) {
    const { postern, data, clock, token } = await createTestPostern(options);
    await token();
    const count = (): Promise<number> => data.collections.logs.count({ tenant_id: "main" });
    const written = await count();
    expect(written).toBeGreaterThan(0);
    clock.advance(Math.min(days, 3000) * day - 1000);
    await postern.jobs.sweep();
    expect(await count()).toBe(written);
    clock.advance(2000);
    await postern.jobs.sweep();
    expect(await count()).toBe(days === Infinity ? written : 0);
  }
});
