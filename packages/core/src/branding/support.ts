import type { SupportedTenantSettings } from "../model/tenant/settings.ts";

/**
 * Returns the URL of a tenant's support: a web page, otherwise a `mailto:` link. Returns undefined if neither is
 * configured.
 */
export function supportLink({ support_url: page, support_email: email }: SupportedTenantSettings): string | undefined {
  if (isWebUrl(page)) return page;
  return email === "" ? undefined : `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}

/**
 * Whether a text is a URL that a browser can open. Not every registered URL is: some contain placeholders or have the
 * scheme of a native application.
 */
export function isWebUrl(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url);
}
