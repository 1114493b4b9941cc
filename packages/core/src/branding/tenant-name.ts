/** The parts of a tenant that its displayed name depends on. */
interface NamedTenant {
  readonly id: string;
  readonly record: { readonly name: string; readonly friendly_name: string };
  readonly urls: { readonly host: string };
}

/**
 * Returns the tenant's name for pages and messages: the friendly name, else the name.
 * Both default to the tenant's id, which means nothing to a visitor; the host of the tenant's URLs is returned then.
 */
export function tenantNameOf({ id, record, urls }: NamedTenant): string {
  return [record.friendly_name, record.name].find((name) => name.trim() !== "" && name !== id) ?? urls.host;
}
