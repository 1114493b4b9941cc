import type { TenantSettings } from "../model/tenant/settings.ts";

/** Where a tenant's people get help: a page, or an address for mail. */
export function supportLink({ support_url: page, support_email: email }: TenantSettings): string | undefined {
  if (isWebUrl(page)) return page;
  return email === "" ? undefined : `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}

/** Whether a browser can be led there: also registered addresses may hold placeholders, and schemes of apps. */
export function isWebUrl(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url);
}
