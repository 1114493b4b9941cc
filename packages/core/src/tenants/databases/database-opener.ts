import type { ServiceContext } from "../../context.ts";
import { createElapsed } from "../../adapters/clock.ts";
import type { DatabaseIsolation } from "../../adapters/database-isolation.ts";
import type { DataAdapter } from "../../store/contract.ts";
import { UnavailableError } from "../../store/conflicts.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { boundedMap, type BoundedMap } from "../../store/bounded-map.ts";
import { checkSecret } from "../key-ring.ts";
import { assertServes } from "./serves.ts";

/** Milliseconds that opening a database may take, closing it, and waiting for the questions to it. */
export const patience = 10_000;
/** Milliseconds for which a database that could not be opened is not asked for again: a request asks several questions, and others wait. */
const pause = 1000;
/** Milliseconds for which tables and secrets count as looked at: under load a database may be closed and opened again at once. */
const trust = 60_000;

/** What a question is asked of; undefined where the tenant's data is in the first database. */
export type Opened = DataAdapter | undefined;

/** Opens the databases of tenants by the host's factory, looks at what it answers, and closes what it opened. */
export class DatabaseOpener {
  readonly #first: DataAdapter;
  readonly #isolation: DatabaseIsolation;
  readonly #context: Pick<ServiceContext, "host" | "secrets">;
  /** Why the databases of tenants could not be opened a moment ago. */
  readonly #failed: BoundedMap<{ readonly error: unknown }>;
  /** The tenants whose tables and secrets were checked a moment ago. */
  readonly #checked: BoundedMap<true>;
  /** How many tenants each adapter serves: a host may put several into one. */
  readonly #served = new Map<DataAdapter, number>();

  constructor(first: DataAdapter, isolation: DatabaseIsolation, context: Pick<ServiceContext, "host" | "secrets">) {
    this.#first = first;
    this.#isolation = isolation;
    this.#context = context;
    const elapsed = createElapsed(context.host.clock);
    this.#failed = boundedMap({ expiry: { lifetime: pause, elapsed } });
    this.#checked = boundedMap({ expiry: { lifetime: trust, elapsed } });
  }

  /**
   * Opens a tenant's database. @param before what is to be over first.
   * @throws {UnavailableError} with its reason, of which the operator is told; within a second after that at once, and without asking for it again.
   */
  async open(tenantId: string, before: Promise<void> | undefined): Promise<Opened> {
    const failed = this.#failed.get(tenantId);
    if (failed !== undefined) throw failed.error;
    const { logger, wait } = this.#context.host;
    try {
      return await withDeadline((late) => this.#openAndCheck(tenantId, before, late), patience, "databaseIsolation.getAdapters", wait);
    } catch (cause) {
      logger.log({ level: "error", event: "database_unavailable", tenant_id: tenantId, error: cause });
      const error = new UnavailableError(`the database of tenant '${tenantId}' cannot be opened`, { cause });
      this.#failed.set(tenantId, { error });
      throw error;
    }
  }

  /** Forgets that a tenant's database could not be opened, and that it was looked at. */
  forget(tenantId: string): void {
    this.#failed.delete(tenantId);
    this.#checked.delete(tenantId);
  }

  /** Forgets what is known of all. */
  forgetAll(): void {
    this.#failed.clear();
    this.#checked.clear();
  }

  /** Closes an adapter that serves no other tenant. What goes wrong is told to the operator alone. */
  async shut(tenantId: string, adapter: DataAdapter): Promise<void> {
    const { logger, wait } = this.#context.host;
    const others = (this.#served.get(adapter) ?? 1) - 1;
    if (others > 0) return void this.#served.set(adapter, others);
    this.#served.delete(adapter);
    try {
      await withDeadline(async () => adapter.close?.(), patience, "close", wait);
    } catch (error) {
      logger.log({ level: "warn", event: "database_not_closed", tenant_id: tenantId, error });
    }
  }

  async #openAndCheck(tenantId: string, before: Promise<void> | undefined, late: AbortSignal): Promise<Opened> {
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
