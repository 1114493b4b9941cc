import { createMemoryAdapter } from "@postern/memory";
import { createManualClock } from "../src/adapters/clock.ts";
import type { LogEntry } from "../src/adapters/logger.ts";
import type { AnyRow, Collection, Collections } from "../src/store/contract.ts";
import type { Row } from "../src/store/schema.ts";
import type { Value } from "../src/store/value.ts";
import { tenantData, type TenantData } from "../src/store/tenant-data.ts";
import { managementIdentifier } from "../src/tenants/audience.ts";
import { createCache } from "../src/tenants/cache.ts";
import type { Copying } from "../src/tenants/sync/copy-to-tenant.ts";
import { testServiceContext } from "./service-context.ts";

/** A write that has not been executed yet. */
interface Write {
  /** The name of the call: `collection.method`. */
  readonly name: string;
  readonly tenantId: Value | undefined;
}

/** A control plane (`main`) with several tenants, and hooks that are called for each write. */
export interface CopyingService extends Copying {
  readonly logged: LogEntry[];
  /** Called for each write. `run` executes the write. */
  around: (write: Write, run: () => Promise<unknown>) => Promise<unknown>;
  /** Called for each query for tenants, with the number of results. */
  listed: (count: number) => void;
  /** Creates another process that uses the same data. */
  beside(): Copying;
}

/** Creates a {@link CopyingService} in memory. Every query must have an index. */
export async function copyingService(tenantIds: readonly string[], sync = { resourceServers: true, roles: true }): Promise<CopyingService> {
  const clock = createManualClock(0);
  const logged: LogEntry[] = [];
  const inner = createMemoryAdapter({ strict: true });
  const collections = watched(inner.collections, {
    around: (write, run) => service.around(write, run),
    listed: (count) => service.listed(count),
  });
  const process = (): Copying => ({
    cache: createCache(clock),
    collections,
    controlPlaneTenantId: "main",
    sync,
    ...testServiceContext({ clock, host: { logger: { log: (entry) => void logged.push(entry) } } }),
    scope: (tenantId) => tenantData(collections, tenantId),
  });
  const service: CopyingService = {
    ...process(),
    logged,
    around: async (_, run) => run(),
    listed: () => {},
    beside: process,
  };
  for (const id of ["main", ...tenantIds]) {
    const times = { created_at: 0, updated_at: 0, deleting_at: null };
    const settings = { settings: {}, branding: {}, attack_protection: {}, multifactor: {}, member_access: {} };
    const state = { organization_id: null, ready_at: 0, lease_until: 0, counted_until: 0, revision: 0 };
    await inner.collections.tenants.insert([{ id, name: id, friendly_name: id, ...settings, ...state, ...times }]);
    await addApi(service.scope(id), `${id}-system`, managementIdentifier, { is_system: true });
  }
  return service;
}

function watched(inner: Collections, on: Pick<CopyingService, "around" | "listed">): Collections {
  const wrapped = (name: string, collection: Collection): Collection => {
    const write = async <T>(method: string, tenantId: Value | undefined, run: () => Promise<T>): Promise<T> => {
      let result: T | undefined;
      await on.around({ name: `${name}.${method}`, tenantId }, async () => (result = await run()));
      if (result === undefined) throw new Error("a write was not executed");
      return result;
    };
    const tenantOf = (where: AnyRow): Value | undefined => where["tenant_id"];
    return {
      insert: (rows) => write("insert", rows[0]?.["tenant_id"], () => collection.insert(rows)),
      update: (where, change) => write("update", tenantOf(where as AnyRow), () => collection.update(where, change)),
      delete: (where) => write("delete", tenantOf(where as AnyRow), () => collection.delete(where)),
      count: (where) => collection.count(where),
      async find(query) {
        const rows = await collection.find(query);
        if (name === "tenants") on.listed(rows.length);
        return rows;
      },
    };
  };
  const all: [string, Collection][] = Object.entries(inner as unknown as { readonly [name: string]: Collection });
  // Each collection keeps its name, and therefore the type of its rows.
  return Object.fromEntries(all.map(([name, each]) => [name, wrapped(name, each)])) as unknown as Collections;
}

const times = { revision: 0, created_at: 0, updated_at: 0, deleting_at: null };

/** Adds an API to a tenant. */
export async function addApi(data: TenantData, id: string, identifier: string, more: Partial<Row<"resource_servers">> = {}): Promise<void> {
  const row = { id, identifier, name: identifier, is_system: false, origin: null, settings: {}, ...times, ...more };
  if (!(await data.resource_servers.insert([row]))) throw new Error(`${identifier} already exists`);
}

/** Adds a role to a tenant, with permissions for an API. */
export async function addRole(
  data: TenantData,
  id: string,
  name: string,
  gives: readonly (readonly [apiId: string, permission: string])[] = [],
): Promise<void> {
  const row = { id, name, name_folded: name.toLowerCase(), description: "", metadata: {}, is_system: false, origin: null, ...times };
  if (!(await data.roles.insert([row]))) throw new Error(`${name} already exists`);
  for (const [resource_server_id, permission_name] of gives)
    await data.role_permissions.insert([{ role_id: id, resource_server_id, permission_name, created_at: 0 }]);
}

/** Returns all APIs and roles of a tenant, as sorted lists of text. */
export async function holdings(data: TenantData): Promise<{ readonly [kind: string]: readonly string[] }> {
  const limit = 1000;
  const anyDeleting = { deleting_at: { exists: true } } as const;
  const [apis, roles, permissions, dying, dyingRoles] = await Promise.all([
    data.resource_servers.find({ where: {}, limit }),
    data.roles.find({ where: {}, limit }),
    data.role_permissions.find({ where: {}, limit }),
    data.resource_servers.count(anyDeleting),
    data.roles.count(anyDeleting),
  ]);
  const apiName = (id: string): string => apis.find((api) => api.id === id)?.identifier ?? `no API ${id}`;
  const roleName = (id: string): string => roles.find((role) => role.id === id)?.name ?? `no role ${id}`;
  return {
    apis: apis.map(({ identifier, name, settings }) => `${identifier} ${name} ${JSON.stringify(settings)}`).toSorted(),
    roles: roles.map(({ name, name_folded, description }) => `${name} ${name_folded} ${description}`).toSorted(),
    permissions: permissions
      .map((row) => `${roleName(row.role_id)}: ${row.permission_name} of ${apiName(row.resource_server_id)}`)
      .toSorted(),
    dying: [`${dying} ${dyingRoles}`],
  };
}
