import { consoleTexts } from "./console-texts.ts";

/** Units, with the least milliseconds for which each is used. */
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 5000],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Returns a time relative to now, such as `2 hours ago`. Both times are in milliseconds since 1970. */
export function relativeTime(time: number, now: number): string {
  const difference = time - now;
  const found = units.find(([, least]) => Math.abs(difference) >= least);
  if (found === undefined) return consoleTexts.relative.now;
  const [unit, least] = found;
  return relative.format(Math.trunc(difference / (unit === "second" ? 1000 : least)), unit);
}

/** Returns the exact time in UTC, such as `2026-11-29 14:05:09 UTC`. @param time milliseconds since 1970. */
export function exactTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
