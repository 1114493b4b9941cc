import { consoleTexts } from "../console-texts.ts";
import { eventKinds } from "./log-events.ts";
import { quotedTerm } from "./read-parts.ts";

/** The filters of the log. Empty texts filter nothing. */
export interface LogFilters {
  /** A key of the time ranges. */
  readonly range: string;
  /** A key of {@link eventKinds}. */
  readonly kind: string;
  readonly user: string;
  readonly client: string;
  readonly ip: string;
}

/** Milliseconds. A range that is missing here has no start. */
const lengths: { readonly [range: string]: number } = { "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 };

/** Reads the filters of a URL. Unknown values are replaced by the defaults: the last 24 hours, and all events. */
export function logFilters(query: URLSearchParams): LogFilters {
  const text = (name: string): string => (query.get(name) ?? "").trim().slice(0, 300);
  const known = (name: string, values: object, otherwise: string): string => (Object.hasOwn(values, text(name)) ? text(name) : otherwise);
  return {
    range: known("range", consoleTexts.logs.ranges, "24h"),
    kind: known("kind", eventKinds, "all"),
    user: text("user"),
    client: text("client"),
    ip: text("ip"),
  };
}

/**
 * Returns the search for the filters; undefined if it has no condition.
 * @param now milliseconds since 1970.
 * @param limit the id of the event before or after which the events are. Ids sort by time.
 */
export function logSearch(
  { range, kind, user, client, ip }: LogFilters,
  now: number,
  limit: { readonly before?: string; readonly after?: string } = {},
): string | undefined {
  const length = lengths[range];
  const types = eventKinds[kind] ?? [];
  const conditions = [
    ...(length === undefined ? [] : [`date:[${new Date(now - length).toISOString()} TO *]`]),
    ...(types.length === 0 ? [] : [`(${types.map((type) => `type:${type}`).join(" OR ")})`]),
    ...(user === "" ? [] : [`user_id:${quotedTerm(user)}`]),
    ...(client === "" ? [] : [`client_id:${quotedTerm(client)}`]),
    ...(ip === "" ? [] : [`ip:${quotedTerm(ip)}`]),
    ...(limit.before === undefined ? [] : [`log_id:{* TO ${quotedTerm(limit.before)}}`]),
    ...(limit.after === undefined ? [] : [`log_id:{${quotedTerm(limit.after)} TO *}`]),
  ];
  return conditions.length === 0 ? undefined : conditions.join(" AND ");
}
