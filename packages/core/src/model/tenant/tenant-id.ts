/** Words that would be taken for something else in an address. */
const reservedIds = new Set(["api", "www", "admin", "tenants", "operations", "oauth", "authorize", "login"]);

/** Whether a text can be a tenant's id: 1 to 63 lower-case letters, digits, `-` and `_`, and no reserved word. What begins like an organization's id is none. */
export function isTenantId(text: string): boolean {
  return /^(?!org_)[a-z0-9][a-z0-9_-]{0,62}$/.test(text) && !reservedIds.has(text);
}
