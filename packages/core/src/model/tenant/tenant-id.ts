/** Reserved words that would be ambiguous in a URL. */
const reservedIds = new Set(["api", "www", "admin", "tenants", "operations", "oauth", "authorize", "login"]);

/**
 * Returns `true` if a string is a valid tenant ID. A tenant ID has 1 to 63 lower-case letters, digits, `-` and `_`,
 * begins with a letter or digit, is not a reserved word, and does not have the prefix of organization IDs.
 */
export function isTenantId(text: string): boolean {
  return /^(?!org_)[a-z0-9][a-z0-9_-]{0,62}$/.test(text) && !reservedIds.has(text);
}
