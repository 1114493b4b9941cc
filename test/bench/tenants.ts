import { createPostern, type Postern, type Seed } from "@postern/core";
import { schema, type AnyRow, type Collection, type DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";

/**
 * What an installation costs by the number of its tenants: `node tenants.mjs fill <database address> <tenants>` makes one, `measure` starts on it, asks for the tenant that was made
 * last, and prints one line of JSON; `sync` copies one more role of the control plane to all tenants.
 */
export interface TenantFigures {
  /** Milliseconds from `createPostern` to the first answer. */
  readonly start: number;
  /** Mebibytes of the heap when all was asked. */
  readonly memory: number;
  /** Medians, in milliseconds, by what was asked. */
  readonly requests: { readonly [question: string]: number };
}

/** What copying to all tenants costs. */
export interface SyncFigures {
  readonly seconds: number;
  /** Mebibytes of the heap at most, over those before it. */
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
  await ask(postern, await token(postern, "main"), "tenants", { id: "model", name: "Model" });
  await postern.seed(manager("model"));
  await copyModel(data, count - 3);
  await ask(postern, await token(postern, "main"), "tenants", { id: last, name: "Last" });
  await postern.seed(manager(last));
}

/** Makes tenants like the model, behind the API's back because it has to be done in seconds. */
async function copyModel({ collections }: DataAdapter, count: number): Promise<void> {
  const [tenant] = await collections.tenants.find({ where: { id: "model" }, limit: 1 });
  const [organization] = await collections.organizations.find({ where: { tenant_id: "main", name: "model" }, limit: 1 });
  if (tenant === undefined || organization === undefined) throw new Error("the model was not made");
  const own = await Promise.all(
    Object.values(schema).map(async ({ name, scope }) => {
      // The row types differ from collection to collection; what is read is written back with other names.
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
    for (const { collection, rows } of own) {
      for (const row of rows) await collection.insert(ids.map((id) => renamed(row, id)));
    }
  }
}

function renamed(row: AnyRow, tenantId: string): AnyRow {
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
  const own = await token(postern, last);
  const start = performance.now() - began;
  const control = await token(postern, "main");
  const questions: { readonly [question: string]: () => Promise<unknown> } = {
    "token of its client": () => token(postern, last),
    "list of its users": () => ask(postern, own, "api/v2/users"),
    "the tenant by its id": () => ask(postern, control, `tenants/${last}`),
    "first 10 tenants, with the total": () => ask(postern, control, "tenants?per_page=10&sort=name:desc"),
    JWKS: () => ask(postern, own, ".well-known/jwks.json"),
  };
  const requests: { [question: string]: number } = {};
  for (const [question, put] of Object.entries(questions)) {
    for (let i = 0; i < 50; i++) await put();
    const times: number[] = [];
    for (let i = 0; i < 200; i++) {
      const from = performance.now();
      await put();
      times.push(performance.now() - from);
    }
    requests[question] = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  }
  globalThis.gc?.();
  return { start, memory: process.memoryUsage().heapUsed / 2 ** 20, requests };
}

async function sync(): Promise<SyncFigures> {
  const postern = create();
  const control = await token(postern, "main");
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let most = before;
  const watch = setInterval(() => {
    globalThis.gc?.();
    most = Math.max(most, process.memoryUsage().heapUsed);
  }, 1000);
  const began = performance.now();
  await ask(postern, control, "api/v2/roles", { name: `Role ${began}` });
  clearInterval(watch);
  return { seconds: (performance.now() - began) / 1000, heap: (most - before) / 2 ** 20 };
}

async function token(postern: Postern, tenantId: string): Promise<string> {
  const body = { grant_type: "client_credentials", client_id: `${tenantId}-manager`, client_secret: secret, audience: `${issuer}api/v2/` };
  // The answer of the token endpoint.
  const { access_token: access } = (await ask(postern, undefined, "oauth/token", body)) as { readonly access_token: string };
  return access;
}

/** Asks, and waits for what goes on after the answer. */
async function ask(postern: Postern, bearer: string | undefined, path: string, body?: object): Promise<unknown> {
  const works: Promise<unknown>[] = [];
  const request = new Request(issuer + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await postern.fetch(request, { waitUntil: (work) => void works.push(work) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const said: unknown = await answer.json();
  await Promise.all(works);
  return said;
}
