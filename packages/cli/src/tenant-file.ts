import type { TenantApi } from "@postern/core/api";

/** The paging parameters of a list request. */
interface Paging {
  readonly take: number;
  readonly from?: string;
}

/** A page of a list, with the items in a named member. */
type Page<Name extends string, Item> = { readonly [N in Name]: readonly Item[] } & { readonly next?: string | undefined };

/** Reads all pages of a list. */
async function readAll<const Name extends string, Item>(name: Name, read: (paging: Paging) => Promise<Page<Name, Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let paging: Paging = { take: 100 }; ;) {
    const page = await read(paging);
    items.push(...page[name]);
    if (page.next === undefined) return items;
    paging = { ...paging, from: page.next };
  }
}

/**
 * Exports the configuration of a tenant in the shapes of the Management API: settings, branding, clients, client
 * grants, APIs, connections, roles with their permissions, and organizations with their connections. The export
 * contains no users, and no secrets because no response of the Management API contains them.
 * @param onProgress called with the name of the part that is read next.
 */
export async function exportTenantConfiguration(api: TenantApi, onProgress: (text: string) => void): Promise<object> {
  const [settings, branding] = await Promise.all([api.settings.get(), api.branding.get()]);
  onProgress("clients");
  const clients = await readAll("clients", (paging) => api.clients.list(paging));
  const clientGrants = await readAll("client_grants", (paging) => api.clientGrants.list(paging));
  onProgress("APIs");
  const resourceServers = await readAll("resource_servers", (paging) => api.resourceServers.list(paging));
  onProgress("connections");
  const connections = await readAll("connections", (paging) => api.connections.list(paging));
  const roles = [];
  for (const role of await readAll("roles", (paging) => api.roles.list(paging))) {
    onProgress(`role ${role.name}`);
    roles.push({ ...role, permissions: await readAll("permissions", (paging) => api.roles.permissions.list(role.id, paging)) });
  }
  const organizations = [];
  for (const organization of await readAll("organizations", (paging) => api.organizations.list(paging))) {
    onProgress(`organization ${organization.name}`);
    const enabled = await readAll("connections", (paging) => api.organizations.connections.list(organization.id, paging));
    organizations.push({ ...organization, enabled_connections: enabled });
  }
  return { settings, branding, clients, client_grants: clientGrants, resource_servers: resourceServers, connections, roles, organizations };
}
