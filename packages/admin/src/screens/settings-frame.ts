import type { ComponentChildren } from "preact";
import { consoleTexts } from "../console-texts.ts";
import type { ScreenPage, ScreenRequest } from "../screen.ts";

const texts = consoleTexts.settings;

/** A tab of the settings of a tenant. */
export type SettingsTab = keyof typeof texts.tabs;

/** Returns the path of a tab. */
export function tenantSettingsPath(
  { links }: Pick<ScreenRequest, "links">,
  tab: SettingsTab,
  query: { readonly [name: string]: string } = {},
): string {
  return links.to(tab === "general" ? ["settings"] : ["settings", tab], query);
}

/** A record that is listed in the settings of a tenant, such as a log stream. */
interface SettingsRecord {
  readonly id: string;
  readonly name: string;
  readonly badges?: ComponentChildren;
}

/** Returns the page of a record that is listed in a tab. */
export function settingsRecordPage(
  request: ScreenRequest,
  tab: SettingsTab,
  { id, name, badges }: SettingsRecord,
  body: ComponentChildren,
  actions?: ComponentChildren,
): ScreenPage {
  return {
    title: name,
    section: "settings",
    trail: [
      { text: texts.title, href: tenantSettingsPath(request, "general") },
      { text: texts.tabs[tab], href: tenantSettingsPath(request, tab) },
    ],
    recordId: id,
    badges,
    ...(actions !== undefined && { actions }),
    body,
  };
}

/** Returns a page of the settings of the tenant. */
export function tenantSettingsPage(
  request: ScreenRequest,
  current: SettingsTab,
  body: ComponentChildren,
  actions?: ComponentChildren,
): ScreenPage {
  return {
    title: texts.title,
    section: "settings",
    ...(actions !== undefined && { actions }),
    tabs: Object.entries(texts.tabs).map(([tab, text]) => ({
      text,
      href: tenantSettingsPath(request, tab as SettingsTab),
      isCurrent: tab === current,
    })),
    body,
  };
}
