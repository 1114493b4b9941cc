import { createPostern, type Postern, type Seed } from "@postern/core";
import { schema, type AnyRow, type Collection, type DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";

/**
 * Measures how the cost of an installation depends on the number of its tenants. `node tenants.mjs fill <database URL>
 * <tenants>` creates an installation. `measure` starts a service on it, sends requests for the last created tenant, and
 * prints one line of JSON. `sync` copies one more role from the control plane to all tenants.
 */
export interface TenantFigures {
  /** Milliseconds from `createPostern` to the first response. */
  readonly start: number;
  /** The heap in mebibytes after all requests. */
  readonly memory: number;
  /** Medians in milliseconds, by request. */
  readonly requests: { readonly [question: string]: number };
}

/** The cost of copying a resource to all tenants. */
export interface SyncFigures {
  readonly seconds: number;
  /** The maximum growth of the heap, in mebibytes. */
  readonly heap: number;
}

const [, , mode = "", address = "", tenants = ""] = process.argv;
const issuer = "http://127.0.0.1:3000/";
const secret = "a-client-secret-that-is-long-enough-for-a-benchmark";
const last = "zz-last";
const data = await openDatabase(address);
if (mode === "fill") await fill(Number(tenants));
else process.stdout.write(`${JSON.stringify(mode === "sync" ? await sync() : await measure())}\n`);
await data.close();

function create(): Postern {
  return createPostern({
    issuer,
    data,
    crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
    controlPlane: { tenantId: "main" },
  });
}

async function fill(count: number): Promise<void> {
  await data.migrate();
  const postern = create();
  const manager = (tenantId: string): Seed => ({
    tenantId,
    clients: [{ clientId: `${tenantId}-manager`, secret, settings: { name: "Bench", app_type: "non_interactive" }, managesTenant: true }],
  });
  await postern.seed(manager("main"));
  await send(postern, await token(postern, "main"), "tenants", { id: "model", name: "Model" });
  await postern.seed(manager("model"));
  await copyModel(data, count - 3);
  await send(postern, await token(postern, "main"), "tenants", { id: last, name: "Last" });
  await postern.seed(manager(last));
}

/** Inserts copies of the model tenant directly into the database, because the API would take too long. */
async function copyModel({ collections }: DataAdapter, count: number): Promise<void> {
  const [tenant] = await collections.tenants.find({ where: { id: "model" }, limit: 1 });
  const [organization] = await collections.organizations.find({ where: { tenant_id: "main", name: "model" }, limit: 1 });
  if (tenant === undefined || organization === undefined) throw new Error("the model tenant does not exist");
  const tenantToken = await Promise.all(
    Object.values(schema).map(async ({ name, scope }) => {
      // The row types differ between collections. Rows are written back with other ids.
      const collection = collections[name] as unknown as Collection;
      return { collection, rows: scope === "tenant" ? await collection.find({ where: { tenant_id: "model" }, limit: 100 }) : [] };
    }),
  );
  for (let start = 0; start < count; start += 32) {
    const ids = Array.from({ length: Math.min(32, count - start) }, (_, i) => `t-${String(start + i).padStart(6, "0")}`);
    await collections.tenants.insert(ids.map((id) => ({ ...tenant, id, name: id, organization_id: `org_${id}` })));
    await collections.organizations.insert(ids.map((id) => ({ ...organization, id: `org_${id}`, name: id })));
    const now = Date.now();
    await collections.directory.insert(ids.map((id) => ({ kind: "client", value: `${id}-manager`, tenant_id: id, created_at: now })));
    for (const { collection, rows } of tenantToken) {
      for (const row of rows) await collection.insert(ids.map((id) => forTenant(row, id)));
    }
  }
}

function forTenant(row: AnyRow, tenantId: string): AnyRow {
  return {
    ...row,
    tenant_id: tenantId,
    ...("client_id" in row && row["client_id"] === "model-manager" && { client_id: `${tenantId}-manager` }),
  };
}

async function measure(): Promise<TenantFigures> {
  const began = performance.now();
  const postern = create();
  await postern.check();
  const tenantToken = await token(postern, last);
  const start = performance.now() - began;
  const controlToken = await token(postern, "main");
  const measuredRequests: { readonly [question: string]: () => Promise<unknown> } = {
    "token of its client": () => token(postern, last),
    "list of its users": () => send(postern, tenantToken, "api/v2/users"),
    "the tenant by its id": () => send(postern, controlToken, `tenants/${last}`),
    "first 10 tenants, with the total": () => send(postern, controlToken, "tenants?per_page=10&sort=name:desc"),
    JWKS: () => send(postern, tenantToken, ".well-known/jwks.json"),
  };
  const requests: { [question: string]: number } = {};
  for (const [question, sendRequest] of Object.entries(measuredRequests)) {
    for (let i = 0; i < 50; i++) await sendRequest();
    const times: number[] = [];
    for (let i = 0; i < 200; i++) {
      const startedAt = performance.now();
      await sendRequest();
      times.push(performance.now() - startedAt);
    }
    requests[question] = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  }
  globalThis.gc?.();
  return { start, memory: process.memoryUsage().heapUsed / 2 ** 20, requests };
}

async function sync(): Promise<SyncFigures> {
  const postern = create();
  const controlToken = await token(postern, "main");
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let maximum = before;
  const watch = setInterval(() => {
    globalThis.gc?.();
    maximum = Math.max(maximum, process.memoryUsage().heapUsed);
  }, 1000);
  const began = performance.now();
  await send(postern, controlToken, "api/v2/roles", { name: `Role ${began}` });
  clearInterval(watch);
  return { seconds: (performance.now() - began) / 1000, heap: (maximum - before) / 2 ** 20 };
}

async function token(postern: Postern, tenantId: string): Promise<string> {
  const body = { grant_type: "client_credentials", client_id: `${tenantId}-manager`, client_secret: secret, audience: `${issuer}api/v2/` };
  // The response of the token endpoint.
  const { access_token: access } = (await send(postern, undefined, "oauth/token", body)) as { readonly access_token: string };
  return access;
}

/** Sends a request, and waits for the work that continues after the response. */
async function send(postern: Postern, bearer: string | undefined, path: string, body?: object): Promise<unknown> {
  const pending: Promise<unknown>[] = [];
  const request = new Request(issuer + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await postern.fetch(request, { waitUntil: (work) => void pending.push(work) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const content: unknown = await answer.json();
  await Promise.all(pending);
  return content;
}
