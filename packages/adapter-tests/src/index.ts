export { createAdapterCases, type AdapterCase, type AdapterCasesOptions } from "./adapter-cases.ts";
export { runAdapterCases, type AdapterReport, type CaseResult } from "./report.ts";
