import type { TenantApi } from "@postern/core/api";

/** Where a page of a list begins. */
interface Place {
  readonly take: number;
  readonly from?: string;
}

/** What a list answers, its members under a name of its own. */
type Page<Name extends string, Item> = { readonly [N in Name]: readonly Item[] } & { readonly next?: string | undefined };

/** Reads a list to its end, page by page. */
async function all<const Name extends string, Item>(name: Name, read: (place: Place) => Promise<Page<Name, Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let place: Place = { take: 100 }; ;) {
    const page = await read(place);
    items.push(...page[name]);
    if (page.next === undefined) return items;
    place = { ...place, from: page.next };
  }
}

/**
 * What a tenant is made of, in the shapes of the Management API: settings, branding, clients and their grants, APIs, connections, roles with their permissions, organizations with their connections.
 * Without users, and without secrets, which no reply holds.
 * @param told how far it is.
 */
export async function tenantAsFile(api: TenantApi, told: (text: string) => void): Promise<object> {
  const [settings, branding] = await Promise.all([api.settings.get(), api.branding.get()]);
  told("clients");
  const clients = await all("clients", (place) => api.clients.list(place));
  const clientGrants = await all("client_grants", (place) => api.clientGrants.list(place));
  told("APIs");
  const resourceServers = await all("resource_servers", (place) => api.resourceServers.list(place));
  told("connections");
  const connections = await all("connections", (place) => api.connections.list(place));
  const roles = [];
  for (const role of await all("roles", (place) => api.roles.list(place))) {
    told(`role ${role.name}`);
    roles.push({ ...role, permissions: await all("permissions", (place) => api.roles.permissions.list(role.id, place)) });
  }
  const organizations = [];
  for (const organization of await all("organizations", (place) => api.organizations.list(place))) {
    told(`organization ${organization.name}`);
    const enabled = await all("connections", (place) => api.organizations.connections.list(organization.id, place));
    organizations.push({ ...organization, enabled_connections: enabled });
  }
  return { settings, branding, clients, client_grants: clientGrants, resource_servers: resourceServers, connections, roles, organizations };
}
