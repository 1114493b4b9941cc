import { logSettleTime, toLogRow } from "../../logs/audit.ts";
import { openStreamCredentials } from "../../logs/stream-credentials.ts";
import { categoryOf } from "../../model/logs/categories.ts";
import { isReceiverType } from "../../model/logs/receivers.ts";
import { streamSettings } from "../../model/logs/log-streams.ts";
import { toLog } from "../../model/logs/logs.ts";
import type { Collections } from "../../store/contract.ts";
import type { StoredRow } from "../../store/schema.ts";
import { firstUlidAt } from "../../store/ulid.ts";
import type { JsonObject } from "../../store/value.ts";
import { attemptDelivery, type DeliveryQueue } from "../delivery/attempt.ts";
import { exponentialBackoff } from "../delivery/retry-schedule.ts";
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
import { postToReceiver } from "./post-to-receiver.ts";

type Stream = StoredRow<"log_streams">;
type LogRow = StoredRow<"logs">;
/** The fields of a stream that a delivery changes, except for those of every delivery. */
type StreamFields = Pick<Stream, "status" | "cursor_date" | "cursor_id" | "window_state">;

/**
 * Maximum number of events in one delivery. If each event needs a separate request, all of them must fit into the
 * deadline.
 */
const batchSize = 100;
const oneByOne = 10;

/** A stream is suspended after 20 consecutive failures. With the pauses, this takes about half a day. */
const retry = exponentialBackoff({ first: 5000, maximum: 3_600_000, attempts: 20 });

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
  readonly #queue: DeliveryQueue<StreamFields>;
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
    this.#queue = {
      destination: "the destination of a log stream",
      records: collections.log_streams,
      open: { status: "active" },
      retry,
      deadline: 10_000,
      giveUp: { status: "suspended" },
    };
    this.#stream = stream;
    this.#window = readWindow(stream);
    this.#windowStart = this.#window.searchedUntil;
    this.#limit = streamSettings(stream).sink["httpContentFormat"] === "JSONOBJECT" ? oneByOne : batchSize;
  }

  async deliverBatch(): Promise<BatchResult> {
    const now = this.#installation.now();
    const { rows, isLate } = await this.#readBatch(now);
    if (rows.length === 0) {
      await endSearch(this.#collections, this.#stream, this.#window);
      return nothingDue;
    }
    const batch = { rows, isLate };
    const { filters } = streamSettings(this.#stream);
    const filtered = rows.filter(({ type }) => filters.length === 0 || filters.some(({ name }) => name === categoryOf(type)));
    const window = withHandled(this.#window, rows);
    const attempt = await attemptDelivery(this.#installation, this.#queue, this.#stream, {
      send: async (signal) => {
        if (filtered.length > 0) await send(this.#installation, this.#stream, filtered, signal);
      },
      accepted: () => this.#recordBatch(batch, window, now),
    });
    const oldest = rows[0]?.date ?? now;
    this.#installation.host.telemetry?.recordDelivery("log_streams", now - oldest, attempt.kind === "failed" ? "error" : "ok");
    if (attempt.kind === "failed") await reportFailure(this.#installation, this.#stream, attempt);
    if (attempt.kind === "failed") return { delivered: 0, failed: 1, due: "none" };
    // If a request changed the stream, the cursor stays, and a later call delivers these events again.
    if (attempt.kind === "repeated") return { delivered: 0, failed: 0, due: "next-call" };
    if (attempt.kind !== "delivered" || attempt.stored === "delete") return nothingDue;
    this.#stream = { ...this.#stream, ...attempt.stored, failures: 0, revision: attempt.revision };
    this.#window = window;
    if (!this.#isCleaned && window.searchedUntil > this.#windowStart) {
      await deleteOldRecords(this.#collections, this.#stream, window);
      this.#isCleaned = true;
    }
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

  /** Records a delivery. @returns the change of the stream that moves its cursor behind the batch. */
  async #recordBatch({ rows, isLate }: Batch, window: LateEventWindow, now: number): Promise<Partial<StreamFields>> {
    const last = rows.at(-1);
    await recordDelivery(this.#collections, this.#stream, this.#window, rows, { id: this.#installation.random.record(), now });
    const { cursor_date, cursor_id } = this.#stream;
    const cursor = isLate || last === undefined ? { cursor_date, cursor_id } : { cursor_date: last.date, cursor_id: last.log_id };
    return { ...cursor, window_state: storeWindow(window, cursor) };
  }
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

async function send(installation: Installation, stream: Stream, rows: readonly LogRow[], signal: AbortSignal): Promise<void> {
  const { tenant_id: tenantId, id, type } = stream;
  const events = rows.map(toLog);
  const secrets = await openStreamCredentials(installation, { tenantId }, stream);
  const delivery = `${id}.${events[0]?.log_id ?? ""}`;
  if (type === "http") return postEvents(installation.host, { id: delivery, sink: streamSettings(stream).sink, secrets, events, signal });
  if (isReceiverType(type)) {
    const rejected = await postToReceiver(installation.host, {
      type,
      sink: { ...streamSettings(stream).sink, ...secrets },
      events,
      signal,
    });
    if (rejected > 0) {
      installation.host.logger.log({ level: "warn", event: "log_stream_events_rejected", tenant_id: tenantId, log_stream: id, rejected });
    }
    return;
  }
  const sink = installation.host.logSinks[type];
  if (sink === undefined) throw new Error(`no log sink is configured for the type '${type}'`);
  await sink.deliver({ tenantId, streamId: id, id: delivery, sink: { ...streamSettings(stream).sink, ...secrets }, events, signal });
}

/**
 * Reports a failed delivery to the operator. A stream that is given up is suspended until an administrator activates
 * it, which its tenant's log says. No event is skipped.
 */
async function reportFailure(
  installation: Installation,
  { tenant_id: tenantId, id, name }: Stream,
  { failures, isGivenUp: suspended, error }: { readonly failures: number; readonly isGivenUp: boolean; readonly error: unknown },
): Promise<void> {
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
  installation.host.telemetry?.countAuditEvent(event, tenantId, undefined);
  await installation.audit.write({ ...toLogRow(installation, event, noRequest), tenant_id: tenantId });
}

/** Request data for audit events of deliveries, which do not belong to a request. */
const noRequest = { requestId: "log-streams", ip: undefined, sharedIp: false, userAgent: "", hostname: "", acceptLanguage: "" };
