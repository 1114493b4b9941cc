import type { Row } from "../../data/schema.ts";
import { removeClientGrant } from "../../domain/organizations/client-grants.ts";
import { removeApi } from "../../domain/apis/remove-api.ts";
import { removeRole } from "../../domain/apis/remove-role.ts";
import { removeOrganizationChildren } from "../../domain/organizations/remove-organization.ts";
import { deleteUser } from "../../domain/users/delete-user.ts";
import type { Tenant } from "../../tenancy/tenant.ts";
import { removeClientChildren } from "../clients/clients.ts";
import { removeConnectionChildren } from "../connections/connections.ts";

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
  resource_servers: (row: Row<"resource_servers">, { data, environment }: Tenant): Promise<void> =>
    removeApi(data, row, environment.clock.now()),
  organizations: async (row: Row<"organizations">, tenant: Tenant): Promise<void> => {
    await removeOrganizationChildren(tenant.data, row.id);
    await tenant.data.organizations.delete({ id: row.id });
  },
  roles: (row: Row<"roles">, { data, environment }: Tenant): Promise<void> => removeRole(data, row, environment.clock.now()),
} as const;
