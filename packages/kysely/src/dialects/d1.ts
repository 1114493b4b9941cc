import type { Dialect, Fault } from "../dialect.ts";
import { wranglerTable } from "../names.ts";
import { sqlite } from "./sqlite.ts";

/** D1 is SQLite with limits, and with errors that are text. https://developers.cloudflare.com/d1/platform/limits/ */
export const d1: Dialect = {
  ...sqlite,
  name: "d1",
  mostValues: 100,
  fault: (error) => (error instanceof Error ? faults.find(([, text]) => text.test(error.message))?.[0] : undefined),
  fileRecord: wranglerTable,
};

/**
 * What D1 says. Where a connection was lost or the database reset, nobody knows whether the statement took effect: only what never began is tried again.
 * https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
 */
const faults: readonly (readonly [Fault, RegExp])[] = [
  ["conflict", /UNIQUE constraint failed/],
  ["retry", /D1 DB is overloaded|Cannot resolve D1 DB|SQLITE_(BUSY|LOCKED)/],
  ["unavailable", /Network connection lost|exceeded timeout|object to be reset|was reset|reset because its code was updated/],
  ["unavailable", /Exceeded maximum DB size|maximum account storage limit|SQLITE_(FULL|IOERR|CANTOPEN)/],
];
