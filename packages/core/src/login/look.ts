import type { Row } from "../store/schema.ts";
import { chooseLocale } from "../locales/locale.ts";
import { translator } from "../locales/translate.ts";
import { brandingFor } from "../branding/branding.ts";
import { isWebUrl, supportLink } from "../branding/support.ts";
import { tenantNameOf } from "../branding/tenant-name.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";
import type { FooterLinks, PageLook } from "./components/drawing.ts";
import { applyCustomTexts } from "./custom-texts.ts";

/** What the looks of a page depend on besides its tenant. */
export interface LookOptions {
  /** Names the page, where a tenant may have texts of its own for it. */
  readonly name?: string;
  /** The client's wish for a language. */
  readonly uiLocales?: string | undefined;
  /** The client that somebody comes from. */
  readonly client?: Client | undefined;
  /** The organization that somebody signs in to: what it says about its looks comes first. */
  readonly organization?: Row<"organizations"> | undefined;
}

/** How a tenant's pages look for whoever sent this request. */
export async function lookOf(tenant: Tenant, { name, uiLocales, client, organization }: LookOptions): Promise<PageLook> {
  const { record, settings, translations, requestInfo } = tenant;
  const locale = chooseLocale({
    ...(uiLocales !== undefined && { uiLocales }),
    acceptLanguage: requestInfo.acceptLanguage,
    enabled: settings.enabled_locales,
    spoken: translations,
  });
  return {
    tenantName: tenantNameOf(tenant),
    branding: brandingFor(record.branding, organization),
    links: linksOf(tenant, client),
    say: await applyCustomTexts(tenant, await translator(translations, locale, settings.form_of_address), { name, client, organization }),
  };
}

/** The tenant's help, and the client's own words about its service. */
function linksOf({ settings }: Tenant, client: Client | undefined): FooterLinks {
  const { tos_uri: terms = "", policy_uri: privacy = "" } = client?.settings ?? {};
  const support = supportLink(settings);
  return { ...(support !== undefined && { support }), ...(isWebUrl(terms) && { terms }), ...(isWebUrl(privacy) && { privacy }) };
}
