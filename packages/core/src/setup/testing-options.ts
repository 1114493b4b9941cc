import type { Clock } from "../adapters/clock.ts";
import type { Random } from "../adapters/random.ts";
import type { SetTimer } from "../adapters/timer.ts";

/** Options for tests only. Do not set them in production. */
export interface TestingOptions {
  /**
   * Validates every response strictly against its declared schema, and responds with 500 on a mismatch. Slower.
   * Default: false.
   */
  readonly checkReplies?: boolean;
  /** Returns the current time. Default: the machine's clock. */
  readonly clock?: Clock;
  /**
   * Sets the timers of timeouts. Use `createManualClock().setTimer` to make them fire when the clock is advanced.
   * Default: the runtime's timers.
   */
  readonly setTimer?: SetTimer;
  /** Generates ids, codes and secrets. Default: the runtime's cryptographic generator. */
  readonly random?: Random;
}
