import { openDatabase } from "@postern/kysely/url";
import { expect } from "vitest";
import type { BundledServers } from "./server-processes.ts";
import { clientSecret } from "./postern.ts";

/** A write that got a response, with the data that must be stored. */
interface ConfirmedWrite {
  readonly requestId: string;
  readonly kind: "create" | "change" | "delete" | "token";
  readonly userId: string;
  readonly key: string;
}

const connection = "Username-Password-Authentication";
const workers = 8;

/**
 * Kills a server repeatedly, each time right after a test client read one of its responses and while other requests are
 * running. Then checks every write that got a response, and its audit row.
 * @returns the number of checked responses.
 */
export async function killUnderLoad(servers: BundledServers, database: string, kills: number): Promise<number> {
  const confirmed: ConfirmedWrite[] = [];
  // A user whose deletion got no response before the crash may exist or not.
  const toDelete = new Set<string>();
  for (let round = 0; round < kills; round++) confirmed.push(...(await runUntilKilled(servers, database, round, toDelete)));

  const data = await openDatabase(database);
  try {
    await data.check();
    const { logs, users } = data.collections;
    const isLogged = new Map<unknown, string>();
    let after: [string] | undefined;
    for (;;) {
      const rows = await logs.find({
        where: { tenant_id: "main" },
        orderBy: { fields: ["log_id"], direction: "asc" },
        limit: 1000,
        ...(after && { after }),
      });
      for (const row of rows) isLogged.set(row.details["request_id"], row.type);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = [last.log_id];
    }
    const deleted = new Set(confirmed.filter(({ kind }) => kind === "delete").map(({ userId }) => userId));
    for (const { kind, requestId, userId, key } of confirmed) {
      expect(isLogged.get(requestId), `the audit row of a ${kind}`).toBe(kind === "token" ? "seccft" : "sapi");
      if (kind === "token") continue;
      const [row] = await users.find({ where: { tenant_id: "main", user_id: userId }, limit: 1 });
      if (deleted.has(userId)) expect(row?.deleting_at ?? 0, "a deleted user").not.toBeNull();
      else if (row !== undefined || !toDelete.has(userId))
        expect(row, `the user of a ${kind}`).toMatchObject(kind === "change" ? { app_metadata: { [key]: true } } : { email: key });
    }
  } finally {
    await data.close();
  }
  return confirmed.length;
}

/** One run of a server: eight callers write, and the server is killed after the n-th response. */
async function runUntilKilled(
  servers: BundledServers,
  database: string,
  round: number,
  toDelete: Set<string>,
): Promise<readonly ConfirmedWrite[]> {
  const server = await servers.start(database);
  const confirmed: ConfirmedWrite[] = [];
  let token = "";
  let killed: Promise<void> | undefined;
  const crashAt = workers + (round % 17);

  /** Sends a write. A response that was read completely before the crash counts. */
  const write = async (
    method: string,
    path: string,
    body: unknown,
  ): Promise<{ readonly body: { readonly [name: string]: unknown }; readonly requestId: string } | undefined> => {
    const response = await fetch(server.origin + path, {
      method,
      headers: { "content-type": "application/json", ...(token !== "" && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (killed !== undefined) return undefined;
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return {
      body: text === "" ? {} : (JSON.parse(text) as { readonly [name: string]: unknown }),
      requestId: response.headers.get("x-request-id") ?? "",
    };
  };
  const record = (response: ConfirmedWrite): void => {
    confirmed.push(response);
    if (confirmed.length >= crashAt) killed ??= server.kill();
  };
  const getToken = async (): Promise<string> => {
    const body = {
      grant_type: "client_credentials",
      client_id: "main-manager",
      client_secret: clientSecret,
      audience: "http://postern.test/api/v2/",
    };
    const response = await write("POST", "oauth/token", body);
    if (response !== undefined) record({ kind: "token", requestId: response.requestId, userId: "", key: "" });
    return String(response?.body["access_token"]);
  };

  const work = async (worker: number): Promise<void> => {
    for (let step = 0; killed === undefined; step++) {
      const email = `r${round}-w${worker}-s${step}@example.test`;
      const created = await write("POST", "api/v2/users", { connection, email });
      if (created === undefined) return;
      const userId = String(created.body["user_id"]);
      record({ kind: "create", requestId: created.requestId, userId, key: email });
      const path = `api/v2/users/${encodeURIComponent(userId)}`;
      if (step % 3 === 0) {
        const changed = await write("PATCH", path, { app_metadata: { [`changed${step}`]: true } });
        if (changed !== undefined) record({ kind: "change", requestId: changed.requestId, userId, key: `changed${step}` });
      } else if (step % 3 === 1) {
        toDelete.add(userId);
        const removed = await write("DELETE", path, undefined);
        if (removed !== undefined) record({ kind: "delete", requestId: removed.requestId, userId, key: "" });
      } else await getToken();
    }
  };

  token = await getToken();
  await Promise.all(
    Array.from({ length: workers }, (_, worker) =>
      work(worker).catch((error: unknown) => {
        // A crash closes the connection; any other error is a failure.
        if (killed === undefined) throw error;
      }),
    ),
  );
  await killed;
  return confirmed;
}
