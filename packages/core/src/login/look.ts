import type { Row } from "../data/schema.ts";
import type { JsonObject } from "../data/value.ts";
import { chooseLocale } from "../locales/locale.ts";
import { translator } from "../locales/translate.ts";
import { organizationLook } from "../model/organizations/branding.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import type { FooterLinks, PageBranding, PageLook } from "./kit/drawing.ts";
import { isWebUrl } from "./way-on.ts";

/** What the looks of a page depend on besides its tenant. */
export interface LookOptions {
  /** The client's wish for a language. */
  readonly uiLocales?: string | undefined;
  /** The client that somebody comes from. */
  readonly client?: Client | undefined;
  /** The organization that somebody signs in to: what it says about its looks comes first. */
  readonly organization?: Row<"organizations"> | undefined;
}

/** How a tenant's pages look for whoever sent this request. */
export async function lookOf(tenant: Tenant, { uiLocales, client, organization }: LookOptions): Promise<PageLook> {
  const { record, settings, catalogues, requestInfo } = tenant;
  const locale = chooseLocale({
    ...(uiLocales !== undefined && { uiLocales }),
    acceptLanguage: requestInfo.acceptLanguage,
    enabled: settings.enabled_locales,
    spoken: catalogues,
  });
  return {
    tenantName: record.friendly_name,
    branding: withOrganization(brandingOf(record.branding), organization),
    links: linksOf(tenant, client),
    say: await translator(catalogues, locale, settings.form_of_address),
  };
}

/** The tenant's help, and the client's own words about its service. */
function linksOf({ settings }: Tenant, client: Client | undefined): FooterLinks {
  const { support_url: page, support_email: email } = settings;
  const { tos_uri: terms = "", policy_uri: privacy = "" } = client?.settings ?? {};
  const support = isWebUrl(page) ? page : email !== "" && `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
  return { ...(support !== false && { support }), ...(isWebUrl(terms) && { terms }), ...(isWebUrl(privacy) && { privacy }) };
}

/** What an organization does not say is as the tenant has it; its name stands beside its own logo, or where there is none at all. */
function withOrganization(tenants: PageBranding, organization: Row<"organizations"> | undefined): PageBranding {
  if (organization === undefined) return tenants;
  const own = brandingOf(organization.branding);
  const named = own.logoUrl !== undefined || tenants.logoUrl === undefined;
  const { darkLogoUrl: dark, ...rest } = tenants;
  return {
    ...rest,
    ...(dark !== undefined && own.logoUrl === undefined && { darkLogoUrl: dark }),
    ...own,
    ...(named && { name: organizationLook(organization).name }),
  };
}

function brandingOf(stored: JsonObject): PageBranding {
  const [logo, darkLogo, favicon] = [text(stored["logo_url"]), text(stored["logo_url_dark"]), text(stored["favicon_url"])];
  const primary = text(memberOf(stored["colors"], "primary"));
  const background = backgroundOf(memberOf(stored["colors"], "page_background"));
  return {
    ...(logo !== undefined && { logoUrl: logo }),
    ...(darkLogo !== undefined && { darkLogoUrl: darkLogo }),
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
