import type { ServiceContext } from "../../context.ts";
import { createElapsed } from "../../adapters/clock.ts";
import type { DatabaseIsolation } from "../../adapters/database-isolation.ts";
import type { DataAdapter } from "../../store/contract.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { shareWork, type SharedWork } from "../../telemetry/shared-work.ts";
import { DatabaseOpener, databaseTimeout, type OpenedDatabase } from "./database-opener.ts";

const defaultMaxOpen = 100;
const defaultIdleSeconds = 300;

interface Entry {
  readonly opening: SharedWork<OpenedDatabase>;
  /** Calls in progress. */
  calls: number;
  usedAt: number;
  /** Whether the database stays open after the last call. */
  staysOpen: boolean;
  /** Called when the last call has ended. */
  onIdle: (() => void) | undefined;
}

/**
 * The open databases of tenants. A database is opened by the first call on it. It is closed after it was idle for a
 * while, or when more than `maxOpen` databases are open, but never during a call. More than `maxOpen` databases are
 * open only while more are in use, so a tenant whose database hangs does not block other tenants.
 */
export class OpenTenantDatabases {
  readonly #opener: DatabaseOpener;
  readonly #isolation: DatabaseIsolation;
  readonly #elapsed: () => number;
  readonly #context: Pick<ServiceContext, "host" | "secrets">;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  /** Databases that are being closed, by tenant. Each can be opened again only after it was closed. */
  readonly #closing = new Map<string, Promise<void>>();

  constructor(first: DataAdapter, isolation: DatabaseIsolation, context: Pick<ServiceContext, "host" | "secrets">) {
    this.#opener = new DatabaseOpener(first, isolation, context);
    this.#isolation = isolation;
    this.#elapsed = createElapsed(context.host.clock);
    this.#context = context;
  }

  /** Runs a call on a tenant's database, which stays open during the call and for later calls. */
  run<T>(tenantId: string, call: (adapter: OpenedDatabase) => Promise<T>): Promise<T> {
    return this.#hold(tenantId, true, call);
  }

  /**
   * Runs a call on a tenant's database without evicting another open database. If the database was not open before, it
   * is closed afterwards.
   */
  visit<T>(tenantId: string, call: (adapter: OpenedDatabase) => Promise<T>): Promise<T> {
    return this.#hold(tenantId, false, call);
  }

  /** Closes databases that were idle for a while. */
  async closeIdle(): Promise<void> {
    this.#closeIdle();
    await Promise.all(this.#closing.values());
  }

  /** Closes a tenant's database after its calls in progress, and forgets cached facts about it. */
  async close(tenantId: string): Promise<void> {
    this.#opener.forget(tenantId);
    const entry = this.#entries.get(tenantId);
    if (entry !== undefined) this.#retire(tenantId, entry);
    await this.#closing.get(tenantId);
  }

  /** Closes all databases, each after its calls in progress, and forgets cached facts about them. */
  async closeAll(): Promise<void> {
    this.#opener.forgetAll();
    for (const [tenantId, entry] of this.#entries) this.#retire(tenantId, entry);
    await Promise.all(this.#closing.values());
  }

  async #hold<T>(tenantId: string, staysOpen: boolean, call: (adapter: OpenedDatabase) => Promise<T>): Promise<T> {
    const entry = this.#entries.get(tenantId) ?? this.#begin(tenantId);
    entry.calls++;
    entry.staysOpen ||= staysOpen;
    this.#touch(tenantId, entry);
    if (entry.staysOpen) this.#shrink();
    this.#closeIdle();
    try {
      return await call(await entry.opening.join());
    } finally {
      entry.calls--;
      if (entry.calls === 0) entry.onIdle?.();
      if (this.#entries.get(tenantId) === entry) {
        entry.usedAt = this.#elapsed();
        if (!entry.staysOpen && entry.calls === 0) this.#retire(tenantId, entry);
        else this.#touch(tenantId, entry);
        this.#shrink();
      }
    }
  }

  #touch(tenantId: string, entry: Entry): void {
    entry.usedAt = this.#elapsed();
    this.#entries.delete(tenantId);
    this.#entries.set(tenantId, entry);
  }

  #begin(tenantId: string): Entry {
    const open = () => this.#opener.open(tenantId, this.#closing.get(tenantId));
    const opening = shareWork(this.#context.host.telemetry, "open database", open);
    const entry: Entry = { opening, calls: 0, usedAt: 0, staysOpen: false, onIdle: undefined };
    this.#entries.set(tenantId, entry);
    opening.result.catch(() => {
      if (this.#entries.get(tenantId) === entry) this.#entries.delete(tenantId);
    });
    return entry;
  }

  /** Closes idle databases until at most `maxOpen` are open, the least recently used first. */
  #shrink(): void {
    const { maxOpen = defaultMaxOpen } = this.#isolation;
    let surplus = this.#entries.size - maxOpen;
    if (surplus <= 0) return;
    for (const [tenantId, entry] of this.#entries) {
      if (entry.calls > 0) continue;
      this.#retire(tenantId, entry);
      if (--surplus === 0) return;
    }
  }

  #closeIdle(): void {
    const { idleSeconds = defaultIdleSeconds } = this.#isolation;
    const before = this.#elapsed() - idleSeconds * 1000;
    for (const [tenantId, entry] of this.#entries) {
      if (entry.usedAt >= before) return;
      if (entry.calls === 0) this.#retire(tenantId, entry);
    }
  }

  /** Removes a database from use, and closes it after its calls in progress. */
  #retire(tenantId: string, entry: Entry): void {
    this.#entries.delete(tenantId);
    const closed = this.#closeEntry(tenantId, entry).finally(() => {
      if (this.#closing.get(tenantId) === closed) this.#closing.delete(tenantId);
    });
    this.#closing.set(tenantId, closed);
  }

  async #closeEntry(tenantId: string, entry: Entry): Promise<void> {
    await this.#closing.get(tenantId);
    if (entry.calls > 0) {
      const onIdle = new Promise<void>((resolve) => (entry.onIdle = resolve));
      // A call that never ends must not prevent the deletion of a tenant.
      await withDeadline(() => onIdle, databaseTimeout, "a call to a database", this.#context.host.wait).catch(() => {});
    }
    // A database that failed to open need not be closed, and its callers received the error.
    const adapter = await entry.opening.result.catch(() => undefined);
    if (adapter !== undefined) await this.#opener.shut(tenantId, adapter);
  }
}
