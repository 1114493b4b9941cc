import type { Row } from "../data/schema.ts";
import type { JsonObject } from "../data/value.ts";
import { chooseLocale } from "../locales/locale.ts";
import { organizationLook } from "../model/organizations/branding.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import type { PageBranding, PageLook } from "./kit/drawing.ts";

/** What the looks of a page depend on besides its tenant. */
export interface LookOptions {
  /** The client's wish for a language. */
  readonly uiLocales?: string | undefined;
  /** The organization that somebody signs in to: what it says about its looks comes first. */
  readonly organization?: Row<"organizations"> | undefined;
}

/** How a tenant's pages look for whoever sent this request. */
export function lookOf({ record, settings, catalogues, requestInfo }: Tenant, { uiLocales, organization }: LookOptions): PageLook {
  return {
    tenantName: record.friendly_name,
    branding: withOrganization(brandingOf(record.branding), organization),
    catalogues,
    locale: chooseLocale({
      ...(uiLocales !== undefined && { uiLocales }),
      acceptLanguage: requestInfo.acceptLanguage,
      enabled: settings.enabled_locales,
      spoken: catalogues,
    }),
  };
}

/** What an organization does not say is as the tenant has it; its name stands beside its own logo, or where there is none at all. */
function withOrganization(tenants: PageBranding, organization: Row<"organizations"> | undefined): PageBranding {
  if (organization === undefined) return tenants;
  const own = brandingOf(organization.branding);
  const named = own.logoUrl !== undefined || tenants.logoUrl === undefined;
  return { ...tenants, ...own, ...(named && { name: organizationLook(organization).name }) };
}

function brandingOf(stored: JsonObject): PageBranding {
  const [logo, favicon] = [text(stored["logo_url"]), text(stored["favicon_url"])];
  const primary = text(memberOf(stored["colors"], "primary"));
  const background = backgroundOf(memberOf(stored["colors"], "page_background"));
  return {
    ...(logo !== undefined && { logoUrl: logo }),
    ...(favicon !== undefined && { faviconUrl: favicon }),
    ...(primary !== undefined && { primaryColor: primary }),
    ...(background !== undefined && { pageBackground: background }),
  };
}

function backgroundOf(stored: unknown): PageBranding["pageBackground"] {
  const [start, end, angle] = [text(memberOf(stored, "start")), text(memberOf(stored, "end")), memberOf(stored, "angle_deg")];
  if (start !== undefined && end !== undefined && typeof angle === "number") return { start, end, angle };
  return text(stored);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
