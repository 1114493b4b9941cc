/**
 * Formats an instant in a language. Uses UTC and says so, because the reader's time zone is unknown.
 * @param instant milliseconds since 1970.
 */
export function timeText(instant: number, lang: string): string {
  const parts = { day: "numeric", month: "long", year: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat(lang, { ...parts, timeZone: "UTC" }).format(instant);
}
