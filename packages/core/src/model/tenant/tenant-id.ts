/** Reserved words that would be ambiguous in a URL. */
const reservedIds = new Set(["api", "www", "admin", "tenants", "operations", "oauth", "authorize", "login"]);

/**
 * Returns `true` if a string is a valid tenant id: 1 to 63 lower-case letters, digits, `-` and `_`, not a reserved
 * word, and not with the prefix of organization ids.
 */
export function isTenantId(text: string): boolean {
  return /^(?!org_)[a-z0-9][a-z0-9_-]{0,62}$/.test(text) && !reservedIds.has(text);
}
