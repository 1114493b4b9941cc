import type { RequestTenant } from "../../../tenants/tenant.ts";
import type { SelectChoice } from "../pages/select.tsx";

/**
 * Returns the tenant's languages, each in its own words. A stored language stays among them.
 * @param stored the user's claim `locale`.
 */
export function languageOptions({ settings }: RequestTenant, stored: string | undefined): readonly SelectChoice[] {
  const tags = new Set([...settings.enabled_locales, ...(stored === undefined || stored === "" ? [] : [stored])]);
  return [...tags].map((value) => ({ value, label: nameOfLanguage(value) }));
}

function nameOfLanguage(tag: string): string {
  const known = tag.replaceAll("_", "-");
  try {
    return new Intl.DisplayNames([known], { type: "language" }).of(known) ?? tag;
  } catch {
    return tag;
  }
}

/** Returns the time zones that this runtime knows. A stored time zone stays among them. */
export function zoneOptions(stored: string): readonly string[] {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", ...(stored === "" ? [] : [stored])]);
  return [...zones].toSorted();
}
