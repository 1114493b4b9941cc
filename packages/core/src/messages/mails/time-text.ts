/** An instant in the words of a language. In UTC, and saying so: where the reader is, nobody knows. @param instant milliseconds since 1970. */
export function timeText(instant: number, lang: string): string {
  const parts = { day: "numeric", month: "long", year: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat(lang, { ...parts, timeZone: "UTC" }).format(instant);
}
