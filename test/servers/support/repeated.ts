import { test } from "vitest";
import { isNightly } from "../../support/nightly.ts";

/**
 * Returns Vitest's `test`, for tests that run in several settings, such as with and without JavaScript. If this setting
 * is a repetition, only `.ci/nightly` runs the declared tests.
 */
export function testUnless(isRepetition: boolean): ReturnType<typeof test.skipIf> {
  return test.skipIf(isRepetition && !isNightly);
}
