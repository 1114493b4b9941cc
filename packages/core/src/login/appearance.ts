import type { Row } from "../store/schema.ts";
import { chooseLocale } from "../locales/locale.ts";
import { translator } from "../locales/translate.ts";
import { brandingFor } from "../branding/branding.ts";
import { supportLink } from "../branding/support.ts";
import { isWebUrl } from "../model/web-url.ts";
import { tenantNameOf } from "../branding/tenant-name.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { FooterLinks, PageAppearance } from "./components/drawing.ts";
import { applyCustomTexts } from "./custom-texts.ts";

/** The data from which the appearance of a page is determined. */
export interface AppearanceOptions {
  /** The name of the page, if it can have custom texts. */
  readonly name?: string;
  /** The languages that the client requests (`ui_locales`). */
  readonly uiLocales?: string | undefined;
  /** The client that the visitor comes from. */
  readonly client?: RegisteredClient | undefined;
  /**
   * The organization that the visitor signs in to. The branding of the organization takes precedence over the tenant's.
   */
  readonly organization?: Row<"organizations"> | undefined;
}

/** Returns the branding, the texts and the links for a tenant's pages in this request. */
export async function appearanceOf(
  tenant: RequestTenant,
  { name, uiLocales, client, organization }: AppearanceOptions,
): Promise<PageAppearance> {
  const { record, settings, translations, requestInfo } = tenant;
  const locale = chooseLocale({
    ...(uiLocales !== undefined && { uiLocales }),
    acceptLanguage: requestInfo.acceptLanguage,
    enabled: settings.enabled_locales,
    available: translations,
  });
  return {
    tenantName: tenantNameOf(tenant),
    branding: brandingFor(record.branding, organization),
    links: linksOf(tenant, client),
    t: await applyCustomTexts(tenant, await translator(translations, locale, settings.form_of_address), { name, client, organization }),
  };
}

/** Returns the links to the tenant's support, the client's terms of service and the client's privacy policy. */
function linksOf({ settings }: RequestTenant, client: RegisteredClient | undefined): FooterLinks {
  const { tos_uri: terms = "", policy_uri: privacy = "" } = client?.settings ?? {};
  const support = supportLink(settings);
  return { ...(support !== undefined && { support }), ...(isWebUrl(terms) && { terms }), ...(isWebUrl(privacy) && { privacy }) };
}
