import type { ServiceContext } from "../../context.ts";
import { createElapsed } from "../../adapters/clock.ts";
import type { DatabaseIsolation } from "../../adapters/database-isolation.ts";
import type { DataAdapter } from "../../store/contract.ts";
import { UnavailableError } from "../../store/conflicts.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { boundedMap, type BoundedMap } from "../../store/bounded-map.ts";
import { checkSecret } from "../key-ring.ts";
import { assertServes } from "./serves.ts";

/** Milliseconds for opening a database, for closing it, and for waiting for its calls in progress. */
export const databaseTimeout = 10_000;
/**
 * Milliseconds for which a database that failed to open is not opened again. Otherwise each call of each request would
 * wait for another attempt.
 */
const retryInterval = 1000;
/**
 * Milliseconds for which the check of tables and secrets remains valid. Under load, a database may be closed and opened
 * again at once.
 */
const checkLifetime = 60_000;

/** An opened adapter; undefined if the tenant's data is in the first database. */
export type OpenedDatabase = DataAdapter | undefined;

/**
 * Opens the databases of tenants with the host application's factory, checks the adapters that the factory returns, and
 * closes them after use.
 */
export class DatabaseOpener {
  readonly #first: DataAdapter;
  readonly #isolation: DatabaseIsolation;
  readonly #context: Pick<ServiceContext, "host" | "secrets">;
  /** Recent errors from opening the databases of tenants. */
  readonly #failed: BoundedMap<{ readonly error: unknown }>;
  /** The tenants whose tables and secrets were checked recently. */
  readonly #checked: BoundedMap<true>;
  /** The number of tenants per adapter: a host application may return one adapter for several tenants. */
  readonly #served = new Map<DataAdapter, number>();

  constructor(first: DataAdapter, isolation: DatabaseIsolation, context: Pick<ServiceContext, "host" | "secrets">) {
    this.#first = first;
    this.#isolation = isolation;
    this.#context = context;
    const elapsed = createElapsed(context.host.clock);
    this.#failed = boundedMap({ expiry: { lifetime: retryInterval, elapsed } });
    this.#checked = boundedMap({ expiry: { lifetime: checkLifetime, elapsed } });
  }

  /**
   * Opens a tenant's database.
   * @param before a promise to await before the database is opened.
   * @throws {UnavailableError} with its cause, which is also logged. Within a second of a failure it throws at once,
   * without another attempt.
   */
  async open(tenantId: string, before: Promise<void> | undefined): Promise<OpenedDatabase> {
    const failed = this.#failed.get(tenantId);
    if (failed !== undefined) throw failed.error;
    const { logger, wait } = this.#context.host;
    try {
      return await withDeadline(
        (late) => this.#openAndCheck(tenantId, before, late),
        databaseTimeout,
        "databaseIsolation.getAdapters",
        wait,
      );
    } catch (cause) {
      logger.log({ level: "error", event: "database_unavailable", tenant_id: tenantId, error: cause });
      const error = new UnavailableError(`the database of tenant '${tenantId}' cannot be opened`, { cause });
      this.#failed.set(tenantId, { error });
      throw error;
    }
  }

  /** Forgets that a tenant's database failed to open, and that it was checked. */
  forget(tenantId: string): void {
    this.#failed.delete(tenantId);
    this.#checked.delete(tenantId);
  }

  /** Forgets the cached facts about all databases. */
  forgetAll(): void {
    this.#failed.clear();
    this.#checked.clear();
  }

  /** Closes an adapter that serves no other tenant. Errors are only logged. */
  async shut(tenantId: string, adapter: DataAdapter): Promise<void> {
    const { logger, wait } = this.#context.host;
    const others = (this.#served.get(adapter) ?? 1) - 1;
    if (others > 0) return void this.#served.set(adapter, others);
    this.#served.delete(adapter);
    try {
      await withDeadline(async () => adapter.close?.(), databaseTimeout, "close", wait);
    } catch (error) {
      logger.log({ level: "warn", event: "database_not_closed", tenant_id: tenantId, error });
    }
  }

  async #openAndCheck(tenantId: string, before: Promise<void> | undefined, late: AbortSignal): Promise<OpenedDatabase> {
    await before;
    const adapter = (await this.#isolation.getAdapters(tenantId)) ?? undefined;
    if (adapter === undefined || adapter === this.#first) return undefined;
    this.#served.set(adapter, (this.#served.get(adapter) ?? 0) + 1);
    try {
      assertServes(adapter, this.#first);
      if (this.#checked.get(tenantId) === undefined) {
        await adapter.check?.();
        await checkSecret(adapter.collections, this.#context.secrets.sealer);
        this.#checked.set(tenantId, true);
      }
      late.throwIfAborted();
      return adapter;
    } catch (error) {
      await this.shut(tenantId, adapter);
      throw error;
    }
  }
}
