import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownMysql, ownPostgres } from "../../packages/kysely/test/servers.ts";
import {
  client,
  signInThere as signInAt,
  startProviderServer,
  type ProviderPerson,
  type ProviderServer,
} from "../../packages/testing/src/test-provider.ts";
import { text, type Json } from "../support/api.ts";
import { authorize, managerToken, visit, type Cookies } from "./support/client.ts";
import { callback } from "./support/people.ts";
import { prepareServers, type ServerProcess, type Servers } from "./support/processes.ts";

let servers: Servers;
let provider: ProviderServer;
beforeAll(async () => {
  [servers, provider] = await Promise.all([prepareServers(), startProviderServer(Date.now)]);
});
afterAll(() => Promise.all([servers.close(), provider.close()]));

const many = Array.from({ length: 32 }, (_, i) => i);

/** Somebody who comes back from the provider. */
interface Return {
  readonly cookies: Cookies;
  /** The path and query that the provider sends them to. */
  readonly path: string;
}

/** What must hold of sign-ins at a provider that come at once, through two processes that share one database. */
function oneAccount(databaseUrl: () => string, drop: () => unknown): void {
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
      await manage("PATCH", `connections/${text(connection, "id")}/clients`, [{ client_id: "app", status: true }]);
    }
  });
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.stop()));
    await drop();
  });

  const manage = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) };
    const response = await fetch(`${at(0)}/api/v2/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect({ path, ok: response.ok }).toEqual({ path, ok: true });
    return response.status === 204 ? {} : ((await response.json()) as Json);
  };
  const users = (q: string): Promise<Json> => manage("GET", `users?${new URLSearchParams({ q })}`);

  /** Goes to the provider and signs in there as somebody; the answer is not brought back yet. */
  const signInThere = async (i: number, person: ProviderPerson, connection = "fieldnotes"): Promise<Return> => {
    const cookies: Cookies = new Map();
    const { loginSession } = await authorize(at(i), cookies, "app");
    if (loginSession === undefined) throw new Error("nobody is asked");
    const { state, csrf } = loginSession;
    const left = await visit(`${at(i)}/u/flow`, cookies, { state, csrf, action: "continue-with", connection });
    const { redirect_to: there } = (await left.json()) as { redirect_to: string };
    const { pathname, search } = new URL(await signInAt(there, person));
    return { cookies, path: pathname + search };
  };

  /** Brings an answer of the provider back. @returns whether the person is sent on to the app. */
  const comeBack = async (i: number, { cookies, path }: Return): Promise<boolean> => {
    const response = await visit(at(i) + path, new Map(cookies));
    await response.arrayBuffer();
    return response.headers.get("location")?.startsWith(`${callback}?code=`) === true;
  };

  test("of thirty-two answers with one state one is looked at, and there is one account", async () => {
    const back = await signInThere(0, { sub: "rex", email: "rex@people.example", email_verified: true });
    const before = provider.shown();
    await Promise.all(many.map((i) => comeBack(i, back)));
    expect(provider.shown() - before).toBe(1);
    expect(await users("email:rex@people.example")).toMatchObject([{ logins_count: 1 }]);
  });

  test("of thirty-two first logins of one person all sign in, to one account", async () => {
    const claims = { sub: "sam", email: "sam@people.example", email_verified: true };
    const backs = await Promise.all(many.map((i) => signInThere(i, claims)));
    const entered = await Promise.all(backs.map((back, i) => comeBack(i, back)));
    expect(entered.filter(Boolean)).toHaveLength(32);
    expect(await users("email:sam@people.example")).toMatchObject([{ logins_count: 32 }]);
  });

  test("of thirty-two first logins that are linked to the account of the address all sign in, to that", async () => {
    const email = "lea@staff.example";
    const lea = { sub: "lea", email, email_verified: true };
    // A provider that is authoritative for the address proves it.
    await comeBack(0, await signInThere(0, lea, "colleagues"));
    const backs = await Promise.all(many.map((i) => signInThere(i, lea)));
    const entered = await Promise.all(backs.map((back, i) => comeBack(i, back)));
    expect(entered.filter(Boolean)).toHaveLength(32);
    const found = await users(`email:${email}`);
    expect(found).toMatchObject([{ logins_count: 33, identities: [{ connection: "colleagues" }, { connection: "fieldnotes" }] }]);
    expect(found).toHaveLength(1);
  });
}

describe("on SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-upstream-"));
  oneAccount(
    () => `sqlite:${join(folder, "postern.db")}`,
    () => rmSync(folder, { recursive: true }),
  );
});

describe("on PostgreSQL", async () => {
  const { url, drop } = await ownPostgres("races_upstream");
  oneAccount(() => url, drop);
});

describe("on MariaDB", async () => {
  const { url, drop } = await ownMysql("races_upstream");
  oneAccount(() => url, drop);
});
