import type { TenantApi } from "@postern/core/api";

/** Where a page of a list starts. */
interface Start {
  readonly take: number;
  readonly from?: string;
}

/** What a list answers, its members under a name of its own. */
type Page<Name extends string, Item> = { readonly [N in Name]: readonly Item[] } & { readonly next?: string | undefined };

/** Reads a list to its end, page by page. */
async function all<const Name extends string, Item>(name: Name, read: (start: Start) => Promise<Page<Name, Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let start: Start = { take: 100 }; ;) {
    const page = await read(start);
    items.push(...page[name]);
    if (page.next === undefined) return items;
    start = { ...start, from: page.next };
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
  const clients = await all("clients", (start) => api.clients.list(start));
  const clientGrants = await all("client_grants", (start) => api.clientGrants.list(start));
  told("APIs");
  const resourceServers = await all("resource_servers", (start) => api.resourceServers.list(start));
  told("connections");
  const connections = await all("connections", (start) => api.connections.list(start));
  const roles = [];
  for (const role of await all("roles", (start) => api.roles.list(start))) {
    told(`role ${role.name}`);
    roles.push({ ...role, permissions: await all("permissions", (start) => api.roles.permissions.list(role.id, start)) });
  }
  const organizations = [];
  for (const organization of await all("organizations", (start) => api.organizations.list(start))) {
    told(`organization ${organization.name}`);
    const enabled = await all("connections", (start) => api.organizations.connections.list(organization.id, start));
    organizations.push({ ...organization, enabled_connections: enabled });
  }
  return { settings, branding, clients, client_grants: clientGrants, resource_servers: resourceServers, connections, roles, organizations };
}
