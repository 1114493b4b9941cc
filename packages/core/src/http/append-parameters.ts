/**
 * Appends parameters to a redirect URI without parsing the URI, so that the registered URI stays unchanged to the byte. The
 * URL ends in an empty fragment. To a URL without a fragment, browsers add the fragment of the previous page, and would pass
 * foreign data to the client (RFC 9700 section 4.1.3).
 */
export function appendParameters(redirectUri: string, parameters: { readonly [name: string]: string }): string {
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(parameters)}#`;
}
