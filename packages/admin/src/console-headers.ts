/** Creates the headers of every page. @param issuer the sign-out leads to it, which `form-action` must allow. */
export function pageHeaders(issuer: string): { readonly [name: string]: string } {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action 'self' ${new URL(issuer).origin}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    // With `no-referrer`, browsers would send `Origin: null` with the forms of a page.
    "referrer-policy": "same-origin",
    ...privateHeaders,
  };
}

/** The headers of every response with data of a tenant. */
export const privateHeaders: { readonly [name: string]: string } = {
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};
