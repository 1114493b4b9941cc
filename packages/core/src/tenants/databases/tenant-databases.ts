import type { ServiceContext } from "../../context.ts";
import { createElapsed } from "../../adapters/clock.ts";
import type { DatabaseIsolation } from "../../adapters/database-isolation.ts";
import type { DataAdapter } from "../../store/contract.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { DatabaseOpener, patience, type Opened } from "./database-opener.ts";

const defaultMaxOpen = 100;
const defaultIdleSeconds = 300;

interface Entry {
  readonly adapter: Promise<Opened>;
  /** Questions that are open. */
  asked: number;
  usedAt: number;
  /** Whether it stays open for the next question. */
  kept: boolean;
  /** Told when the last question has its answer. */
  freed: (() => void) | undefined;
}

/**
 * The open databases of tenants. Each is opened by its first question, and closed when nobody has asked it anything for a while or others need its place, never
 * while a question is open. More than `maxOpen` are open only while more are being asked: a tenant whose database hangs keeps no other from being served.
 */
export class TenantDatabases {
  readonly #opener: DatabaseOpener;
  readonly #isolation: DatabaseIsolation;
  readonly #elapsed: () => number;
  readonly #context: Pick<ServiceContext, "host" | "secrets">;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  /** Databases that are being closed, by tenant: opened again only when that is over. */
  readonly #closing = new Map<string, Promise<void>>();

  constructor(first: DataAdapter, isolation: DatabaseIsolation, context: Pick<ServiceContext, "host" | "secrets">) {
    this.#opener = new DatabaseOpener(first, isolation, context);
    this.#isolation = isolation;
    this.#elapsed = createElapsed(context.host.clock);
    this.#context = context;
  }

  /** Asks something of a tenant's database, which stays open for as long as the answer takes, and for the questions that follow. */
  ask<T>(tenantId: string, question: (adapter: Opened) => Promise<T>): Promise<T> {
    return this.#hold(tenantId, true, question);
  }

  /** Asks something of a tenant's database without taking the place of one that is in use: what was not open before is closed afterwards. */
  visit<T>(tenantId: string, question: (adapter: Opened) => Promise<T>): Promise<T> {
    return this.#hold(tenantId, false, question);
  }

  /** Closes what nobody has asked anything for a while. */
  async closeIdle(): Promise<void> {
    this.#closeIdle();
    await Promise.all(this.#closing.values());
  }

  /** Closes a tenant's database when the questions to it have their answers, and forgets what is known of it. */
  async close(tenantId: string): Promise<void> {
    this.#opener.forget(tenantId);
    const entry = this.#entries.get(tenantId);
    if (entry !== undefined) this.#retire(tenantId, entry);
    await this.#closing.get(tenantId);
  }

  /** Closes all, each when the questions to it have their answers, and forgets what is known of them. */
  async closeAll(): Promise<void> {
    this.#opener.forgetAll();
    for (const [tenantId, entry] of this.#entries) this.#retire(tenantId, entry);
    await Promise.all(this.#closing.values());
  }

  async #hold<T>(tenantId: string, keep: boolean, question: (adapter: Opened) => Promise<T>): Promise<T> {
    const entry = this.#entries.get(tenantId) ?? this.#begin(tenantId);
    entry.asked++;
    entry.kept ||= keep;
    this.#touch(tenantId, entry);
    if (entry.kept) this.#shrink();
    this.#closeIdle();
    try {
      return await question(await entry.adapter);
    } finally {
      entry.asked--;
      if (entry.asked === 0) entry.freed?.();
      if (this.#entries.get(tenantId) === entry) {
        entry.usedAt = this.#elapsed();
        if (!entry.kept && entry.asked === 0) this.#retire(tenantId, entry);
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
    const adapter = this.#opener.open(tenantId, this.#closing.get(tenantId));
    const entry: Entry = { adapter, asked: 0, usedAt: 0, kept: false, freed: undefined };
    this.#entries.set(tenantId, entry);
    adapter.catch(() => {
      if (this.#entries.get(tenantId) === entry) this.#entries.delete(tenantId);
    });
    return entry;
  }

  /** Gives back the places of those that nobody is asking anything, those that were used longest ago first. */
  #shrink(): void {
    const { maxOpen = defaultMaxOpen } = this.#isolation;
    let surplus = this.#entries.size - maxOpen;
    if (surplus <= 0) return;
    for (const [tenantId, entry] of this.#entries) {
      if (entry.asked > 0) continue;
      this.#retire(tenantId, entry);
      if (--surplus === 0) return;
    }
  }

  #closeIdle(): void {
    const { idleSeconds = defaultIdleSeconds } = this.#isolation;
    const before = this.#elapsed() - idleSeconds * 1000;
    for (const [tenantId, entry] of this.#entries) {
      if (entry.usedAt >= before) return;
      if (entry.asked === 0) this.#retire(tenantId, entry);
    }
  }

  /** Takes a database out of use and closes it, when the questions to it have their answers. */
  #retire(tenantId: string, entry: Entry): void {
    this.#entries.delete(tenantId);
    const closed = this.#closeEntry(tenantId, entry).finally(() => {
      if (this.#closing.get(tenantId) === closed) this.#closing.delete(tenantId);
    });
    this.#closing.set(tenantId, closed);
  }

  async #closeEntry(tenantId: string, entry: Entry): Promise<void> {
    await this.#closing.get(tenantId);
    if (entry.asked > 0) {
      const freed = new Promise<void>((resolve) => (entry.freed = resolve));
      // A question that is never answered does not keep a tenant from being removed.
      await withDeadline(() => freed, patience, "a question", this.#context.host.wait).catch(() => {});
    }
    // One that could not be opened has nothing to close, and whoever asked was told.
    const adapter = await entry.adapter.catch(() => undefined);
    if (adapter !== undefined) await this.#opener.shut(tenantId, adapter);
  }
}
