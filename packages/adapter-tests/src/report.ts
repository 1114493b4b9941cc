import { adapterCasesOf, type AdapterCasesOptions, type BoundCase } from "./adapter-cases.ts";
import { Inconclusive } from "./failure.ts";

/** The result of one case. */
export interface CaseResult {
  readonly name: string;
  /** `inconclusive`: the result is unknown because another case fails, which `reason` names. */
  readonly outcome: "passed" | "failed" | "inconclusive" | "skipped";
  /**
   * If the case was skipped or is inconclusive: why. If it failed: the expected and the actual result. Empty if it
   * passed.
   */
  readonly reason: string;
  readonly milliseconds: number;
}

/** The results of all cases. */
export interface AdapterReport {
  /** Whether every case passed or was skipped. Read why cases were skipped. */
  readonly ok: boolean;
  readonly results: readonly CaseResult[];
  /** The results as a printable table. */
  readonly text: string;
}

/**
 * Runs the suite without a test runner.
 *
 * @example
 * const report = await runAdapterCases({ open: () => myAdapter() });
 * console.log(report.text);
 * process.exitCode = report.ok ? 0 : 1;
 */
export async function runAdapterCases(options: AdapterCasesOptions): Promise<AdapterReport> {
  const results: CaseResult[] = [];
  for (const boundCase of adapterCasesOf(options)) results.push(await resultOf(boundCase));
  return { ok: results.every(({ outcome }) => outcome === "passed" || outcome === "skipped"), results, text: tableOf(results) };
}

async function resultOf({ name, execute }: BoundCase): Promise<CaseResult> {
  const start = performance.now();
  const result = (outcome: CaseResult["outcome"], reason = ""): CaseResult => ({
    name,
    outcome,
    reason,
    milliseconds: Math.round(performance.now() - start),
  });
  try {
    const skipped = await execute();
    return skipped === undefined ? result("passed") : result("skipped", skipped);
  } catch (error) {
    return result(error instanceof Inconclusive ? "inconclusive" : "failed", error instanceof Error ? error.message : String(error));
  }
}

const marks = { passed: "ok", failed: "FAILED", inconclusive: "unclear", skipped: "skipped" } as const;

function tableOf(results: readonly CaseResult[]): string {
  const rows = results.map(({ name, outcome, reason, milliseconds }) => {
    const row = `${marks[outcome].padEnd(8)}${String(milliseconds).padStart(6)} ms  ${name}`;
    return reason === "" ? row : `${row}\n${reason.replaceAll(/^/gm, " ".repeat(19))}`;
  });
  const total = Object.entries(marks).map(([outcome]) => `${results.filter((result) => result.outcome === outcome).length} ${outcome}`);
  return [...rows, "", total.join(", ")].join("\n");
}
