import { QueryError } from "./error.ts";

/** A literal as it is written in the query, and its position. */
export interface WrittenLiteral {
  readonly text: string;
  readonly quoted: boolean;
  readonly at: number;
}

/** Parses a whole number that JavaScript represents exactly. */
export function integerOf({ text, at }: WrittenLiteral): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new QueryError(at, "a whole number is expected here");
  return value === 0 ? 0 : value; // "-0" is 0
}

export function booleanOf({ text, at }: WrittenLiteral): boolean {
  if (text !== "true" && text !== "false") throw new QueryError(at, "true or false is expected here");
  return text === "true";
}

/** Returns the number (in JSON syntax) or boolean that an unquoted metadata value may mean in addition to its text. */
export function typedOf({ text, quoted }: WrittenLiteral): number | boolean | undefined {
  if (quoted) return undefined;
  if (text === "true" || text === "false") return text === "true";
  if (text.length > 24 || !/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return value === 0 ? 0 : value;
}

/** A period: from `start` (inclusive) to `end` (exclusive), in milliseconds since 1970 (UTC). */
interface Period {
  readonly start: number;
  readonly end: number;
}

const minute = 60_000;
const iso = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?)?)?$/;

/**
 * Parses an ISO 8601 date or date-time to the period that its precision implies: `2024-05` is all of May. The default
 * zone is UTC.
 */
export function periodOf({ text, at }: WrittenLiteral): Period {
  const [, year, month, day, hour, minutes, second, fraction, zone] = iso.exec(text) ?? [];
  const wrong = () => new QueryError(at, "a date is expected here, such as 2024-05-31 or 2024-05-31T12:00:00Z");
  if (year === undefined) throw wrong();
  const parts = [Number(year), Number(month ?? 1), Number(day ?? 1), Number(hour ?? 0), Number(minutes ?? 0), Number(second ?? 0)] as const;
  const [y, mo, d, h, mi, s] = parts;
  const local = Date.UTC(y, mo - 1, d, h, mi, s, Number((fraction ?? "").padEnd(3, "0").slice(0, 3)));
  const back = new Date(local);
  const same = [
    back.getUTCFullYear(),
    back.getUTCMonth() + 1,
    back.getUTCDate(),
    back.getUTCHours(),
    back.getUTCMinutes(),
    back.getUTCSeconds(),
  ];
  if (same.some((part, i) => part !== parts[i])) throw wrong(); // such as 2024-02-30, which Date.UTC would carry into March
  const start = local - offsetOf(zone, wrong);
  if (fraction !== undefined) return { start, end: start + 1 };
  if (second !== undefined) return { start, end: start + 1000 };
  if (hour !== undefined) return { start, end: start + minute };
  if (day !== undefined) return { start, end: Date.UTC(y, mo - 1, d + 1) };
  return { start, end: month !== undefined ? Date.UTC(y, mo, 1) : Date.UTC(y + 1, 0, 1) };
}

function offsetOf(zone: string | undefined, wrong: () => QueryError): number {
  if (zone === undefined || zone === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hours > 23 || minutes > 59) throw wrong();
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * minute;
}
