import { withDeadline } from "../../adapters/deadline.ts";
import type { ServiceContext } from "../../context.ts";
import { faultText } from "../../logs/fault-text.ts";
import type { RetrySchedule } from "./retry-schedule.ts";

/**
 * The state of a delivery, in the record that it belongs to. The order of deliveries follows from what the record
 * stands for: a log stream is one record, so its events are delivered in order. A queue with a record for each item has
 * no order.
 */
export interface DeliveryState {
  readonly tenant_id: string;
  readonly id: string;
  /** Increased by each change of the record. */
  readonly revision: number;
  /** Milliseconds since 1970, like the next members. Until then, one process delivers the record. */
  readonly leased_until: number;
  /** The record is not delivered before this time. */
  readonly next_at: number;
  /** From this time on, the record is given up. Default: never. */
  readonly expires_at?: number;
  /** The number of consecutive failures. */
  readonly failures: number;
}

/** The fields that an attempt changes. `served_at` is the time of the last lease. */
interface AttemptFields extends Partial<Pick<DeliveryState, "leased_until" | "next_at" | "failures">> {
  readonly last_error?: string;
  readonly served_at?: number;
}

/** Identifies one revision of a record. */
type RevisionKey = Pick<DeliveryState, "tenant_id" | "id" | "revision">;

/** The collection of a queue's records, limited to the writes of an attempt. */
interface DeliveryRecords<Fields extends object> {
  update(
    where: RevisionKey,
    change: { readonly set: AttemptFields | (AttemptFields & Partial<Fields>); readonly add: { readonly revision: 1 } },
  ): Promise<number>;
  delete(where: RevisionKey): Promise<number>;
}

/** Deliveries of one kind, such as those of log streams. `Fields`: the queue's own fields that change. */
export interface DeliveryQueue<Fields extends object> {
  /** Names a destination in error messages, such as `the destination of a log stream`. */
  readonly destination: string;
  readonly records: DeliveryRecords<Fields>;
  /** The fields that a record must have to be leased, in addition to its revision. */
  readonly open: Partial<Fields>;
  readonly retry: RetrySchedule;
  /** Milliseconds that a delivery may take, at most 10 seconds. */
  readonly deadline: number;
  /** The change of a record that is not delivered again. */
  readonly giveUp: Partial<Fields> | "delete";
}

/** One delivery of a record. */
interface Delivery<Fields extends object> {
  /**
   * Sends the content to the destination. It is called once per attempt, so content and signature can be made for that
   * attempt. The signal is aborted after the deadline of the queue. @throws if the destination did not accept it.
   */
  send(signal: AbortSignal): Promise<void>;
  /** Returns the change of a record whose delivery was accepted. It runs before the change is stored. */
  accepted(): Promise<Partial<Fields> | "delete">;
}

/** The result of {@link attemptDelivery}. */
type Attempt<Fields extends object> =
  /** Another process or request changed the record first. Nothing was sent. */
  | { readonly kind: "not-leased" }
  | { readonly kind: "expired" }
  /** `revision` and `stored` are those of the changed record. */
  | { readonly kind: "delivered"; readonly revision: number; readonly stored: Partial<Fields> | "delete" }
  /** The destination accepted the delivery, but a request changed the record during it. It is delivered again. */
  | { readonly kind: "repeated" }
  | { readonly kind: "failed"; readonly error: unknown; readonly failures: number; readonly isGivenUp: boolean };

/** Milliseconds for which a process leases a record: longer than a delivery takes. */
const lease = 60_000;

/** Whether a record can be delivered: no process leases it, and it does not wait for its next attempt. */
export function isDue(
  { leased_until: leasedUntil, next_at: nextAt }: Pick<DeliveryState, "leased_until" | "next_at">,
  now: number,
): boolean {
  return leasedUntil <= now && nextAt <= now;
}

/**
 * Delivers a due record at least once. The process whose conditional update of the revision succeeds leases the record.
 * If it crashes before it stores the result, another process delivers the record again after the lease. A failed
 * delivery is retried as the queue's schedule says.
 * @param state the record as it was read. If it has changed since then, nothing is sent.
 * @throws if the record cannot be written.
 */
export async function attemptDelivery<Fields extends object>(
  context: Pick<ServiceContext, "now" | "host">,
  queue: DeliveryQueue<Fields>,
  state: DeliveryState,
  delivery: Delivery<Fields>,
): Promise<Attempt<Fields>> {
  const now = context.now();
  const { tenant_id, id, revision, expires_at: expiresAt = Infinity } = state;
  const read = { tenant_id, id, revision };
  if (expiresAt <= now) {
    await change(queue, read, queue.giveUp, {});
    return { kind: "expired" };
  }
  const leasing = { set: { leased_until: now + lease, served_at: now }, add: { revision: 1 } } as const;
  if ((await queue.records.update({ ...read, ...queue.open }, leasing)) !== 1) return { kind: "not-leased" };
  const leased = { ...read, revision: revision + 1 };
  try {
    await withDeadline((signal) => delivery.send(signal), queue.deadline, queue.destination, context.host.wait);
  } catch (error) {
    const failures = state.failures + 1;
    const pause = queue.retry(failures, error);
    const nextAt = pause === undefined ? Infinity : context.now() + pause;
    const isGivenUp = nextAt === Infinity || nextAt >= expiresAt;
    const failure = { failures, last_error: faultText(error), leased_until: 0 };
    await (isGivenUp ? change(queue, leased, queue.giveUp, failure) : change(queue, leased, {}, { ...failure, next_at: nextAt }));
    return { kind: "failed", error, failures, isGivenUp };
  }
  const stored = await delivery.accepted();
  const changed = await change(queue, leased, stored, { failures: 0, last_error: "", next_at: 0, leased_until: 0 });
  return changed ? { kind: "delivered", revision: leased.revision + 1, stored } : { kind: "repeated" };
}

/** Changes or deletes a record. @returns false if the record has another revision by now, and was left unchanged. */
async function change<Fields extends object>(
  { records }: DeliveryQueue<Fields>,
  key: RevisionKey,
  fields: Partial<Fields> | "delete",
  attempt: AttemptFields,
): Promise<boolean> {
  if (fields === "delete") return (await records.delete(key)) === 1;
  return (await records.update(key, { set: { ...attempt, ...fields }, add: { revision: 1 } })) === 1;
}
