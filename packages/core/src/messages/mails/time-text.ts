/**
 * Formats a point in time in a language. The text is in UTC and names that time zone, because the reader's time zone is
 * unknown.
 * @param instant milliseconds since 1970.
 */
export function timeText(instant: number, lang: string): string {
  const parts = { day: "numeric", month: "long", year: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat(lang, { ...parts, timeZone: "UTC" }).format(instant);
}
