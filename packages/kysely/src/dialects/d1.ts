import type { Dialect, ErrorClass } from "../dialect.ts";
import { wranglerTable } from "../names.ts";
import { sqlite } from "./sqlite.ts";

/**
 * The dialect for D1, which is SQLite with limits and without error codes.
 * https://developers.cloudflare.com/d1/platform/limits/
 */
export const d1: Dialect = {
  ...sqlite,
  name: "d1",
  // D1 reports overload as an error that can be retried. Many retries would add to the overload.
  maxAttempts: 3,
  maxValues: 100,
  classifyError: (error) => (error instanceof Error ? faults.find(([, text]) => text.test(error.message))?.[0] : undefined),
  fileRecord: wranglerTable,
};

/**
 * The class of each D1 error message. After a lost connection or a reset of the database, the result of the statement
 * is unknown. Only statements that never started are retried.
 * https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
 */
const faults: readonly (readonly [ErrorClass, RegExp])[] = [
  ["conflict", /UNIQUE constraint failed/],
  ["retry", /D1 DB is overloaded|Cannot resolve D1 DB|SQLITE_(BUSY|LOCKED)/],
  ["unavailable", /Network connection lost|exceeded timeout|object to be reset|was reset|reset because its code was updated/],
  ["unavailable", /Exceeded maximum DB size|maximum account storage limit|SQLITE_(FULL|IOERR|CANTOPEN)/],
];
