import { withDeadline } from "../../adapters/deadline.ts";
import { logSettleTime, toLogRow } from "../../logs/audit.ts";
import { faultText } from "../../logs/fault-text.ts";
import { openStreamCredentials } from "../../logs/stream-credentials.ts";
import { categoryOf } from "../../model/logs/categories.ts";
import { streamSettings } from "../../model/logs/log-streams.ts";
import { toLog } from "../../model/logs/logs.ts";
import type { Collections } from "../../store/contract.ts";
import type { StoredRow } from "../../store/schema.ts";
import { firstUlidAt } from "../../store/ulid.ts";
import type { JsonObject } from "../../store/value.ts";
import type { BatchResult, DeliverySource } from "../delivery/round-robin.ts";
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

type Stream = StoredRow<"log_streams">;
type LogRow = StoredRow<"logs">;

/**
 * Maximum number of events in one delivery. If each event needs a separate request, all of them must fit into the
 * deadline.
 */
const batchSize = 100;
const oneByOne = 10;

/** Milliseconds for which a process leases a stream: longer than a delivery takes. */
const lease = 60_000;

/** Milliseconds that a delivery may take. */
const deadline = 10_000;

/** Milliseconds before a failed delivery is retried. Doubled with each failure. */
const firstPause = 5000;
const maximumPause = 3_600_000;

/** Number of consecutive failures after which a stream is suspended. With the pauses, this takes about half a day. */
const maximumFailures = 20;

const nothingDue: BatchResult = { delivered: 0, failed: 0, due: "none" };

/** The events that a batch reads, and the state of the search for late events after it. */
interface Batch {
  readonly rows: readonly LogRow[];
  /** Whether the events are behind the cursor. */
  readonly isLate: boolean;
}

/**
 * The due events of one log stream: first the late events behind the cursor, then the events after it. A delivery is
 * recorded before the stream is updated. If the process crashes before the update, the events may be delivered again.
 */
export class LogStreamSource implements DeliverySource {
  readonly #installation: Installation;
  readonly #collections: Collections;
  /** The end of the late-event window when the stream was read. */
  readonly #windowStart: number;
  readonly #limit: number;
  #stream: Stream;
  #window: LateEventWindow;
  #isSearched = false;
  #isCleaned = false;

  /** @param stream the stream's row. If another process changes the row, nothing is delivered. */
  constructor(installation: Installation, collections: Collections, stream: Stream) {
    this.#installation = installation;
    this.#collections = collections;
    this.#stream = stream;
    this.#window = readWindow(stream);
    this.#windowStart = this.#window.searchedUntil;
    this.#limit = streamSettings(stream).sink["httpContentFormat"] === "JSONOBJECT" ? oneByOne : batchSize;
  }

  async deliverBatch(): Promise<BatchResult> {
    const now = this.#installation.now();
    if (this.#stream.leased_until > now) return nothingDue;
    const { rows, isLate } = await this.#readBatch(now);
    if (rows.length === 0) {
      await endSearch(this.#collections, this.#stream, this.#window);
      return nothingDue;
    }
    const key = await this.#takeLease(now);
    if (key === undefined) return nothingDue;
    const { filters } = streamSettings(this.#stream);
    const filtered = rows.filter(({ type }) => filters.length === 0 || filters.some(({ name }) => name === categoryOf(type)));
    try {
      if (filtered.length > 0) await send(this.#installation, this.#stream, filtered);
    } catch (error) {
      await recordFailure(this.#installation, this.#collections, this.#stream, key, error);
      return { delivered: 0, failed: 1, due: "none" };
    }
    if (!(await this.#storeDelivery({ rows, isLate }, key, now))) return { delivered: 0, failed: 0, due: "next-call" };
    return { delivered: filtered.length, failed: 0, due: isLate || rows.length === this.#limit ? "now" : "none" };
  }

  async #readBatch(now: number): Promise<Batch> {
    const length = this.#installation.config.lateEventWindow;
    while (!this.#isSearched) {
      const search = await findLateEvents(this.#collections, this.#stream, this.#window, { now, length, limit: this.#limit });
      this.#window = search.window;
      this.#isSearched = search.finished;
      if (search.rows.length > 0) return { rows: search.rows, isLate: true };
    }
    const rows = await this.#collections.logs.find({
      where: { tenant_id: this.#stream.tenant_id, log_id: { lt: firstUlidAt(now - logSettleTime + 1) } },
      orderBy: { fields: ["log_id"], direction: "asc" },
      after: [positionOf(this.#stream)],
      limit: this.#limit,
    });
    return { rows, isLate: false };
  }

  /**
   * The process whose conditional update of the revision succeeds gets the lease.
   * @returns the condition for the next update of the leased stream; undefined if another process was faster.
   */
  async #takeLease(now: number): Promise<StreamKey | undefined> {
    const { tenant_id, id, revision } = this.#stream;
    const leased = await this.#collections.log_streams.update(
      { tenant_id, id, status: "active", revision },
      { set: { leased_until: now + lease, served_at: now }, add: { revision: 1 } },
    );
    return leased === 1 ? { tenant_id, id, revision: revision + 1 } : undefined;
  }

  /**
   * Stores a successful delivery.
   * @returns false if another request changed the stream in the meantime. Then the cursor stays, and a later call
   * delivers these events again.
   */
  async #storeDelivery({ rows, isLate }: Batch, key: StreamKey, now: number): Promise<boolean> {
    const last = rows.at(-1);
    await recordDelivery(this.#collections, this.#stream, this.#window, rows, { id: this.#installation.random.record(), now });
    const window = withHandled(this.#window, rows);
    const cursor =
      isLate || last === undefined
        ? { cursor_date: this.#stream.cursor_date, cursor_id: this.#stream.cursor_id }
        : { cursor_date: last.date, cursor_id: last.log_id };
    const set = { ...cursor, window_state: storeWindow(window, cursor), failures: 0, last_error: "", next_at: 0, leased_until: 0 };
    if ((await this.#collections.log_streams.update(key, { set, add: { revision: 1 } })) !== 1) return false;
    this.#stream = { ...this.#stream, ...set, revision: key.revision + 1 };
    this.#window = window;
    if (!this.#isCleaned && window.searchedUntil > this.#windowStart) {
      await deleteOldRecords(this.#collections, this.#stream, window);
      this.#isCleaned = true;
    }
    return true;
  }
}

/** The condition under which the holder of a lease may update a stream. */
interface StreamKey {
  readonly tenant_id: string;
  readonly id: string;
  readonly revision: number;
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
  key: StreamKey,
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
