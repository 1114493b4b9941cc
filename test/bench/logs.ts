/*
 * Measures a large audit log: `node logs.mjs <database URL> <rows>`. The events of one tenant are spread over 30 days.
 * Prints the figures as one line of JSON.
 */
import Database from "better-sqlite3";
import pg from "pg";
import { createPostern } from "@postern/core";
import { createManualClock } from "@postern/core/testing";
import { openDatabase } from "@postern/kysely/url";

/** The figures of one database. */
export interface LogFigures {
  readonly rows: number;
  /** Bytes per row of the table and of each index. */
  readonly bytes: { readonly [name: string]: number };
  /** Rows per second, inserted in batches as the audit writer does. */
  readonly insertsPerSecond: number;
  /** Medians in milliseconds. */
  readonly requests: { readonly [name: string]: number };
  readonly retention: {
    readonly removed: number;
    readonly seconds: number;
    readonly calls: number;
    /** The duration of the slowest call of `sweep`, in milliseconds. */
    readonly slowestCall: number;
  };
}

const [, , address = "", count = ""] = process.argv;
const rows = Number(count);
const isPostgres = address.startsWith("postgres");
const day = 86_400_000;
const days = 30;
const end = Date.UTC(2026, 0, 31);
const step = (days * day) / rows;
const tenantId = "main";
const issuer = "http://127.0.0.1:3000/";
const secret = "a-client-secret-that-is-long-enough-for-a-benchmark";

const data = await openDatabase(address);
await data.migrate();
const execute = isPostgres ? await openPostgres() : openSqlite();

await fill();
const bytes = await bytesPerRow();
const clock = createManualClock(end);
const postern = createPostern({
  issuer,
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
  defaultTenantId: tenantId,
  logs: { retentionDays: days },
  testing: { clock },
});
const settings = { name: "Bench", app_type: "non_interactive" } as const;
await postern.seed({ tenantId, clients: [{ clientId: "manager", secret, settings, managesTenant: true }] });
const token = await requestToken();
const insertsPerSecond = await measureInserts();
const requests = await measureRequests();
const retention = await measureRetention();
process.stdout.write(`${JSON.stringify({ rows, bytes, insertsPerSecond, requests, retention } satisfies LogFigures)}\n`);
await data.close();
await execute.close();

interface Connection {
  run(sql: string): Promise<unknown>;
  rows(sql: string): Promise<readonly { readonly [column: string]: unknown }[]>;
  close(): Promise<void>;
}

async function openPostgres(): Promise<Connection> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query("set maintenance_work_mem = '1GB'; set synchronous_commit = off");
  return {
    run: (sql) => client.query(sql),
    rows: async (sql) => (await client.query<{ [column: string]: unknown }>(sql)).rows,
    close: () => client.end(),
  };
}

function openSqlite(): Connection {
  const database = new Database(address.replace(/^sqlite:/, ""));
  database.pragma("synchronous = off");
  database.pragma("cache_size = -1000000");
  return {
    run: async (sql) => database.exec(sql),
    rows: async (sql) => database.prepare<[], { [column: string]: unknown }>(sql).all(),
    close: async () => void database.close(),
  };
}

/**
 * Inserts the rows by SQL, without secondary indexes, and then creates the indexes. The ids sort by time, as those of
 * real events do.
 */
async function fill(): Promise<void> {
  const [text, random] = isPostgres ? ["::text", "upper(substr(md5(i::text), 1, 16))"] : ["", "hex(randomblob(8))"];
  const time = `(${end - days * day} + cast(i * ${step} as bigint))`;
  const letters = Array.from(
    { length: 10 },
    (_, i) => `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', cast((${time} >> ${45 - 5 * i}) & 31 as integer) + 1, 1)`,
  );
  const values: { readonly [column: string]: string } = {
    tenant_id: `'${tenantId}'`,
    log_id: [...letters, random].join(" || "),
    date: time,
    // One event in a hundred is a failed login.
    type: "case when i % 100 = 7 then 'fp' when i % 3 = 0 then 's' else 'sertft' end",
    description: "''",
    client_id: `'client' || (i * 7919 % 50)${text}`,
    client_name: "'An application'",
    connection: "'Username-Password-Authentication'",
    connection_id: "'con_01JABCDEFGHJKMNPQRSTVWXYZ0'",
    organization_id: "''",
    organization_name: "''",
    user_id: `'auth0|01JABCDEFGHJKMNPQR' || (i * 7919 % 500000)${text}`,
    user_name: `'person' || (i * 7919 % 500000)${text} || '@example.com'`,
    ip: `'192.0.' || (i * 31 % 100)${text} || '.' || (i * 7919 % 250)${text}`,
    hostname: "'id.example.com'",
    user_agent: "'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'",
    is_mobile: isPostgres ? "false" : "0",
    audience: "'https://api.example.com/'",
    scope: "'openid profile email offline_access'",
    strategy: "'auth0'",
    strategy_type: "'database'",
    details: `'{"request_id":"01JABCDEFGHJKMNPQRSTVWXYZ0","session_id":"01JABCDEFGHJKMNPQRSTVWXYZ0"}'`,
    expires_at: `${time} + ${days * day}`,
  };
  const indexes = await execute.rows(
    isPostgres
      ? "select c.relname as name, pg_get_indexdef(c.oid) as sql from pg_index as x join pg_class as c on c.oid = x.indexrelid where x.indrelid = 'postern_logs'::regclass and not x.indisprimary"
      : "select name, sql from sqlite_master where type = 'index' and tbl_name = 'postern_logs' and sql is not null",
  );
  for (const { name } of indexes) await execute.run(`drop index ${String(name)}`);
  const columns = Object.keys(values).join(", ");
  const chunk = 1_000_000;
  for (let from = 0; from < rows; from += chunk) {
    const last = Math.min(from + chunk, rows) - 1;
    const series = isPostgres
      ? `generate_series(${from}::bigint, ${last}) as s(i)`
      : `(with recursive s(i) as (select ${from} union all select i + 1 from s where i < ${last}) select i from s) as s`;
    await execute.run(`insert into postern_logs (${columns}) select ${Object.values(values).join(", ")} from ${series}`);
  }
  for (const { sql } of indexes) await execute.run(String(sql));
  if (isPostgres) await execute.run("vacuum analyze postern_logs");
}

async function bytesPerRow(): Promise<LogFigures["bytes"]> {
  const sizes = await execute.rows(
    isPostgres
      ? "select relname as name, pg_relation_size(oid) as size from pg_class where oid = 'postern_logs'::regclass or oid in (select indexrelid from pg_index where indrelid = 'postern_logs'::regclass)"
      : "select name, sum(pgsize) as size from dbstat where name in (select name from sqlite_master where tbl_name = 'postern_logs') group by name",
  );
  const nameOf = (name: string): string => (/_pkey$|autoindex/.test(name) ? "primary key" : name.replace(/^postern_logs_/, "index "));
  return Object.fromEntries(sizes.map(({ name, size }) => [nameOf(String(name)), Math.round(Number(size) / rows)]));
}

async function requestToken(): Promise<string> {
  const body = { grant_type: "client_credentials", client_id: "manager", client_secret: secret, audience: `${issuer}api/v2/` };
  const response = await postern.fetch(
    new Request(`${issuer}oauth/token`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  );
  const { access_token: value } = (await response.json()) as { readonly access_token: string };
  return value;
}

async function get(path: string): Promise<unknown> {
  const response = await postern.fetch(new Request(`${issuer}api/v2/${path}`, { headers: { authorization: `Bearer ${token}` } }));
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function measureInserts(): Promise<number> {
  const [like] = await data.collections.logs.find({ where: { tenant_id: tenantId }, limit: 1 });
  if (like === undefined) throw new Error("the log is empty");
  const batches = Array.from({ length: 200 }, (_, batch) =>
    Array.from({ length: 50 }, (_entry, i) => ({
      ...like,
      log_id: `01KG${String(batch).padStart(11, "0")}${String(i).padStart(11, "0")}`,
      date: end,
      user_id: `auth0|01JABCDEFGHJKMNPQR${(batch * 50 + i) * 37}`,
      expires_at: end + days * day,
    })),
  );
  const start = performance.now();
  for (const batch of batches) await data.collections.logs.insert(batch);
  return Math.round(10_000 / ((performance.now() - start) / 1000));
}

async function measureRequests(): Promise<LogFigures["requests"]> {
  const search = (q: string, rest = ""): string => `logs?per_page=50&q=${encodeURIComponent(q)}${rest}`;
  const iso = (time: number): string => new Date(time).toISOString();
  const hour = `date:[${iso(end - 10 * day)} TO ${iso(end - 10 * day + 3_600_000)}]`;
  const [first] = (await get("logs?per_page=1&page=0")) as readonly { readonly log_id: string }[];
  const middle = await execute.rows(
    `select log_id from postern_logs where tenant_id = '${tenantId}' and date >= ${end - 15 * day} order by log_id limit 1`,
  );
  const paths: { readonly [name: string]: string } = {
    "first page of 50": "logs?per_page=50",
    "page of 50 after the event in the middle": `logs?take=50&from=${String(middle[0]?.["log_id"])}`,
    "one event": `logs/${String(first?.log_id)}`,
    "of one user": search('user_id:"auth0|01JABCDEFGHJKMNPQR77777"'),
    "of one user, with totals": search('user_id:"auth0|01JABCDEFGHJKMNPQR77777"', "&include_totals=true"),
    "of one client": search("client_id:client7"),
    "of one client, with totals": search("client_id:client7", "&include_totals=true"),
    "of one type": search("type:fp"),
    "of one type, with totals": search("type:fp", "&include_totals=true"),
    "of one IP address": search('ip:"192.0.7.77"'),
    "of one hour": search(hour),
    "of one hour, with totals": search(hour, "&include_totals=true"),
    "of one type in one hour, with totals": search(`type:fp AND ${hour}`, "&include_totals=true"),
    "all, with totals": "logs?per_page=50&include_totals=true",
  };
  const medians: [string, number][] = [];
  for (const [name, path] of Object.entries(paths)) {
    await get(path);
    const times: number[] = [];
    while (times.length < 11 && times.reduce((sum, time) => sum + time, 0) < 10_000) {
      const start = performance.now();
      await get(path);
      times.push(performance.now() - start);
    }
    medians.push([name, Number((times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0).toFixed(2))]);
  }
  return Object.fromEntries(medians);
}

/** Deletes the events of one day. */
async function measureRetention(): Promise<LogFigures["retention"]> {
  clock.advance(day);
  const start = performance.now();
  let [removed, calls, slowestCall] = [0, 0, 0];
  for (let finished = false; !finished;) {
    const before = performance.now();
    const result = await postern.jobs.sweep();
    ({ finished } = result);
    removed += result.removed;
    calls++;
    slowestCall = Math.max(slowestCall, Math.round(performance.now() - before));
  }
  return { removed, calls, slowestCall, seconds: Math.round((performance.now() - start) / 1000) };
}
