/**
 * Whether a text is a URL that a browser can open. Not every registered URL is: some contain placeholders or have the
 * scheme of a native application.
 */
export function isWebUrl(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url);
}
