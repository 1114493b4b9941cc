/** The parts of a tenant from which its displayed name is taken. */
interface NamedTenant {
  readonly id: string;
  readonly record: { readonly name: string; readonly friendly_name: string };
  readonly urls: { readonly host: string };
}

/**
 * Returns the tenant's name for pages and messages: the friendly name, otherwise the name. Both default to the tenant's
 * id, which means nothing to a visitor. If neither was changed, returns the host in the tenant's URLs.
 */
export function tenantNameOf({ id, record, urls }: NamedTenant): string {
  return [record.friendly_name, record.name].find((name) => name.trim() !== "" && name !== id) ?? urls.host;
}
