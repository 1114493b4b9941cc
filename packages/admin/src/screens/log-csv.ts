import { shownEventsSchema, type ShownEvent } from "../resources.ts";
import type { ScreenRequest } from "../screen.ts";
import { eventTitle } from "./log-events.ts";
import { logSearch, type LogFilters } from "./log-search.ts";
import { read } from "./read-parts.ts";

/** The maximum number of events in a file. Log streams export a whole log. */
export const maximumRows = 5000;

const perRequest = 100;

/** Reads the filtered events page by page, newest first, up to {@link maximumRows}. */
export async function readAllEvents({ api, now }: Pick<ScreenRequest, "api" | "now">, filters: LogFilters): Promise<readonly ShownEvent[]> {
  const events: ShownEvent[] = [];
  for (let before: string | undefined; events.length < maximumRows; before = events.at(-1)?.log_id) {
    const q = logSearch(filters, now, before === undefined ? {} : { before });
    const page = shownEventsSchema.parse(await read(api, ["logs"], { per_page: String(perRequest), q }));
    events.push(...page);
    if (page.length < perRequest) break;
  }
  return events.slice(0, maximumRows);
}

const columns = [
  "date",
  "type",
  "event",
  "description",
  "user_id",
  "user_name",
  "client_id",
  "client_name",
  "connection",
  "ip",
  "user_agent",
  "log_id",
] as const;

/** Returns events as CSV (RFC 4180). */
export function csvOf(events: readonly ShownEvent[]): string {
  const rows = events.map((event) => columns.map((name) => (name === "event" ? eventTitle(event.type) : (event[name] ?? ""))));
  return [columns, ...rows]
    .map((row) => row.map(csvCell).join(","))
    .join("\r\n")
    .concat("\r\n");
}

/** A spreadsheet runs text that begins with one of these characters as a formula, unless an apostrophe precedes it. */
function csvCell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
