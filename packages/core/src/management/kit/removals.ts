import type { Row } from "../../store/schema.ts";
import type { WorkLimit } from "../../store/work-limit.ts";
import { removeClientGrant } from "../../identity/organizations/client-grants.ts";
import { removeApi } from "../../identity/access/remove-api.ts";
import { removeRole } from "../../identity/access/remove-role.ts";
import { removeOrganizationChildren } from "../../identity/organizations/remove-organization.ts";
import { finishRemovedConnection } from "../../identity/connections/remove-connection.ts";
import { finishDeletedUsers } from "../../identity/users/delete-user.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { finishRemovedClient } from "../../tenants/remove-client.ts";

/**
 * Functions that complete deletions, by collection. Each function deletes everything that belongs to the rows, and then
 * the rows. It is called with rows of one tenant, is idempotent, and throws when the work limit is reached.
 */
export const removals = {
  users: (rows: readonly Row<"users">[], tenant: RequestTenant, limit: WorkLimit): Promise<void> => finishDeletedUsers(tenant, rows, limit),
  clients: oneByOne(finishRemovedClient),
  client_grants: oneByOne(({ id }: Row<"client_grants">, { data }, limit) => removeClientGrant(data, id, limit)),
  connections: oneByOne((row: Row<"connections">, tenant, limit) => finishRemovedConnection(tenant, row, limit)),
  resource_servers: oneByOne((row: Row<"resource_servers">, tenant, limit) => removeApi(tenant.data, row, tenant.now(), limit)),
  organizations: oneByOne(async (row: Row<"organizations">, { data }, limit) => {
    await removeOrganizationChildren(data, row.id, limit);
    await data.organizations.delete({ id: row.id });
  }),
  roles: oneByOne((row: Row<"roles">, tenant, limit) => removeRole(tenant.data, row, tenant.now(), limit)),
} as const;

function oneByOne<Row>(finish: (row: Row, tenant: RequestTenant, limit: WorkLimit) => Promise<void>) {
  return async (rows: readonly Row[], tenant: RequestTenant, limit: WorkLimit): Promise<void> => {
    for (const row of rows) {
      await finish(row, tenant, limit);
      await limit.batch(1);
    }
  };
}
