import type { PageBranding } from "./branding.ts";

/**
 * Returns the origin of an image for a Content-Security-Policy. Returns undefined unless the URL is an http or https
 * URL without credentials. The host of a URL may contain `;`, `,` and `'`, which could end a directive and begin
 * another one. The host must therefore consist of characters that host names and IP addresses contain.
 */
function imageOrigin(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, hostname, origin, username, password } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  if (username !== "" || password !== "") return undefined;
  return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(hostname) ? origin : undefined;
}

/** Returns the origins of images, for `img-src` in a Content-Security-Policy. */
export function pictureSources(urls: readonly (string | undefined)[]): string[] {
  return [...new Set(urls.map(imageOrigin).filter((origin) => origin !== undefined))];
}

/** Returns the normalized URL of an image; undefined if pages must not load the image. */
export function imageUrl(url: string | undefined): string | undefined {
  return url === undefined || imageOrigin(url) === undefined ? undefined : new URL(url).href;
}

/** Returns the origins of the images and the font in a branding, for a Content-Security-Policy. */
export function brandingSources(branding: PageBranding): { readonly images: readonly string[]; readonly fonts: readonly string[] } {
  const { logoUrl, darkLogoUrl, faviconUrl, backgroundImageUrl, fontUrl } = branding;
  return { images: pictureSources([logoUrl, darkLogoUrl, faviconUrl, backgroundImageUrl]), fonts: pictureSources([fontUrl]) };
}
