import { dataContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { addMember } from "../../identity/organizations/members.ts";
import { PosternError } from "../../errors.ts";
import { fromCreateOrganization } from "../../model/organizations/organizations.ts";
import { changeTenant, type Installation, type MemberAccess } from "../installation.ts";

/** The fields of a tenant's row that concern its organization. */
type Access = Pick<Row<"tenants">, "organization_id" | "member_access">;

/**
 * Returns the fields for the row of a new tenant: the id of its organization, and the permissions and roles that every
 * member has.
 * @throws if the host application's options name a role that does not exist.
 */
export async function newAccess(installation: Installation): Promise<Access> {
  if (installation.controlPlaneTenantId === undefined) return { organization_id: null, member_access: {} };
  const { permissions, roles } = await memberAccess(installation);
  return {
    organization_id: installation.random.record("org_"),
    member_access: { permissions: [...permissions], roles: [...roles] },
  };
}

/** Creates the organization of a seeded tenant, unless it has one, as for a tenant that is created through the API. */
export async function giveOrganization(installation: Installation, tenantId: string): Promise<void> {
  if (installation.controlPlaneTenantId === undefined || installation.controlPlaneTenantId === tenantId) return;
  const access = await newAccess(installation);
  // Stores the id before the organization is created. After a crash in between, the next call creates the organization
  // with the stored id.
  const row = await changeTenant(installation, tenantId, ({ organization_id: known }) => (known === null ? access : {}));
  const data = installation.scope(installation.controlPlaneTenantId);
  if (row.organization_id === null || (await data.organizations.count({ id: row.organization_id })) > 0) return;
  await insertOrganization(installation, row, undefined);
}

/**
 * Creates the tenant's organization on the control plane. Fails if an organization with the same name exists, because
 * that organization does not belong to the tenant.
 */
export async function insertOrganization(installation: Installation, row: Row<"tenants">, creatorId: string | undefined): Promise<void> {
  const { controlPlaneTenantId } = installation;
  const { id, organization_id: organizationId } = row;
  if (controlPlaneTenantId === undefined || organizationId === null) return;
  const data = installation.scope(controlPlaneTenantId);
  const now = installation.now();
  const fields = fromCreateOrganization({ name: id, display_name: row.friendly_name, metadata: { tenant_id: id } });
  const organization = { ...fields, id: organizationId, revision: 0, created_at: now, updated_at: now, deleting_at: null };
  if (!(await data.organizations.insert([organization]))) {
    throw new PosternError("conflict", "the control plane has another organization with this name");
  }
  if (creatorId !== undefined) await addMember(dataContext(installation, data), organizationId, creatorId);
}

/**
 * Returns the permissions and the ids of the roles that every member of a new organization has.
 * @throws if the host application's options name a role that does not exist.
 */
async function memberAccess({ memberAccess: { permissions, roles }, controlPlaneTenantId, scope }: Installation): Promise<MemberAccess> {
  if (controlPlaneTenantId === undefined || roles.length === 0) return { permissions, roles: [] };
  const data = scope(controlPlaneTenantId);
  const ids = await Promise.all(
    roles.map(async (named) => {
      const role = (await findOne(data.roles, { id: named.slice(0, 64) })) ?? (await findOne(data.roles, { name: named }));
      if (role === undefined) throw new Error(`accessControl.defaultRoles: the control plane has no role '${named}'`);
      return role.id;
    }),
  );
  return { permissions, roles: ids };
}
