import { chooseLocale } from "../locales/locale.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import type { PageLook } from "./screen.ts";

/** How a tenant's pages look for whoever sent this request. @param uiLocales the client's wish for a language. */
export function lookOf({ record, settings, catalogues, facts }: Tenant, uiLocales: string | undefined): PageLook {
  const { branding, friendly_name: tenantName } = record;
  const colors = branding["colors"];
  const logo = text(branding["logo_url"]);
  const primary = text(memberOf(colors, "primary"));
  const background = text(memberOf(colors, "page_background"));
  return {
    tenantName,
    branding: {
      ...(logo !== undefined && { logoUrl: logo }),
      ...(primary !== undefined && { primaryColor: primary }),
      ...(background !== undefined && { pageBackground: background }),
    },
    catalogues,
    locale: chooseLocale({
      ...(uiLocales !== undefined && { uiLocales }),
      acceptLanguage: facts.acceptLanguage,
      enabled: settings.enabled_locales,
      spoken: catalogues,
    }),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
