import type { LogEntry } from "@postern/core";
import { schema, type AnyRow, type Collection, type DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { list, jsonBody, stringMember, type JsonBody, type Manager } from "./api.ts";
import { clientSecret, managementAudience, type TestPostern } from "./postern.ts";

/** Collections that store past events on purpose. */
const history = new Set(["logs", "daily_statistics", "revoked_grants", "tenant_operations", "tenant_operation_events"]);

const tenantIds = ["main", "other", "acme"];

/**
 * Returns every row of these tenants, and every row without a tenant, as sorted lines of `collection: row`. Omits the
 * audit log, its statistics, operations and markers of deleted tenants.
 */
export async function allRows({ collections }: DataAdapter): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const { name, scope, key } of Object.values(schema)) {
    if (history.has(name)) continue;
    // The row types differ by collection; here they are serialized.
    const collection = collections[name] as unknown as Collection<AnyRow> | undefined;
    for (const where of scope === "tenant" ? tenantIds.map((id) => ({ tenant_id: id })) : [{ [key[0]]: { gte: "" } }]) {
      const found = await collection?.find({ where, limit: 1000 });
      if (found?.length === 1000) throw new Error(`more rows in ${name} than are compared`);
      for (const row of found ?? []) if (row["kind"] !== "deleted") rows.push(`${name}: ${JSON.stringify(withoutStatistics(row))}`);
    }
  }
  return rows.toSorted();
}

/** `sweep` counts the events of each tenant whenever it runs. */
function withoutStatistics({ counted_until: _, ...row }: AnyRow): AnyRow {
  return row;
}

/** Returns the operations on a tenant as the API returns them, newest first. */
export async function operationsOf(main: Manager, tenantId: string): Promise<readonly JsonBody[]> {
  return list(await main("GET", `/tenants/${tenantId}/operations?per_page=100`), "operations");
}

/** Returns the steps of an operation as `name status`. */
export async function readOperationSteps(main: Manager, operation: JsonBody | undefined): Promise<readonly string[]> {
  const events = list(await main("GET", `/operations/${stringMember(operation ?? {}, "id")}`), "events");
  return events.map(({ name, status }) => `${String(name)} ${String(status)}`);
}

/**
 * Creates a client on the control plane with these Management API scopes. @returns its access token, for an
 * organization or for none.
 */
export async function tokenFor({ call }: TestPostern, main: Manager, scope: readonly string[], organization?: string): Promise<string> {
  const client = await main.create("/api/v2/clients", { name: "Backend", app_type: "non_interactive" });
  const body = { client_id: stringMember(client, "client_id"), audience: managementAudience };
  await main.create("/api/v2/client-grants", { ...body, scope, organization_usage: "allow", allow_any_organization: true });
  const requested = { ...body, grant_type: "client_credentials", client_secret: stringMember(client, "client_secret") };
  return stringMember(
    jsonBody(await call("POST", "/oauth/token", { body: { ...requested, ...(organization !== undefined && { organization }) } })),
    "access_token",
  );
}

/** Seeds a client that manages a tenant. @returns its access token. */
export async function childTenantToken({ postern, call }: Pick<TestPostern, "postern" | "call">, tenantId: string): Promise<string> {
  const clientId = `${tenantId}-manager`;
  const settings = { name: "Manager", app_type: "non_interactive" } as const;
  await postern.seed({ tenantId, clients: [{ clientId, secret: clientSecret, settings, managesTenant: true }] });
  const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, audience: managementAudience };
  return stringMember(jsonBody(await call("POST", "/oauth/token", { body })), "access_token");
}

/** Returns the id of the control plane's organization that represents a tenant. */
export async function organizationOf(main: Manager, tenantId: string): Promise<string> {
  return stringMember(jsonBody(await main("GET", `/api/v2/organizations/name/${tenantId}`)), "id");
}

/**
 * A store that loses a chosen write and every later one, as in a crash. Writes of audit rows are not counted, because
 * nothing depends on them.
 */
interface CrashingStore {
  readonly data: DataAdapter;
  /** The names of the writes since the last {@link CrashingStore.crashAt}. */
  readonly writes: readonly string[];
  /** Makes the store lose this write, counted from 1, and every later one. */
  crashAt(write: number): void;
  /** Makes the store accept writes again, as if another process used the same store. */
  recover(): void;
}

/** Creates a {@link CrashingStore} in memory. */
export function createCrashingStore(): CrashingStore {
  let last = Infinity;
  const writes: string[] = [];
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    if (name === "logs.insert") return run();
    if (writes.push(name) >= last) throw new Error("the process died");
    return run();
  });
  return {
    data,
    writes,
    crashAt(write) {
      writes.length = 0;
      last = write;
    },
    recover() {
      writes.length = 0;
      last = Infinity;
    },
  };
}

/** Creates a logger that stores its entries. */
export function createRecordingLogger(): { readonly entries: readonly LogEntry[]; log(entry: LogEntry): void } {
  const entries: LogEntry[] = [];
  return { entries, log: (entry) => void entries.push(entry) };
}
