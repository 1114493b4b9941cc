import type { Wait } from "../../adapters/wait.ts";

/** Something whose items are delivered in batches, such as a queue or a position in a log. */
export interface DeliverySource {
  /**
   * Delivers one batch of due items. Is not called again before the previous call has settled. A failed delivery is
   * part of the result. The promise rejects only if the source cannot be read or written.
   */
  deliverBatch(): Promise<BatchResult>;
}

/** The result of one batch of a {@link DeliverySource}. */
export interface BatchResult {
  /** The number of items that were delivered. */
  readonly delivered: number;
  /** The number of destinations to which delivery failed. */
  readonly failed: number;
  /**
   * Whether more items wait for delivery. `now`: the source gets another turn in the same call. `next-call`: another process or
   * request changed the source, so the items are left to the next call.
   */
  readonly due: "none" | "now" | "next-call";
}

/** The result of {@link deliverRoundRobin}. */
export interface RoundRobinResult extends Pick<BatchResult, "delivered" | "failed"> {
  /** Whether all due items were delivered. If false, call again. */
  readonly finished: boolean;
}

/** Parameters of {@link deliverRoundRobin}. */
interface RoundRobinOptions {
  /** Approximate maximum number of items. No turn starts after that many were delivered. */
  readonly budget: number;
  /** Returns milliseconds since any moment. Never decreases. */
  readonly elapsed: () => number;
  readonly wait: Wait;
}

/** Number of turns that share the work. Each may use a database connection at the same time. */
const places = 4;

/** Milliseconds after which a turn is slow. It then occupies an additional place, so that other sources do not wait for it. */
const slowAfter = 1000;

/** Maximum number of turns at the same time, including slow ones. Limits the memory for their batches. */
const maximumTurns = 100;

/** Milliseconds from the start of a call during which sources get further turns. Then the next call reads new items. */
const repeatsFor = 5000;

/**
 * Delivers items of many sources, one batch per turn. Each source gets a first turn before any source gets a second
 * one, so a source with many items does not delay the others. A slow source delays only itself.
 * @param sources the sources in the order of their first turns. They are read one by one, and only while the budget
 * lasts. If the order begins with the source whose last turn is the longest ago, each call continues where the previous
 * one stopped.
 * @throws the first error of a source, after all other sources had their turns.
 */
export async function deliverRoundRobin(
  sources: AsyncIterable<DeliverySource>,
  { budget, elapsed, wait }: RoundRobinOptions,
): Promise<RoundRobinResult> {
  const endOfRepeats = elapsed() + repeatsFor;
  const unread = sources[Symbol.asyncIterator]();
  /** Sources that had a turn and have more due items. */
  const waiting: DeliverySource[] = [];
  const errors: unknown[] = [];
  let [delivered, failed] = [0, 0];
  let [allRead, leftToNextCall] = [false, false];
  let [turns, occupied] = [0, 0];
  let onChange = (): void => {};
  const change = (): Promise<void> => new Promise((resolve) => (onChange = resolve));

  const takeTurn = async (source: DeliverySource): Promise<void> => {
    try {
      const result = await source.deliverBatch();
      delivered += result.delivered;
      failed += result.failed;
      if (result.due === "now") waiting.push(source);
      if (result.due === "next-call") leftToNextCall = true;
    } catch (error) {
      errors.push(error);
    }
  };
  const startTurn = (source: DeliverySource): void => {
    const ended = new AbortController();
    let hasSharedPlace = true;
    const leavePlace = (): void => {
      if (hasSharedPlace) occupied--;
      hasSharedPlace = false;
      onChange();
    };
    turns++;
    occupied++;
    void wait(slowAfter, ended.signal).then(leavePlace);
    void takeTurn(source).then(() => {
      turns--;
      leavePlace();
      ended.abort();
    });
  };
  const readNext = async (): Promise<DeliverySource | undefined> => {
    try {
      const next = await unread.next();
      if (next.done !== true) return next.value;
    } catch (error) {
      errors.push(error);
    }
    allRead = true;
    return undefined;
  };

  for (;;) {
    const isFull = occupied >= places || turns >= maximumTurns;
    const mayStart = !isFull && delivered < budget && (!allRead || (waiting.length > 0 && elapsed() < endOfRepeats));
    if (!mayStart) {
      if (turns === 0) break;
      await change();
      continue;
    }
    const source = allRead ? waiting.shift() : await readNext();
    if (source !== undefined) startTurn(source);
  }
  if (errors.length > 0) throw errors[0];
  return { delivered, failed, finished: allRead && waiting.length === 0 && !leftToNextCall };
}
