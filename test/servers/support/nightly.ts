/**
 * Whether the tests also run what only `.ci/nightly` runs: further repetitions, and further frameworks that the same code
 * serves. `.ci/run` skips them, because it must stay short.
 */
export const isNightly: boolean = process.env["POSTERN_TEST_NIGHTLY"] !== undefined;

/** Why a test is skipped outside `.ci/nightly`. */
export const onlyNightly = "only .ci/nightly runs this test";
