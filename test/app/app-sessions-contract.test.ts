import { randomBytes } from "node:crypto";
import { appSessions, type SessionStore, type StoredAppSession } from "@postern/app";
import type { DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

async function openInMemory(url: string): Promise<DataAdapter> {
  const adapter = await openDatabase(url);
  await adapter.migrate();
  return adapter;
}

const session: StoredAppSession = { tenantId: "main", clientId: "app", sid: "s1", sub: "auth0|1", content: "first", expiresAt: 2000 };

describe.each<[string, () => DataAdapter | Promise<DataAdapter>]>([
  ["memory", () => createMemoryAdapter({ strict: true })],
  ["SQLite", () => openInMemory("sqlite::memory:")],
  ["PGlite", () => openInMemory("pglite::memory:")],
])("appSessions in %s", (_, open) => {
  let data: DataAdapter;
  let store: SessionStore;
  let time: number;
  let key: string;
  beforeAll(async () => {
    data = await open();
    store = appSessions(data, { now: () => time });
  });
  beforeEach(() => {
    time = 1000;
    key = randomBytes(32).toString("base64url");
  });
  afterAll(() => data.close?.());

  test("creates a session once, and returns it with its revision", async () => {
    expect(await store.get(key)).toBeUndefined();
    const created = await Promise.all(Array.from({ length: 32 }, (_unused, i) => store.set(key, { ...session, content: String(i) }, 0)));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await store.get(key)).toEqual({ content: String(created.indexOf(true)), revision: 1 });
  });

  test("lets one of 32 parallel calls replace a revision, and returns what it stored", async () => {
    await store.set(key, session, 0);
    const replaced = await Promise.all(Array.from({ length: 32 }, (_unused, i) => store.set(key, { ...session, content: String(i) }, 1)));
    expect(replaced.filter(Boolean)).toHaveLength(1);
    expect(await store.get(key)).toEqual({ content: String(replaced.indexOf(true)), revision: 2 });
    expect(await store.set(key, session, 1)).toBe(false);
    expect(await store.set(key, { ...session, clientId: "other" }, 2)).toBe(false);
  });

  test("does not restore a deleted session, whichever way it was deleted", async () => {
    const owner = { tenantId: "main", clientId: "app" };
    const removals = [
      () => store.delete(key),
      () => store.deleteWhere({ ...owner, sid: "s1" }),
      () => store.deleteWhere({ ...owner, sub: "auth0|1" }),
    ];
    for (const remove of removals) {
      expect(await store.set(key, session, 0)).toBe(true);
      await remove();
      expect([await store.set(key, session, 1), await store.get(key)]).toEqual([false, undefined]);
    }
    await store.delete(key);
  });

  test("neither returns nor replaces an expired session", async () => {
    await store.set(key, session, 0);
    time = 1999;
    expect(await store.get(key)).toBeDefined();
    time = 2000;
    expect(await store.get(key)).toBeUndefined();
    expect(await store.set(key, { ...session, expiresAt: 9000 }, 1)).toBe(false);
  });
});
