import type { Collection } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import type { ManualClock } from "@postern/core/testing";
import { systemWait } from "../../packages/core/src/adapters/wait.ts";
import { withChecks } from "../../packages/core/src/store/checks.ts";
import { collection, id, instant, integer, string, text, type RowOf } from "../../packages/core/src/store/description.ts";
import { attemptDelivery, type DeliveryQueue } from "../../packages/core/src/tenants/delivery/attempt.ts";
import { deliverFromDatabases } from "../../packages/core/src/tenants/delivery/deliver-from-databases.ts";
import { postDelivery, UnsuccessfulResponse } from "../../packages/core/src/tenants/delivery/post.ts";
import type { BatchResult, DeliverySource } from "../../packages/core/src/tenants/delivery/round-robin.ts";
import { testServiceContext } from "../../packages/core/test/service-context.ts";
import { memoryCollection } from "../../packages/memory/src/memory-collection.ts";
import { Table } from "../../packages/memory/src/table.ts";

/** A queue without order, in which each item is a record that expires. */
const notices = collection({
  name: "notices",
  about: "A notice to a destination.",
  scope: "tenant",
  fields: {
    id,
    destination: id,
    state: string(16),
    failures: integer,
    last_error: text,
    next_at: instant,
    leased_until: instant,
    served_at: instant,
    expires_at: instant,
    revision: integer,
  },
  key: ["id"],
  unique: [],
  indexes: [["destination"]],
  acrossTenants: [["state", "destination"]],
  sortable: [],
});

export type QueuedNotice = RowOf<typeof notices> & { readonly tenant_id: string };

/** Opens an empty collection of notices, which several processes can share. */
export function openNotices(): Collection<QueuedNotice> {
  const access = { run: async <T>(work: () => T) => work(), onWrite: () => {} };
  // The checks have validated the rows.
  return withChecks(notices, memoryCollection(notices, new Table(notices), access, true)) as unknown as Collection<QueuedNotice>;
}

/** Returns a notice that is due at once. */
export function noticeOf(members: Pick<QueuedNotice, "id" | "tenant_id" | "destination"> & Partial<QueuedNotice>): QueuedNotice {
  return {
    state: "open",
    failures: 0,
    last_error: "",
    next_at: 0,
    leased_until: 0,
    served_at: 0,
    expires_at: Number.MAX_SAFE_INTEGER,
    revision: 0,
    ...members,
  };
}

const pauses = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];

/** Notices per turn of a destination. */
const batchSize = 5;

/** A token that a destination received. */
export interface Received {
  readonly destination: string;
  readonly id: string;
  /** When the token was made. */
  readonly issuedAt: number;
}

/** A process that delivers notices. */
export interface NoticeProcess {
  deliver(budget?: number): ReturnType<typeof deliverFromDatabases>;
}

/**
 * Opens a process that delivers notices, with waits that are 50 times shorter.
 * @param respond responds for a destination.
 */
export function openNoticeProcess(
  records: Collection<QueuedNotice>,
  clock: ManualClock,
  respond: (received: Received, signal: AbortSignal) => Promise<number>,
): NoticeProcess {
  const { now, host } = testServiceContext({
    clock,
    host: {
      wait: (milliseconds, signal) => systemWait(milliseconds / 50, signal),
      outboundFetch: async (request) => {
        const [notice = "", issuedAt] = (await request.text()).split("@");
        const destination = new URL(request.url).hostname.replace(".test", "");
        return new Response(null, { status: await respond({ destination, id: notice, issuedAt: Number(issuedAt) }, request.signal) });
      },
    },
  });
  const queue: DeliveryQueue<{ readonly state: string }> = {
    destination: "the destination of a notice",
    records,
    open: { state: "open" },
    retry: (failures, error) => (error instanceof UnsuccessfulResponse && error.status === 400 ? undefined : pauses[failures - 1]),
    deadline: 10_000,
    giveUp: "delete",
  };
  const deliverOne = async (notice: QueuedNotice): Promise<BatchResult> => {
    const attempt = await attemptDelivery({ now, host }, queue, notice, {
      // A signed token would be made here.
      send: (signal) =>
        postDelivery(host, { url: `https://${notice.destination}.test/`, headers: new Headers(), body: `${notice.id}@${now()}`, signal }),
      accepted: async () => "delete",
    });
    return { delivered: attempt.kind === "delivered" ? 1 : 0, failed: attempt.kind === "failed" ? 1 : 0, due: "none" };
  };
  const sourceOf = (tenant: string, destination: string): DeliverySource => ({
    async deliverBatch() {
      const at = { lte: now() };
      const where = { tenant_id: tenant, destination, next_at: at, leased_until: at };
      const due = await records.find({ where, limit: batchSize });
      const results = await Promise.all(due.map(deliverOne));
      const sum = (name: "delivered" | "failed"): number => results.reduce((total, result) => total + result[name], 0);
      return { delivered: sum("delivered"), failed: sum("failed"), due: due.length === batchSize ? "now" : "none" };
    },
  });
  let position: readonly [string, string, string] = ["", "", ""];
  /** Reads one notice of each destination, and skips the others: first the destinations after the last call's. */
  async function* destinations(): AsyncGenerator<DeliverySource> {
    const start = position;
    const visited = new Set<string>();
    for (const from of [start, ["", "", ""] as const]) {
      for (let after = from; ;) {
        const orderBy = { fields: ["destination", "tenant_id", "id"], direction: "asc" } as const;
        const [notice] = await records.find({ where: { state: "open" }, orderBy, after, limit: 1 });
        if (notice === undefined) break;
        // The last possible id.
        after = [notice.destination, notice.tenant_id, "~"];
        const key = `${notice.destination} ${notice.tenant_id}`;
        if (visited.has(key)) break;
        visited.add(key);
        position = after;
        yield sourceOf(notice.tenant_id, notice.destination);
      }
    }
  }
  const { collections: first } = createMemoryAdapter();
  const stores = { first, isolated: false, visit: async () => undefined };
  return { deliver: (budget = 1000) => deliverFromDatabases({ stores, host }, destinations, budget) };
}
