import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownMysql, ownPostgres } from "../../packages/kysely/test/servers.ts";
import {
  client,
  submitProviderLogin as signInAt,
  startProviderServer,
  type ProviderUser,
  type ProviderServer,
} from "../../packages/testing/src/test-provider.ts";
import { stringMember, type JsonBody } from "../support/api.ts";
import { requestAuthorization, managerToken, visit, type CookieMap } from "./support/client.ts";
import { appCallback } from "./support/fixtures.ts";
import { prepareServers, type ServerProcess, type Servers } from "./support/processes.ts";

let servers: Servers;
let provider: ProviderServer;
beforeAll(async () => {
  [servers, provider] = await Promise.all([prepareServers(), startProviderServer(Date.now)]);
});
afterAll(() => Promise.all([servers.close(), provider.close()]));

const many = Array.from({ length: 32 }, (_, i) => i);

/** A browser with the provider's response that it has not sent to Postern yet. */
interface PendingCallback {
  readonly cookies: CookieMap;
  /** The path and query of the redirect to Postern. */
  readonly path: string;
}

/** Tests parallel sign-ins with an identity provider through two processes that share a database. */
function createsOneAccount(databaseUrl: () => string, drop: () => unknown): void {
  const processes: ServerProcess[] = [];
  let token: string;
  const at = (i: number): string => processes[i % 2]?.origin ?? "";

  beforeAll(async () => {
    for (let i = 0; i < 2; i++) processes.push(await servers.start(databaseUrl()));
    token = await managerToken(at(0));
    for (const name of ["fieldnotes", "colleagues"]) {
      const connection = await manage("POST", "connections", {
        name,
        strategy: "oidc",
        options: {
          issuer: `${provider.origin}/fieldnotes/`,
          client_id: client.id,
          client_secret: client.secret,
          domain_aliases: ["staff.example"],
        },
        show_as_button: true,
      });
      await manage("PATCH", `connections/${stringMember(connection, "id")}/clients`, [{ client_id: "app", status: true }]);
    }
  });
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.stop()));
    await drop();
  });

  const manage = async (method: string, path: string, body?: unknown): Promise<JsonBody> => {
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) };
    const response = await fetch(`${at(0)}/api/v2/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect({ path, ok: response.ok }).toEqual({ path, ok: true });
    return response.status === 204 ? {} : ((await response.json()) as JsonBody);
  };
  const users = (q: string): Promise<JsonBody> => manage("GET", `users?${new URLSearchParams({ q })}`);

  /** Signs in at the provider, without following the redirect back to Postern. */
  const signInAtProvider = async (i: number, person: ProviderUser, connection = "fieldnotes"): Promise<PendingCallback> => {
    const cookies: CookieMap = new Map();
    const { loginSession } = await requestAuthorization(at(i), cookies, "app");
    if (loginSession === undefined) throw new Error("expected a login session");
    const { state, csrf } = loginSession;
    const started = await visit(`${at(i)}/u/flow`, cookies, { state, csrf, action: "continue-with", connection });
    const { redirect_to: providerUrl } = (await started.json()) as { redirect_to: string };
    const { pathname, search } = new URL(await signInAt(providerUrl, person));
    return { cookies, path: pathname + search };
  };

  /** Follows the redirect back to Postern. @returns `true` if Postern redirects to the app with a code. */
  const followCallback = async (i: number, { cookies, path }: PendingCallback): Promise<boolean> => {
    const response = await visit(at(i) + path, new Map(cookies));
    await response.arrayBuffer();
    return response.headers.get("location")?.startsWith(`${appCallback}?code=`) === true;
  };

  test("one of 32 callbacks with the same state is processed, and one account exists", async () => {
    const callbackRequest = await signInAtProvider(0, { sub: "rex", email: "rex@people.example", email_verified: true });
    const before = provider.shown();
    await Promise.all(many.map((i) => followCallback(i, callbackRequest)));
    expect(provider.shown() - before).toBe(1);
    expect(await users("email:rex@people.example")).toMatchObject([{ logins_count: 1 }]);
  });

  test("32 parallel first logins of one user all succeed and create one account", async () => {
    const claims = { sub: "sam", email: "sam@people.example", email_verified: true };
    const callbacks = await Promise.all(many.map((i) => signInAtProvider(i, claims)));
    const signedIn = await Promise.all(callbacks.map((callbackRequest, i) => followCallback(i, callbackRequest)));
    expect(signedIn.filter(Boolean)).toHaveLength(32);
    expect(await users("email:sam@people.example")).toMatchObject([{ logins_count: 32 }]);
  });

  test("32 parallel first logins with a linked email address all succeed and use the existing account", async () => {
    const email = "lea@staff.example";
    const lea = { sub: "lea", email, email_verified: true };
    // The provider is authoritative for the address, so its claim verifies the address.
    await followCallback(0, await signInAtProvider(0, lea, "colleagues"));
    const callbacks = await Promise.all(many.map((i) => signInAtProvider(i, lea)));
    const signedIn = await Promise.all(callbacks.map((callbackRequest, i) => followCallback(i, callbackRequest)));
    expect(signedIn.filter(Boolean)).toHaveLength(32);
    const found = await users(`email:${email}`);
    expect(found).toMatchObject([{ logins_count: 33, identities: [{ connection: "colleagues" }, { connection: "fieldnotes" }] }]);
    expect(found).toHaveLength(1);
  });
}

describe("on SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-upstream-"));
  createsOneAccount(
    () => `sqlite:${join(folder, "postern.db")}`,
    () => rmSync(folder, { recursive: true }),
  );
});

describe("on PostgreSQL", async () => {
  const { url, drop } = await ownPostgres("races_upstream");
  createsOneAccount(() => url, drop);
});

describe("on MariaDB", async () => {
  const { url, drop } = await ownMysql("races_upstream");
  createsOneAccount(() => url, drop);
});
