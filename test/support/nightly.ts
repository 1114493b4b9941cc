import { createHash } from "node:crypto";
import { beforeEach, onTestFailed, TestRunner } from "vitest";

/**
 * Whether the tests also run what only `.ci/nightly` runs: further repetitions, all cases of an enumeration, and further
 * frameworks that the same code serves. `.ci/run` skips them, because it must stay short.
 */
export const isNightly: boolean = process.env["POSTERN_TEST_NIGHTLY"] !== undefined;

/** Why a test is skipped outside `.ci/nightly`. */
export const onlyNightly = "only .ci/nightly runs this test";

let commit: string | undefined;

/** Returns the seed of the choice: `POSTERN_TEST_SEED`, otherwise the hash of the commit, so that each commit tests other cases. */
function seedOfRun(): string {
  return process.env["POSTERN_TEST_SEED"] ?? (commit ??= commitHash());
}

function commitHash(): string {
  try {
    // Not imported, because workerd, which runs core's tests too, has no such module.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    return execFileSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    // A source archive has no repository, and workerd has no processes.
    return "no-commit";
  }
}

/** Prints how to repeat the choice if the current test fails, or one of the suite whose tests are being declared. */
function printSeedOnFailure(seed: string): void {
  const print = (): void => console.error(`The cases were chosen with POSTERN_TEST_SEED=${seed}. POSTERN_TEST_NIGHTLY=1 runs all of them.`);
  if (TestRunner.getCurrentTest() !== undefined) onTestFailed(print);
  else beforeEach((context) => context.onTestFailed(print));
}

/**
 * Returns the cases of an enumeration that this run tests: the first, the last, and four that the seed chooses, one from
 * each quarter of the others. Returns all of them in `.ci/nightly`. The order stays. A failed test prints the variable
 * that repeats the choice. Call this function in a test, or where the tests of a suite are declared.
 * @param name distinguishes the enumerations of a test or a file, so that they choose independently.
 * @param parts is the number of equal parts from which one case each is chosen, instead of four.
 */
export function sampled<Case>(name: string, cases: readonly Case[], parts = 4): readonly Case[] {
  const last = cases.length - 1;
  if (isNightly || last <= parts + 1) return cases;
  const seed = seedOfRun();
  printSeedOnFailure(seed);
  const chosen = new Set([0, last]);
  const startOf = (part: number): number => 1 + Math.floor((part * (last - 1)) / parts);
  for (let part = 0; part < parts; part++) {
    const text = `${seed} ${TestRunner.getCurrentTest()?.fullName ?? ""} ${name} ${part}`;
    const size = startOf(part + 1) - startOf(part);
    chosen.add(startOf(part) + (createHash("sha256").update(text).digest().readUInt32BE() % size));
  }
  return cases.filter((_, index) => chosen.has(index));
}
