import { createPostern } from "@postern/core";
import pg from "pg";
import type { SqlAdapter } from "@postern/kysely";
import { openDatabase } from "@postern/kysely/url";
import { consolePages } from "./console-pages.ts";
import { fillWithUsers } from "./users.ts";

/**
 * Measures lists in a large and in a small tenant of one database: `node scale.mjs <database URL> <large>
 * lists|searches|console`.
 * Sends requests one after the other to the public `fetch`. Prints medians in milliseconds as one line of JSON.
 */
export interface Scale {
  readonly [question: string]: { readonly small: number; readonly large: number };
}

const [, , address = "", large = "", kind = "lists"] = process.argv;
const issuer = "http://127.0.0.1:3000/";
const secret = "a-client-secret-that-is-long-enough-for-a-benchmark";
const data = await openDatabase(address);
await data.migrate();
const small = await tenant(data, "small", 1000);
const big = await tenant(data, "large", Number(large));
if (address.startsWith("postgres")) await vacuum();

interface Measurements {
  readonly [name: string]: (ask: GetPath) => Promise<() => Promise<unknown>>;
}

const lists: Measurements = {
  "first page of 50": async (ask) => () => ask("users?per_page=50"),
  "page of 50 by cursor": async (ask) => {
    const { next } = (await ask("users?take=50")) as { readonly next: string };
    return () => ask(`users?take=50&from=${encodeURIComponent(next)}`);
  },
  "page 10 of 50, by name": async (ask) => () => ask("users?per_page=50&page=10&sort=name:1"),
  "page of 50 with totals": async (ask) => () => ask("users?per_page=50&include_totals=true"),
  'page of 50 for q=app_metadata.plan:"gold"': async (ask) => () =>
    ask(`users?per_page=50&q=${encodeURIComponent('app_metadata.plan:"gold"')}`),
  "the same with totals": async (ask) => () =>
    ask(`users?per_page=50&include_totals=true&q=${encodeURIComponent('app_metadata.plan:"gold"')}`),
};

/** Returns a search whose results are sorted by `created_at`, which is not the searched field. */
const search =
  (q: string): Measurements[string] =>
  async (ask) =>
  () =>
    ask(`users?per_page=50&include_totals=true&q=${encodeURIComponent(q)}`);

const searches: Measurements = {
  'q=email:"…" with totals': search('email:"person777@example.com"'),
  "q=email:…* with totals": search("email:person77*"),
  'q=name:"…" with totals': search('name:"Person 777"'),
  'q=user_id:"…" with totals': search('user_id:"Username-Password-Authentication|0000000000"'),
  "q=last_login:[…] with totals": search("last_login:[2025-01-02T00:00:00Z TO 2025-01-02T00:10:00Z]"),
};

const measurements: Measurements = kind === "searches" ? searches : kind === "console" ? consolePages : lists;

const scale: { [question: string]: { small: number; large: number } } = {};
for (const [name, prepareRequest] of Object.entries(measurements)) {
  const [first, second] = [await prepareRequest(small), await prepareRequest(big)];
  for (const ask of [first, second]) for (let i = 0; i < 30; i++) await ask();
  const times: { small: number[]; large: number[] } = { small: [], large: [] };
  // The tenants alternate, so that other load on the machine affects both.
  for (let i = 0; i < 40; i++) {
    times.small.push(await measureTime(first));
    times.large.push(await measureTime(second));
  }
  scale[name] = { small: median(times.small), large: median(times.large) };
}
process.stdout.write(`${JSON.stringify(scale)}\n`);
await data.close();

type GetPath = (path: string) => Promise<unknown>;

async function tenant(data: SqlAdapter, tenantId: string, users: number): Promise<GetPath> {
  const postern = createPostern({
    issuer,
    data,
    crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
    defaultTenantId: tenantId,
  });
  const clientId = `${tenantId}-manager`;
  const settings = { name: "Bench", app_type: "non_interactive" } as const;
  await postern.seed({ tenantId, clients: [{ clientId, secret, settings, managesTenant: true }] });
  await fillWithUsers(data, tenantId, users);
  const response = await postern.fetch(
    new Request(`${issuer}oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "client_credentials", client_id: clientId, client_secret: secret, audience: `${issuer}api/v2/` }),
    }),
  );
  const { access_token: token } = (await response.json()) as { readonly access_token: string };
  return async (path) => {
    const answer = await postern.fetch(new Request(`${issuer}api/v2/${path}`, { headers: { authorization: `Bearer ${token}` } }));
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

/** Runs a vacuum, which PostgreSQL's autovacuum would run some time after this number of inserts. */
async function vacuum(): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query("vacuum analyze");
  await client.end();
}

async function measureTime(ask: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await ask();
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
