import type { PageBranding } from "./branding.ts";

/**
 * Returns the origin of an image for a Content-Security-Policy; undefined unless the URL is a plain http or https URL.
 * URL hosts may contain `;`, `,` and `'`, which would end one directive and begin another. The host is therefore
 * limited to the characters of host names and IP addresses.
 */
function imageOrigin(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, hostname, origin, username, password } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  if (username !== "" || password !== "") return undefined;
  return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(hostname) ? origin : undefined;
}

/** Returns the origins of images, for `img-src` of a Content-Security-Policy. */
export function pictureSources(urls: readonly (string | undefined)[]): string[] {
  return [...new Set(urls.map(imageOrigin).filter((origin) => origin !== undefined))];
}

/** Returns the URL in the form that browsers parse, if it may be shown; otherwise undefined. */
export function imageUrl(url: string | undefined): string | undefined {
  return url === undefined || imageOrigin(url) === undefined ? undefined : new URL(url).href;
}

/** Returns the origins of the external resources of a branding, for a Content-Security-Policy. */
export function brandingSources(branding: PageBranding): { readonly images: readonly string[]; readonly fonts: readonly string[] } {
  const { logoUrl, darkLogoUrl, faviconUrl, backgroundImageUrl, fontUrl } = branding;
  return { images: pictureSources([logoUrl, darkLogoUrl, faviconUrl, backgroundImageUrl]), fonts: pictureSources([fontUrl]) };
}
