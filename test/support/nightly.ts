import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { beforeEach } from "vitest";

/**
 * Whether the tests also run what only `.ci/nightly` runs: further repetitions, all cases of an enumeration, and further
 * frameworks that the same code serves. `.ci/run` skips them, because it must stay short.
 */
export const isNightly: boolean = process.env["POSTERN_TEST_NIGHTLY"] !== undefined;

/** Why a test is skipped outside `.ci/nightly`. */
export const onlyNightly = "only .ci/nightly runs this test";

/** How many cases {@link sampled} chooses besides the first and the last one. */
const chosenCases = 4;

let seed: string | undefined;

/** Returns the seed of the choice: `POSTERN_TEST_SEED`, otherwise the hash of the commit, so that each commit tests other cases. */
function seedOfRun(): string {
  seed ??= process.env["POSTERN_TEST_SEED"] ?? commitHash();
  return seed;
}

function commitHash(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    // A source archive has no repository.
    return "no-commit";
  }
}

/**
 * Returns the cases of an enumeration that this run tests: the first, the last, and four that the seed chooses. Returns
 * all of them in `.ci/nightly`. The order stays. If a test of the current suite fails, the variable that repeats the choice
 * is printed, so call this function where the suite's tests are declared.
 * @param name distinguishes the enumerations of a run, so that they choose independently.
 */
export function sampled<Case>(name: string, cases: readonly Case[]): readonly Case[] {
  if (isNightly || cases.length <= chosenCases + 2) return cases;
  const run = seedOfRun();
  beforeEach(({ onTestFailed }) => {
    onTestFailed(() => console.error(`The cases were chosen with POSTERN_TEST_SEED=${run}. POSTERN_TEST_NIGHTLY=1 runs all of them.`));
  });
  const order = (index: number): string => createHash("sha256").update(`${run} ${name} ${index}`).digest("hex");
  const between = cases.map((_, index) => index).slice(1, -1);
  const chosen = new Set(between.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, chosenCases));
  return cases.filter((_, index) => index === 0 || index === cases.length - 1 || chosen.has(index));
}
