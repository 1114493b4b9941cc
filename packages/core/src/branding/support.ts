import type { TenantSettings } from "../model/tenant/settings.ts";

/** Returns the link to a tenant's support: a page or an email address. */
export function supportLink({ support_url: page, support_email: email }: TenantSettings): string | undefined {
  if (isWebUrl(page)) return page;
  return email === "" ? undefined : `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}

/**
 * Whether a browser can open the URL. Registered URLs may also contain placeholders, or have schemes of native
 * applications.
 */
export function isWebUrl(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url);
}
