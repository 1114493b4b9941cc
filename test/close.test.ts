import type { LogEntry } from "@postern/core";
import type { AnyRow, Collection, Collections, DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { createTestPostern } from "./support/postern.ts";

/** A data store whose queries for users wait until `release` is called. */
function blockedUsers() {
  const inner = createMemoryAdapter();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const users = inner.collections.users as unknown as Collection<AnyRow>;
  const blocked: Collection<AnyRow> = { ...users, find: (query) => released.then(() => users.find(query)) };
  const data: DataAdapter = { ...inner, collections: { ...inner.collections, users: blocked } as unknown as Collections };
  return { data, release };
}

test("close() lets requests in progress finish and rejects new ones with 503", async () => {
  const { data, release } = blockedUsers();
  const service = await createTestPostern({ data });
  const token = await service.token();
  const inProgress = service.call("GET", "/api/v2/users", { token });
  let isClosed = false;
  const closed = service.postern.close().then(() => (isClosed = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isClosed).toBe(false);

  const rejected = await service.call("GET", "/.well-known/jwks.json");
  expect(rejected).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
  expect([rejected.headers.get("retry-after"), rejected.headers.get("connection")]).toEqual(["1", "close"]);

  release();
  expect(await inProgress).toMatchObject({ status: 200 });
  await closed;
});

test("close() stops waiting at its deadline and logs what had not ended", async () => {
  const { data } = blockedUsers();
  const entries: LogEntry[] = [];
  const service = await createTestPostern({ data, logger: { log: (entry) => void entries.push(entry) } });
  const token = await service.token();
  void service.call("GET", "/api/v2/users", { token });
  await new Promise((resolve) => setTimeout(resolve, 20));
  await service.postern.close({ deadlineMs: 50 });
  expect(entries).toContainEqual({ level: "warn", event: "close_incomplete", unfinished: 1 });
});

test("close() waits for emails that are sent after the response", async () => {
  let isSent = false;
  const mail = { send: () => new Promise<void>((resolve) => setTimeout(() => ((isSent = true), resolve()), 100)) };
  const service = await createTestPostern({ messages: { mail } });
  const token = await service.token();
  const user = { connection: "Username-Password-Authentication", email: "ada@example.test", password: "correct horse battery" };
  const request = new Request(`${service.postern.issuer}api/v2/users`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...user, verify_email: true }),
  });
  // Without the helper's own `waitUntil`.
  const created = service.postern.fetch(request, { clientAddress: "192.0.2.1" });
  expect((await created).status).toBe(201);
  await service.postern.close();
  expect(isSent).toBe(true);
});

test("close() stores the counts of repeated failures", async () => {
  const service = await createTestPostern();
  const body = { grant_type: "client_credentials", client_id: "main-manager", client_secret: "wrong" };
  const failures = 70;
  for (let i = 0; i < failures; i++) await service.call("POST", "/oauth/token", { body });
  const rowsBefore = await service.data.collections.logs.count({ tenant_id: "main", type: "feccft" });
  await service.postern.close();
  const rowsAfter = await service.data.collections.logs.count({ tenant_id: "main", type: "feccft" });
  expect(rowsBefore).toBe(60);
  expect(rowsAfter).toBeGreaterThan(rowsBefore);
});
