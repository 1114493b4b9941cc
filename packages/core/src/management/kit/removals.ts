import type { Row } from "../../data/schema.ts";
import { removeClientGrant } from "../../domain/organizations/client-grants.ts";
import { deleteUser } from "../../domain/users/delete-user.ts";
import type { Tenant } from "../../tenancy/tenant.ts";
import { removeClientChildren } from "../clients/clients.ts";
import { removeConnectionChildren } from "../connections/connections.ts";
import { removeOrganizationChildren } from "../organizations/organizations.ts";
import { removeResourceServerChildren } from "../apis/resource-servers.ts";
import { removeRoleChildren } from "../apis/roles.ts";

/** How a removal that was begun is finished, by collection: what belongs to the row, then the row. Repeatable. */
export const removals = {
  users: async ({ user_id: id }: Row<"users">, { environment, data }: Tenant): Promise<void> => {
    await deleteUser(environment, data, id);
  },
  clients: async (row: Row<"clients">, tenant: Tenant): Promise<void> => {
    await removeClientChildren(row, tenant);
    await tenant.data.clients.delete({ client_id: row.client_id });
  },
  client_grants: ({ id }: Row<"client_grants">, { data }: Tenant): Promise<void> => removeClientGrant(data, id),
  connections: async (row: Row<"connections">, tenant: Tenant): Promise<void> => {
    await removeConnectionChildren(row, tenant);
    await tenant.data.connections.delete({ id: row.id });
  },
  resource_servers: async (row: Row<"resource_servers">, tenant: Tenant): Promise<void> => {
    await removeResourceServerChildren(row, tenant);
    await tenant.data.resource_servers.delete({ id: row.id });
  },
  organizations: async (row: Row<"organizations">, tenant: Tenant): Promise<void> => {
    await removeOrganizationChildren(row, tenant);
    await tenant.data.organizations.delete({ id: row.id });
  },
  roles: async (row: Row<"roles">, tenant: Tenant): Promise<void> => {
    await removeRoleChildren(row, tenant);
    await tenant.data.roles.delete({ id: row.id });
  },
} as const;
