/**
 * Matches a tenant ID: 1 to 63 lower-case letters, digits, `-` and `_`. It begins with a letter or digit. It does not have
 * the prefix of organization IDs, and is not a word that would be ambiguous in a URL.
 */
export const tenantIdPattern = /^(?!org_|(?:api|www|admin|tenants|operations|oauth|authorize|login)$)[a-z0-9][a-z0-9_-]{0,62}$/;

/** Returns `true` if a string is a valid tenant ID, see {@link tenantIdPattern}. */
export function isTenantId(text: string): boolean {
  return tenantIdPattern.test(text);
}
