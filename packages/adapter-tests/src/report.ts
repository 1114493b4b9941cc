import { judgements, type AdapterCasesOptions, type Judgement } from "./adapter-cases.ts";
import { CannotJudge } from "./failure.ts";

/** How one case went. */
export interface CaseResult {
  readonly name: string;
  /** `unjudged`: what the case is about cannot be seen while another case fails; `reason` names that case. */
  readonly outcome: "passed" | "failed" | "unjudged" | "skipped";
  /** Why it was skipped or could not be judged, or what was expected and what came. Empty where it passed. */
  readonly reason: string;
  readonly milliseconds: number;
}

/** How all cases went. */
export interface AdapterReport {
  /** True when nothing failed. What was skipped is not counted: read the reasons. */
  readonly ok: boolean;
  readonly results: readonly CaseResult[];
  /** All of it as a table to print. */
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
  for (const judgement of judgements(options)) results.push(await resultOf(judgement));
  return { ok: results.every(({ outcome }) => outcome === "passed" || outcome === "skipped"), results, text: tableOf(results) };
}

async function resultOf({ name, judge }: Judgement): Promise<CaseResult> {
  const start = performance.now();
  const result = (outcome: CaseResult["outcome"], reason = ""): CaseResult => ({
    name,
    outcome,
    reason,
    milliseconds: Math.round(performance.now() - start),
  });
  try {
    const skipped = await judge();
    return skipped === undefined ? result("passed") : result("skipped", skipped);
  } catch (error) {
    return result(error instanceof CannotJudge ? "unjudged" : "failed", error instanceof Error ? error.message : String(error));
  }
}

const marks = { passed: "ok", failed: "FAILED", unjudged: "unclear", skipped: "skipped" } as const;

function tableOf(results: readonly CaseResult[]): string {
  const rows = results.map(({ name, outcome, reason, milliseconds }) => {
    const row = `${marks[outcome].padEnd(8)}${String(milliseconds).padStart(6)} ms  ${name}`;
    return reason === "" ? row : `${row}\n${reason.replaceAll(/^/gm, " ".repeat(19))}`;
  });
  const total = Object.entries(marks).map(([outcome]) => `${results.filter((result) => result.outcome === outcome).length} ${outcome}`);
  return [...rows, "", total.join(", ")].join("\n");
}
