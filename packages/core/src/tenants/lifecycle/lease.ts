import type { HostServices } from "../../context.ts";
import type { AnyRow, Change, Collection, Match } from "../../store/contract.ts";
import { PosternError } from "../../errors.ts";

/** The right to work on something alone, in this process and among all. It is renewed while the work goes on, and ends by itself where the process is lost. */
export interface Lease {
  /** To be called before each write that another process must not come between. @throws where the lease is over, and another process may be at work. */
  check(): void;
  /** Whether it is over. */
  isLost(): boolean;
}

/** Another process, or another request, is at work on the same thing. */
export class UnderWayError extends PosternError {
  constructor() {
    super("conflict", "another operation on this tenant is under way");
  }
}

/** Milliseconds after which the work of a lost process may be taken up. */
export const leaseTime = 60_000;

/** Milliseconds between renewals. */
const renewal = 20_000;

type Leased = AnyRow & { readonly lease_until: number };

/**
 * Does something that one process does at a time, under a lease on the row that it is about.
 * @param held until when the caller holds the lease already: a row that was inserted with it.
 * @throws {UnderWayError} where another holds the lease.
 */
export async function withLease<Row extends Leased, T>(
  { clock, wait }: Pick<HostServices, "clock" | "wait">,
  collection: Collection<Row>,
  key: Match<Row>,
  work: (lease: Lease) => Promise<T>,
  held?: number,
): Promise<T> {
  let until = held ?? clock.now() + leaseTime;
  // The caller's key and one field that every leased row has.
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
      // A store that does not answer now may do so in time for the next try.
      const renewed = await collection.update(where({ gte: until, lte: until }), set(next)).catch(() => undefined);
      if (renewed === 1) until = next;
      else if (renewed === 0 || clock.now() >= until) lost = true;
    }
  };
  const renewing = renew();
  // A process that was stopped for a while finds out at once, and not with the next renewal.
  const isLost = (): boolean => lost || clock.now() >= until;
  const check = (): void => {
    if (isLost()) throw new Error("the lease was lost: another process may have taken the work up");
  };
  try {
    return await work({ check, isLost });
  } finally {
    done.abort();
    await renewing;
    // Where this does not come through the lease ends by itself.
    if (!lost) await collection.update(where({ gte: until, lte: until }), set(0)).catch(() => 0);
  }
}
