import type { Translate } from "../../locales/translate.ts";
import { claimMembers } from "../../model/users/standard-claims.ts";
import type { AccountVisit } from "./visit.ts";

/**
 * Formats a date in the user's time zone, or in UTC if the time zone is unknown.
 * @param at milliseconds since 1970.
 */
export function dateText({ user }: AccountVisit, { lang }: Translate, at: number): string {
  return format(user, lang, { dateStyle: "medium" }, at);
}

/** Formats a date and a time in the user's time zone, or in UTC, which the text then names. */
export function momentText({ user }: AccountVisit, { lang }: Translate, at: number): string {
  const parts = { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
  return format(user, lang, parts, at);
}

function format(user: AccountVisit["user"], lang: string, options: Intl.DateTimeFormatOptions, at: number): string {
  const { zoneinfo = "UTC" } = claimMembers(user);
  return new Intl.DateTimeFormat(lang, { ...options, timeZone: isTimeZone(zoneinfo) ? zoneinfo : "UTC" }).format(at);
}

/** Whether this runtime knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
