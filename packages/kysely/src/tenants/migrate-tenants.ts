import type { DataAdapter } from "@postern/core/adapter";
import type { SqlAdapter } from "../adapter.ts";

/** Options of {@link migrateTenants}. */
export interface MigrateTenantsOptions {
  /** The first database, which has the list of tenants. Its own tables are brought up to date before: `data.migrate()`. */
  readonly data: Pick<DataAdapter, "collections">;
  /** Opens a tenant's database; undefined where its data is in the first one. */
  readonly open: (tenantId: string) => SqlAdapter | undefined | Promise<SqlAdapter | undefined>;
  /** The control plane's tenant: its data is in the first database. */
  readonly controlPlaneId?: string;
  /** How many databases are migrated at a time. Default 4. */
  readonly atATime?: number;
  /** Told of each tenant when its turn is over. */
  readonly onProgress?: (progress: TenantProgress) => void;
}

/** What became of one tenant's database. */
export interface TenantProgress {
  readonly tenantId: string;
  /** The migrations that ran now; empty where there was nothing to do, and where it failed. */
  readonly applied: readonly string[];
  /** What it failed with. */
  readonly error?: unknown;
  /** Tenants whose turn is over, this one among them. */
  readonly done: number;
  /** Tenants there were when it began. */
  readonly total: number;
}

/** What a call of {@link migrateTenants} did. */
export interface MigrateTenantsResult {
  /** Databases that were brought up to date. */
  readonly migrated: number;
  /** Databases that were already. */
  readonly upToDate: number;
  /** Tenants whose databases could not be opened or migrated, with what they failed with, in the order of their ids. Call again when the reason is mended. */
  readonly failed: readonly { readonly tenantId: string; readonly error: unknown }[];
}

const page = 100;

/**
 * Brings the databases of all tenants to what this version needs, several at a time. One that fails keeps no other from its turn. Each database knows itself what has run
 * in it: a call that follows one that was killed passes over what is done, and any number of processes may do this at once.
 *
 * @example
 * const { failed } = await migrateTenants({ data, open: (tenantId) => tenants.open(tenantId), controlPlaneId: "main" });
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
  // One walk, from which each worker takes the next.
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

/** Tenants that are there: what is being made, and what is being removed, may have no database. */
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
