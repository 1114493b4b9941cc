/** The entry point `@postern/core/testing`: the option group `testing`, and clocks and random values for tests. */

export type { Clock, ManualClock } from "./adapters/clock.ts";
export { createManualClock, systemClock } from "./adapters/clock.ts";
export type { Random } from "./adapters/random.ts";
export { systemRandom } from "./adapters/random.ts";
export type { SetTimer } from "./adapters/timer.ts";
export type { TestingOptions } from "./setup/testing-options.ts";
