import { isWebUrl } from "../model/web-url.ts";
import type { SupportedTenantSettings } from "../model/tenant/settings.ts";

/**
 * Returns the URL of a tenant's support: a web page, otherwise a `mailto:` link. Returns undefined if neither is
 * configured.
 */
export function supportLink({ support_url: page, support_email: email }: SupportedTenantSettings): string | undefined {
  if (isWebUrl(page)) return page;
  return email === "" ? undefined : `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
