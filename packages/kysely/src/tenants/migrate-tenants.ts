import type { DataAdapter } from "@postern/core/adapter";
import type { SqlAdapter } from "../adapter.ts";

/** Options of {@link migrateTenants}. */
export interface MigrateTenantsOptions {
  /** The main database, which contains the list of tenants. Call its `data.migrate()` before `migrateTenants`. */
  readonly data: Pick<DataAdapter, "collections">;
  /** Opens a tenant's database. Returns undefined if the tenant's data is in the main database. */
  readonly open: (tenantId: string) => SqlAdapter | undefined | Promise<SqlAdapter | undefined>;
  /** The tenant id of the control plane, whose data is in the main database. */
  readonly controlPlaneId?: string;
  /** The maximum number of databases that are migrated at the same time. Default 4. */
  readonly atATime?: number;
  /** Called after the database of each tenant was processed. */
  readonly onProgress?: (progress: TenantProgress) => void;
}

/** The result for the database of one tenant. */
export interface TenantProgress {
  readonly tenantId: string;
  /** The migrations that this call ran. Empty if the database was up to date or if the migration failed. */
  readonly applied: readonly string[];
  /** The error, if the migration failed. */
  readonly error?: unknown;
  /** The number of tenants that were processed so far, including this one. */
  readonly done: number;
  /** The number of tenants when the migration started. */
  readonly total: number;
}

/** The result of {@link migrateTenants}. */
export interface MigrateTenantsResult {
  /** The number of databases that this call migrated. */
  readonly migrated: number;
  /** The number of databases that were up to date. */
  readonly upToDate: number;
  /**
   * The tenants whose databases could not be opened or migrated, with their errors, ordered by tenant id. Fix the
   * causes and call `migrateTenants` again.
   */
  readonly failed: readonly { readonly tenantId: string; readonly error: unknown }[];
}

const page = 100;

/**
 * Migrates the databases of all tenants to the schema of this version, several at a time. If one database fails, the
 * others are still migrated. Each database records the migrations that ran on it, so an interrupted call can be
 * repeated, and several processes may call this function at the same time.
 *
 * @example
 * const open = (tenantId: string) => tenants.open(tenantId);
 * const { failed } = await migrateTenants({ data, open, controlPlaneId: "main" });
 */
export async function migrateTenants({
  data,
  open,
  controlPlaneId,
  atATime = 4,
  onProgress,
}: MigrateTenantsOptions): Promise<MigrateTenantsResult> {
  const total = await data.collections.tenants.count(existing);
  const failed: { readonly tenantId: string; readonly error: unknown }[] = [];
  let [done, migrated, upToDate] = [0, 0, 0];

  const migrateOne = async (tenantId: string): Promise<void> => {
    let applied: readonly string[] = [];
    let failure: { readonly error: unknown } | undefined;
    try {
      applied = tenantId === controlPlaneId ? [] : await migrateAt(open, tenantId);
      if (applied.length > 0) migrated++;
      else upToDate++;
    } catch (error) {
      failure = { error };
      failed.push({ tenantId, error });
    }
    onProgress?.({ tenantId, applied, done: ++done, total, ...failure });
  };

  const tenantIds = idsOf(data);
  // All workers take tenants from one shared iterator.
  const work = async (): Promise<void> => {
    for (let next = await tenantIds.next(); next.done !== true; next = await tenantIds.next()) await migrateOne(next.value);
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return { migrated, upToDate, failed: failed.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1)) };
}

async function migrateAt(open: MigrateTenantsOptions["open"], tenantId: string): Promise<readonly string[]> {
  const adapter = await open(tenantId);
  if (adapter === undefined) return [];
  try {
    return (await adapter.migrate()).applied;
  } finally {
    await adapter.close();
  }
}

/** Matches the active tenants. A tenant that is being created or deleted may have no database. */
const existing = { deleting_at: null, ready_at: { exists: true } } as const;

async function* idsOf({ collections }: Pick<DataAdapter, "collections">): AsyncGenerator<string, void> {
  for (let after = ""; ;) {
    const rows = await collections.tenants.find({
      where: { ...existing, id: { gt: after } },
      orderBy: { fields: ["id"], direction: "asc" },
      limit: page,
      fields: ["id"],
    });
    for (const { id } of rows) yield (after = id);
    if (rows.length < page) return;
  }
}
