import * as z from "zod";

/**
 * Matches an email address: the dot-atom of RFC 5322 section 3.2.3 before the `@`, and a domain in ASCII with at least
 * two labels after it. Browsers accept the same characters in `<input type="email">`. Quoted local parts and IP addresses
 * do not match.
 */
const addressPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/i;

/**
 * An email address, stored in lower case as in Auth0. An internationalized domain is stored in its ASCII spelling, so
 * `ada@bücher.example` and `ada@xn--bcher-kva.example` are one address.
 */
export const emailSchema = z
  .string()
  .overwrite(withAsciiDomain)
  // The characters are checked before `toLowerCase`, which turns the Kelvin sign into the letter k.
  .check(z.email({ pattern: addressPattern }))
  .max(320)
  .toLowerCase()
  .meta({ pattern: undefined });

/** Returns the spelling in which {@link emailSchema} stores an address, for a comparison or a search with typed text. */
export function foldEmail(typed: string): string {
  return withAsciiDomain(typed).toLowerCase();
}

/**
 * Returns a domain in lower case, and an internationalized domain in its ASCII spelling (UTS #46, as browsers write it).
 * Other text is only converted to lower case.
 */
export function foldDomain(domain: string): string {
  // `new URL` also accepts ports, paths and escapes, so it receives only letters, digits, hyphens and dots.
  const isInternationalized = /[^\0-\x7f]|xn--/i.test(domain) && /^[^\0-,/:-@[-`{-\x7f]+$/.test(domain);
  const url = `http://${domain}/`;
  return isInternationalized && URL.canParse(url) ? new URL(url).hostname : domain.toLowerCase();
}

function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf("@");
  return at === -1 ? address : address.slice(0, at + 1) + foldDomain(address.slice(at + 1));
}
