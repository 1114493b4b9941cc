import type * as z from "zod";
import { findByIds } from "../../store/by-ids.ts";
import { schema, type Row } from "../../store/schema.ts";
import type { Listing, PageQuery } from "../../http/pagination.ts";
import { toRole, type roleSchema } from "../../model/apis/roles.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { listRoute } from "../kit/list.ts";

/** Lists the roles that a user has in the tenant (`organizationId` is '') or inside an organization. */
export async function listRoles(
  tenant: RequestTenant,
  query: PageQuery,
  userId: string,
  organizationId: string,
): Promise<Listing<z.infer<typeof roleSchema>>> {
  return listRoute(tenant, query, {
    collection: tenant.data.user_roles,
    description: schema.user_roles,
    where: { user_id: userId, organization_id: organizationId },
    within: `${organizationId} ${userId}`,
    key: "roles",
    defaultSort: { field: "user_id", direction: "asc" },
    present: async (rows) => (await findRoles(tenant, rows)).map(toRole),
  });
}

/**
 * Returns the roles that are assigned, each once, in the order of the assignments. A role that is being deleted is
 * omitted.
 */
export async function findRoles({ data }: RequestTenant, held: readonly { readonly role_id: string }[]): Promise<readonly Row<"roles">[]> {
  return findByIds(
    data.roles,
    "id",
    held.map(({ role_id: id }) => id),
  );
}
