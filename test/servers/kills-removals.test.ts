import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@postern/kysely/url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsContaining } from "../support/stored.ts";
import type { Moment } from "./support/around-writes.ts";
import { manage, managerToken, passwordGrant } from "./support/client.ts";
import { prepareServers, type Servers } from "./support/processes.ts";

const sessions = 1000;

let servers: Servers;
let folder: string;
let userId: string;
/** What the removal writes where nothing stops it. */
let writes: readonly string[];

beforeAll(async () => {
  servers = await prepareServers();
  folder = mkdtempSync(join(tmpdir(), "postern-"));
  const server = await servers.start(addressOf("prepared"));
  expect(await passwordGrant(server.origin)).toMatchObject({ status: 200 });
  await server.stop();
  userId = await multiplySessions(addressOf("prepared"));

  copy("prepared", "unharmed");
  const unharmed = await servers.start(addressOf("unharmed"));
  const token = await managerToken(unharmed.origin);
  await unharmed.arm();
  expect(await manage(unharmed.origin, token, "DELETE", userPath())).toBe(204);
  writes = await unharmed.writes();
  await unharmed.stop();
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

/** Gives the person who signed in as many sessions as nobody has, each with a refresh token. @returns their id. */
async function multiplySessions(database: string): Promise<string> {
  const data = await openDatabase(database);
  const { sessions: stored, refresh_tokens: tokens } = data.collections;
  const [session] = await stored.find({ where: { tenant_id: "main" }, limit: 1 });
  const [token] = await tokens.find({ where: { tenant_id: "main" }, limit: 1 });
  if (session === undefined || token === undefined) throw new Error("nobody signed in");
  for (let i = 1; i < sessions; i += 37) {
    const numbers = Array.from({ length: Math.min(37, sessions - i) }, (_, k) => i + k);
    await stored.insert(numbers.map((n) => ({ ...session, id: `sess_${n}` })));
    await tokens.insert(numbers.map((n) => ({ ...token, id: `rt_${n}`, token_hash: `hash-${n}`, session_id: `sess_${n}` })));
  }
  expect(await stored.count({ tenant_id: "main", user_id: session.user_id })).toBe(sessions);
  await data.close();
  return session.user_id;
}

/** Every row that still tells of the user, by its collection. */
async function left(database: string): Promise<readonly string[]> {
  const data = await openDatabase(database);
  try {
    return await rowsContaining(data, userId);
  } finally {
    await data.close();
  }
}

const places = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1];

test.each(places)(
  "a process that is killed at %d of the removal of a user with 1,000 sessions: a repeated call or `sweep` removes the rest",
  async (place) => {
    expect(writes.length).toBeGreaterThan(40);
    // The last write of all is the removal's place in the audit log.
    const at: Moment = { write: 1 + Math.round(place * (writes.length - 2)), side: place === 1 ? "before" : "after" };
    const names = { dead: `dead-${place}`, swept: `swept-${place}` };
    copy("prepared", names.dead);
    const doomed = await servers.start(addressOf(names.dead));
    const token = await managerToken(doomed.origin);
    await doomed.arm(at);
    await expect(manage(doomed.origin, token, "DELETE", userPath())).rejects.toThrow(TypeError);
    await doomed.died;
    expect((await left(addressOf(names.dead))).length).toBeGreaterThan(0);
    copy(names.dead, names.swept);

    const repeated = await servers.start(addressOf(names.dead));
    expect(await manage(repeated.origin, token, "GET", userPath())).toBe(404);
    // The address was free from the first write on, and the start seeded its user anew, under another id.
    expect(await passwordGrant(repeated.origin)).toMatchObject({ status: 200 });
    expect(await manage(repeated.origin, token, "DELETE", userPath())).toBe(204);
    await repeated.stop();
    expect(await left(addressOf(names.dead))).toEqual([]);

    const swept = await servers.start(addressOf(names.swept));
    await swept.sweep();
    // Who removes may only be slow: what was begun less than a minute ago is left to them.
    expect((await left(addressOf(names.swept))).length).toBeGreaterThan(0);
    await swept.advance(61_000);
    await swept.sweep();
    await swept.stop();
    expect(await left(addressOf(names.swept))).toEqual([]);
  },
);
