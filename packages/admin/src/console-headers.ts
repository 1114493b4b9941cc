/** Creates the headers of every page. @param issuer the sign-out leads to it, which `form-action` must allow. */
export function pageHeaders(issuer: string): { readonly [name: string]: string } {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
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

/**
 * The headers of the preview of a login page. Only pages of the console may frame it. The sandbox allows neither scripts
 * nor forms, so its inline style sheet is harmless. The logo and the font are on servers that the tenant has chosen.
 */
export const previewHeaders: { readonly [name: string]: string } = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; font-src https:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "no-referrer",
};

/** The headers of an error in the frame of the preview. */
export const previewErrorHeaders: { readonly [name: string]: string } = {
  ...previewHeaders,
  "content-type": "text/plain; charset=utf-8",
};

/** The headers of every response with data of a tenant. */
export const privateHeaders: { readonly [name: string]: string } = {
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};
