import type { HostServices } from "../../context.ts";
import type { AnyRow, Change, Collection, Match } from "../../store/contract.ts";
import { PosternError } from "../../errors.ts";

/**
 * The exclusive right of one process to work on a row. It is renewed during the work, and expires if the process
 * crashes.
 */
export interface Lease {
  /**
   * Call it before each write that requires exclusive access. @throws if the lease has expired, because another process
   * may hold it now.
   */
  check(): void;
  /** Whether the lease has expired. */
  isLost(): boolean;
}

/** Thrown if another process or request is working on the same row. */
export class UnderWayError extends PosternError {
  constructor() {
    super("conflict", "another operation on this tenant is in progress");
  }
}

/** Milliseconds after which another process may continue the work of a crashed process. */
export const leaseTime = 60_000;

/** Milliseconds between renewals. */
const renewal = 20_000;

type Leased = AnyRow & { readonly lease_until: number };

/**
 * Runs work under a lease on a row, so that one process at a time does it.
 * @param held the expiry of a lease that the caller already holds, because it inserted the row with it.
 * @throws {UnderWayError} if another process or request holds the lease.
 */
export async function withLease<Row extends Leased, T>(
  { clock, wait }: Pick<HostServices, "clock" | "wait">,
  collection: Collection<Row>,
  key: Match<Row>,
  work: (lease: Lease) => Promise<T>,
  held?: number,
): Promise<T> {
  let until = held ?? clock.now() + leaseTime;
  // The caller's key together with a condition on the lease field, which every such row has.
  const where = (condition: object): Match<Row> => ({ ...key, lease_until: condition }) as Match<Row>;
  const set = (leaseUntil: number): Change<Row> => ({ set: { lease_until: leaseUntil } }) as unknown as Change<Row>;
  if (held === undefined && (await collection.update(where({ lte: clock.now() }), set(until))) !== 1) {
    throw new UnderWayError();
  }
  let lost = false;
  const done = new AbortController();
  const renew = async (): Promise<void> => {
    for (;;) {
      await wait(renewal, done.signal);
      if (done.signal.aborted || lost) return;
      const next = clock.now() + leaseTime;
      // If the data store fails, a later renewal may still succeed in time.
      const renewed = await collection.update(where({ gte: until, lte: until }), set(next)).catch(() => undefined);
      if (renewed === 1) until = next;
      else if (renewed === 0 || clock.now() >= until) lost = true;
    }
  };
  const renewing = renew();
  // A process that was paused must notice the expiry at once, and not only at the next renewal.
  const isLost = (): boolean => lost || clock.now() >= until;
  const check = (): void => {
    if (isLost()) throw new Error("the lease was lost: another process may have continued the work");
  };
  try {
    return await work({ check, isLost });
  } finally {
    done.abort();
    await renewing;
    // If this update fails, the lease expires by itself.
    if (!lost) await collection.update(where({ gte: until, lte: until }), set(0)).catch(() => 0);
  }
}
