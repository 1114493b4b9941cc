import { logSettleTime } from "../../logs/audit.ts";
import type { Collections } from "../../store/contract.ts";
import type { StoredRow } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { openStreamCredentials } from "../../logs/stream-credentials.ts";
import { toLogRow } from "../../logs/audit.ts";
import { faultText } from "../../logs/fault-text.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { firstUlidAt } from "../../store/ulid.ts";
import { categoryOf } from "../../model/logs/categories.ts";
import { streamSettings } from "../../model/logs/log-streams.ts";
import { toLog } from "../../model/logs/logs.ts";
import type { Installation } from "../installation.ts";
import {
  deleteOldRecords,
  findLateEvents,
  positionOf,
  readWindow,
  recordDelivery,
  storeWindow,
  withHandled,
  type LateEventWindow,
} from "./late-events.ts";
import { postEvents } from "./post-events.ts";

/** The result of {@link deliverEvents}. */
export interface Delivered {
  /** The number of events that were delivered. An event counts once per stream. */
  readonly delivered: number;
  /** The number of streams to which delivery failed. A later call retries them. */
  readonly failed: number;
  /** Whether all due events were delivered. If false, call again. */
  readonly finished: boolean;
  /**
   * Tenants whose databases failed or did not respond (`databaseIsolation`). They were skipped, and the next call tries
   * them again. The reasons are in the log (event `delivery_failed`).
   */
  readonly skippedTenants: readonly string[];
}

/** The result for one database. */
type DeliveredFromOne = Omit<Delivered, "skippedTenants">;

type Stream = StoredRow<"log_streams">;

/**
 * Maximum number of events in one delivery. If each event needs a separate request, all of them must fit into the
 * deadline.
 */
const batchSize = 100;
const oneByOne = 10;

/** Streams per query. */
const page = 50;

/** Milliseconds for which a process leases a stream: longer than a delivery takes. */
const lease = 60_000;

/** Milliseconds that a delivery may take. */
const deadline = 10_000;

/** Milliseconds before a failed delivery is retried. Doubled with each failure. */
const firstPause = 5000;
const maximumPause = 3_600_000;

/** Number of consecutive failures after which a stream is suspended. With the pauses, this takes about half a day. */
const maximumFailures = 20;

/**
 * Delivers the due events of every tenant's log streams, in the order of each log. Late events follow out of order
 * (late-events.ts). The cursor of a stream advances after a successful delivery: if the process crashes before that,
 * the delivery is repeated. One process at a time leases a stream.
 * @param budget approximate maximum number of events.
 */
export async function deliverEvents(installation: Installation, budget: number): Promise<Delivered> {
  const { stores } = installation;
  const skippedTenants: string[] = [];
  let total: DeliveredFromOne = await deliverFrom(installation, stores.first, budget);
  if (!stores.isolated) return { ...total, skippedTenants };
  for (let after = ""; total.delivered < budget;) {
    const tenants = await stores.first.tenants.find({
      where: { id: { gt: after }, deleting_at: null, ready_at: { exists: true } },
      orderBy: { fields: ["id"], direction: "asc" },
      limit: page,
      fields: ["id"],
    });
    for (const { id } of tenants) {
      try {
        const own = await stores.visit(id, (collections) => deliverFrom(installation, collections, budget - total.delivered));
        if (own !== undefined) total = added(total, own);
      } catch (error) {
        // A failing database must not block the deliveries of other tenants.
        installation.host.logger.log({ level: "error", event: "delivery_failed", tenant_id: id, error });
        skippedTenants.push(id);
      }
    }
    const last = tenants.at(-1);
    if (last === undefined || tenants.length < page) return { ...total, skippedTenants };
    after = last.id;
  }
  return { ...total, finished: false, skippedTenants };
}

function added(a: DeliveredFromOne, b: DeliveredFromOne): DeliveredFromOne {
  return { delivered: a.delivered + b.delivered, failed: a.failed + b.failed, finished: a.finished && b.finished };
}

async function deliverFrom(installation: Installation, collections: Collections, budget: number): Promise<DeliveredFromOne> {
  let total: DeliveredFromOne = { delivered: 0, failed: 0, finished: true };
  let after: readonly [string, string] = ["", ""];
  for (;;) {
    const streams = await collections.log_streams.find({
      where: { status: "active" },
      orderBy: { fields: ["tenant_id", "id"], direction: "asc" },
      limit: page,
      after,
    });
    for (const stream of streams.filter(({ next_at: at }) => at <= installation.now())) {
      if (total.delivered >= budget) return { ...total, finished: false };
      total = added(total, await deliverStream(installation, collections, stream, budget - total.delivered));
    }
    const last = streams.at(-1);
    if (last === undefined || streams.length < page) return total;
    after = [last.tenant_id, last.id];
  }
}

/**
 * Delivers batch by batch: first the late events behind the cursor, then the events after it, until none are left. A
 * delivery is recorded before the stream is updated. If the process crashes before the update, the events may be
 * delivered again.
 */
async function deliverStream(
  installation: Installation,
  collections: Collections,
  found: Stream,
  budget: number,
): Promise<DeliveredFromOne> {
  const { tenant_id: tenantId, id } = found;
  let stream = found;
  let window = readWindow(found);
  const { searchedUntil } = window;
  let [searched, cleaned] = [false, false];
  const limit = streamSettings(found).sink["httpContentFormat"] === "JSONOBJECT" ? oneByOne : batchSize;
  for (let delivered = 0; ;) {
    if (delivered >= budget) return { delivered, failed: 0, finished: false };
    const now = installation.now();
    if (stream.leased_until > now) return { delivered, failed: 0, finished: true };
    let rows: readonly StoredRow<"logs">[] = [];
    if (!searched) {
      const search = await findLateEvents(collections, stream, window, { now, length: installation.config.lateEventWindow, limit });
      ({ rows, window, finished: searched } = search);
      if (!searched && rows.length === 0) continue;
    }
    const isLate = !searched;
    if (!isLate) {
      rows = await collections.logs.find({
        where: { tenant_id: tenantId, log_id: { lt: firstUlidAt(now - logSettleTime + 1) } },
        orderBy: { fields: ["log_id"], direction: "asc" },
        after: [positionOf(stream)],
        limit,
      });
    }
    const last = rows.at(-1);
    if (last === undefined) {
      await endSearch(collections, stream, window);
      return { delivered, failed: 0, finished: true };
    }

    // The process whose conditional update of the revision succeeds gets the lease.
    const { revision } = stream;
    const leased = await collections.log_streams.update(
      { tenant_id: tenantId, id, status: "active", revision },
      { set: { leased_until: now + lease }, add: { revision: 1 } },
    );
    if (leased !== 1) return { delivered, failed: 0, finished: true };
    const key = { tenant_id: tenantId, id, revision: revision + 1 };
    const { filters } = streamSettings(stream);
    const filtered = rows.filter(({ type }) => filters.length === 0 || filters.some(({ name }) => name === categoryOf(type)));
    try {
      if (filtered.length > 0) await send(installation, stream, filtered);
    } catch (error) {
      await recordFailure(installation, collections, stream, key, error);
      return { delivered, failed: 1, finished: true };
    }
    await recordDelivery(collections, stream, window, rows, { id: installation.random.record(), now });
    const after = withHandled(window, rows);
    const cursor = isLate ? pickCursor(stream) : { cursor_date: last.date, cursor_id: last.log_id };
    const set = { ...cursor, window_state: storeWindow(after, cursor), failures: 0, last_error: "", next_at: 0, leased_until: 0 };
    // If another request changed the stream in the meantime, this update has no effect, and the next call delivers
    // these events again.
    if ((await collections.log_streams.update(key, { set, add: { revision: 1 } })) !== 1) return { delivered, failed: 0, finished: false };
    stream = { ...stream, ...set, revision: revision + 2 };
    window = after;
    delivered += filtered.length;
    if (!cleaned && window.searchedUntil > searchedUntil) {
      await deleteOldRecords(collections, stream, window);
      cleaned = true;
    }
    if (!isLate && rows.length < limit) return { delivered, failed: 0, finished: true };
  }
}

function pickCursor({ cursor_date, cursor_id }: Stream): Pick<Stream, "cursor_date" | "cursor_id"> {
  return { cursor_date, cursor_id };
}

/**
 * Stores that no events behind the cursor need to be searched for any more, if the log has no new events. Then the next
 * call omits the search.
 */
async function endSearch(collections: Collections, stream: Stream, window: LateEventWindow): Promise<void> {
  const { tenant_id, id, revision, cursor_date: cursorDate } = stream;
  if (window.searchedUntil < cursorDate || readWindow(stream).searchedUntil >= cursorDate) return;
  const set = { window_state: storeWindow(window, stream) };
  if ((await collections.log_streams.update({ tenant_id, id, revision }, { set, add: { revision: 1 } })) !== 1) return;
  await deleteOldRecords(collections, stream, window);
}

async function send(installation: Installation, stream: Stream, rows: readonly StoredRow<"logs">[]): Promise<void> {
  const { tenant_id: tenantId, id, type } = stream;
  const events = rows.map(toLog);
  const secrets = await openStreamCredentials(installation, { tenantId }, stream);
  const delivery = `${id}.${events[0]?.log_id ?? ""}`;
  await withDeadline(
    async (signal) => {
      if (type === "http")
        return postEvents(installation.host, { id: delivery, sink: streamSettings(stream).sink, secrets, events, signal });
      const sink = installation.host.logSinks[type];
      if (sink === undefined) throw new Error(`no log sink is configured for the type '${type}'`);
      await sink.deliver({ tenantId, streamId: id, id: delivery, sink: { ...streamSettings(stream).sink, ...secrets }, events, signal });
    },
    deadline,
    "the destination of a log stream",
    installation.host.wait,
  );
}

/**
 * Records a failed delivery. The pause before the next attempt grows with each failure. After {@link maximumFailures},
 * the stream is suspended until an administrator activates it. No event is skipped.
 */
async function recordFailure(
  installation: Installation,
  collections: Collections,
  { tenant_id: tenantId, id, name, failures: before }: Stream,
  key: { readonly tenant_id: string; readonly id: string; readonly revision: number },
  error: unknown,
): Promise<void> {
  const failures = before + 1;
  const suspended = failures >= maximumFailures;
  const next_at = installation.now() + Math.min(maximumPause, firstPause * 2 ** (failures - 1));
  const set = { failures, last_error: faultText(error), next_at, leased_until: 0, ...(suspended && { status: "suspended" }) };
  await collections.log_streams.update(key, { set, add: { revision: 1 } });
  installation.host.logger.log({
    level: "warn",
    event: "log_stream_failed",
    tenant_id: tenantId,
    log_stream: id,
    failures,
    suspended,
    error,
  });
  if (!suspended) return;
  const event = {
    type: "wn",
    description: `The log stream '${name}' failed too often and is suspended.`,
    details: { log_stream: id } satisfies JsonObject,
  } as const;
  await installation.audit.write({ ...toLogRow(installation, event, noRequest), tenant_id: tenantId });
}

/** Request data for audit events of deliveries, which do not belong to a request. */
const noRequest = { requestId: "log-streams", ip: undefined, sharedIp: false, userAgent: "", hostname: "", acceptLanguage: "" };
