import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@postern/kysely/url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampled } from "../support/nightly.ts";
import { rowsContaining } from "../support/rows-containing.ts";
import type { Moment } from "./support/around-writes.ts";
import { manage, managerToken, sendPasswordGrant } from "./support/client.ts";
import { prepareServers, type Servers } from "./support/processes.ts";

const sessions = 1000;

let servers: Servers;
let folder: string;
let userId: string;
/** The writes of an uninterrupted removal. */
let writes: readonly string[];

beforeAll(async () => {
  servers = await prepareServers();
  folder = mkdtempSync(join(tmpdir(), "postern-"));
  const server = await servers.start(addressOf("prepared"));
  expect(await sendPasswordGrant(server.origin)).toMatchObject({ status: 200 });
  await server.stop();
  userId = await multiplySessions(addressOf("prepared"));

  copy("prepared", "unharmed");
  const uninterrupted = await servers.start(addressOf("unharmed"));
  const token = await managerToken(uninterrupted.origin);
  await uninterrupted.arm();
  expect(await manage(uninterrupted.origin, token, "DELETE", userPath())).toBe(204);
  writes = await uninterrupted.writes();
  await uninterrupted.stop();
});
afterAll(async () => {
  await servers.close();
  rmSync(folder, { recursive: true });
});

const addressOf = (name: string): string => `sqlite:${join(folder, name)}.db`;
const userPath = (): string => `/api/v2/users/${encodeURIComponent(userId)}`;

function copy(from: string, to: string): void {
  for (const suffix of ["", "-wal"])
    if (existsSync(join(folder, `${from}.db${suffix}`)))
      copyFileSync(join(folder, `${from}.db${suffix}`), join(folder, `${to}.db${suffix}`));
}

/** Gives the signed-in user 1,000 sessions, each with a refresh token. @returns the user's id. */
async function multiplySessions(database: string): Promise<string> {
  const data = await openDatabase(database);
  const { sessions: stored, refresh_tokens: tokens } = data.collections;
  const [session] = await stored.find({ where: { tenant_id: "main" }, limit: 1 });
  const [token] = await tokens.find({ where: { tenant_id: "main" }, limit: 1 });
  if (session === undefined || token === undefined) throw new Error("no session exists");
  for (let i = 1; i < sessions; i += 37) {
    const numbers = Array.from({ length: Math.min(37, sessions - i) }, (_, k) => i + k);
    await stored.insert(numbers.map((n) => ({ ...session, id: `sess_${n}` })));
    await tokens.insert(numbers.map((n) => ({ ...token, id: `rt_${n}`, token_hash: `hash-${n}`, session_id: `sess_${n}` })));
  }
  expect(await stored.count({ tenant_id: "main", user_id: session.user_id })).toBe(sessions);
  await data.close();
  return session.user_id;
}

/** Returns every row that still refers to the user, by its collection. */
async function remainingRows(database: string): Promise<readonly string[]> {
  const data = await openDatabase(database);
  try {
    return await rowsContaining(data, userId);
  } finally {
    await data.close();
  }
}

const fractions = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1];

test.each(sampled("fractions", fractions, 2))(
  "a repeated call or `sweep` completes the removal of a user with 1,000 sessions after a crash at the fraction %d of its writes",
  async (fraction) => {
    expect(writes.length).toBeGreaterThan(40);
    // The very last write is the removal's audit event.
    const at: Moment = { write: 1 + Math.round(fraction * (writes.length - 2)), side: fraction === 1 ? "before" : "after" };
    const names = { dead: `dead-${fraction}`, swept: `swept-${fraction}` };
    copy("prepared", names.dead);
    const crashing = await servers.start(addressOf(names.dead));
    const token = await managerToken(crashing.origin);
    await crashing.arm(at);
    await expect(manage(crashing.origin, token, "DELETE", userPath())).rejects.toThrow(TypeError);
    await crashing.died;
    expect((await remainingRows(addressOf(names.dead))).length).toBeGreaterThan(0);
    copy(names.dead, names.swept);

    const repeated = await servers.start(addressOf(names.dead));
    expect(await manage(repeated.origin, token, "GET", userPath())).toBe(404);
    // The email address is free after the first write, so the start has seeded a user with this address and a new id.
    expect(await sendPasswordGrant(repeated.origin)).toMatchObject({ status: 200 });
    expect(await manage(repeated.origin, token, "DELETE", userPath())).toBe(204);
    await repeated.stop();
    expect(await remainingRows(addressOf(names.dead))).toEqual([]);

    const swept = await servers.start(addressOf(names.swept));
    await swept.sweep();
    // A removal that started less than a minute ago may still be running, so `sweep` leaves it alone.
    expect((await remainingRows(addressOf(names.swept))).length).toBeGreaterThan(0);
    await swept.advance(61_000);
    await swept.sweep();
    await swept.stop();
    expect(await remainingRows(addressOf(names.swept))).toEqual([]);
  },
);
