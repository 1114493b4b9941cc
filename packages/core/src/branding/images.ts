import type { PageBranding } from "./branding.ts";

/**
 * Where a picture may come from, for a Content-Security-Policy; undefined for everything but a plain http or https address.
 * URL hosts may hold `;`, `,` and `'`, which would end one directive and begin another, so the host is held to what names and addresses need.
 */
export function imageOrigin(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, hostname, origin, username, password } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  if (username !== "" || password !== "") return undefined;
  return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(hostname) ? origin : undefined;
}

/** The origins that pictures come from, for `img-src` of a Content-Security-Policy. */
export function pictureSources(urls: readonly (string | undefined)[]): string[] {
  return [...new Set(urls.map(imageOrigin).filter((origin) => origin !== undefined))];
}

/** The address as the browser will read it, where it may be shown. */
export function imageUrl(url: string | undefined): string | undefined {
  return url === undefined || imageOrigin(url) === undefined ? undefined : new URL(url).href;
}

/** What a branding loads from elsewhere, for a Content-Security-Policy. */
export function brandingSources(branding: PageBranding): { readonly images: readonly string[]; readonly fonts: readonly string[] } {
  const { logoUrl, darkLogoUrl, faviconUrl, backgroundImageUrl, fontUrl } = branding;
  return { images: pictureSources([logoUrl, darkLogoUrl, faviconUrl, backgroundImageUrl]), fonts: pictureSources([fontUrl]) };
}
