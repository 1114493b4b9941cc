import type * as z from "zod";
import { auditUser } from "../../logs/audit.ts";
import { readAllByIds } from "../../store/by-ids.ts";
import { schema, type Row } from "../../store/schema.ts";
import { addMember, isMember, removeMember } from "../../identity/organizations/members.ts";
import { assignRoles, removeRoles } from "../../identity/access/role-assignments.ts";
import { PosternError } from "../../errors.ts";
import { listResponse, pageQuerySchema } from "../../http/pagination.ts";
import { memberListSchema, organizationMemberSchema, toOrganizationMember } from "../../model/organizations/members.ts";
import { organizationSchema } from "../../model/organizations/organizations.ts";
import { roleSchema, roleListSchema } from "../../model/apis/roles.ts";
import type { FurtherScopes } from "../../http/route.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { requireScopes } from "../../tenants/callers/check-scopes.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { requireGrantableMembership, requireGrantableRoles, grantsScopes } from "../authority.ts";
import { findOrganization, findOrganizations } from "./find-organization.ts";
import { findPrimary, findUsers } from "../users/find-user.ts";
import { findRoles, listRoles } from "../apis/held-roles.ts";
import { listRoute } from "../kit/list.ts";
import { presentOrganizations } from "./organizations.ts";

const missing = { 404: { error: "not_found" } } as const;
const rolesOfMembers = {
  scopes: ["read:organization_member_roles"],
  when: "if `fields` contains `roles`",
} as const satisfies FurtherScopes;
const membersPath = "/api/v2/organizations/:id/members";

const members = [
  route({
    method: "GET",
    path: membersPath,
    summary: "List an organization's members",
    description: "If `fields` contains `roles`, the response contains the roles that each member has inside the organization.",
    scopes: ["read:organization_members"],
    furtherScopes: [rolesOfMembers],
    query: pageQuerySchema,
    responses: { 200: listResponse("members", organizationMemberSchema), ...missing },
  })(async ({ params, query }, context) => {
    const { tenant } = context;
    const { id } = await findOrganization(tenant, params.id);
    const named = (query.fields ?? "").split(",").some((field) => field.trim() === "roles");
    const withRoles = named && query.include_fields !== false;
    if (withRoles) requireScopes(context, rolesOfMembers);
    return listRoute(tenant, query, {
      collection: tenant.data.organization_members,
      description: schema.organization_members,
      where: { organization_id: id },
      within: id,
      key: "members",
      defaultSort: { field: "created_at", direction: "asc" },
      present: (rows) => presentMembers(tenant, id, rows, withRoles),
    });
  }),
  route({
    method: "POST",
    path: membersPath,
    operation: "organizations.members.add",
    summary: "Add members to an organization",
    scopes: ["create:organization_members"],
    furtherScopes: [grantsScopes],
    body: memberListSchema,
    responses: { 204: null, ...missing },
  })(async ({ params, body }, context) => {
    const { tenant } = context;
    const { id, name } = await findOrganization(tenant, params.id);
    const ids = [...new Set(body.members)];
    const known = (await findUsers(tenant, ids)).filter(({ linked_to: primary }) => primary === "");
    const unknown = ids.find((userId) => !known.some((user) => user.user_id === userId));
    if (unknown !== undefined) {
      throw new PosternError("not_found", `body: 'members' contains '${unknown}', which does not exist`, { errorCode: "inexistent_user" });
    }
    await requireGrantableMembership(context, id);
    for (const user of known) {
      if (!(await addMember(tenant, id, user.user_id))) continue;
      await tenant.audit({
        type: "organization_member_added",
        organization: { id, name },
        ...auditUser(user),
      });
    }
  }),
  route({
    method: "DELETE",
    path: membersPath,
    operation: "organizations.members.remove",
    summary: "Remove members from an organization",
    description: "Their roles inside the organization are removed too. Users who are not members are ignored.",
    scopes: ["delete:organization_members"],
    body: memberListSchema,
    responses: { 204: null, ...missing },
  })(async ({ params, body }, { tenant }) => {
    const { id } = await findOrganization(tenant, params.id);
    for (const userId of new Set(body.members)) await removeMember(tenant.data, id, userId);
  }),
];

const rolesPath = `${membersPath}/:user_id/roles` as const;

const memberRoles = [
  route({
    method: "GET",
    path: rolesPath,
    summary: "List a member's roles inside an organization",
    scopes: ["read:organization_member_roles"],
    query: pageQuerySchema,
    responses: { 200: listResponse("roles", roleSchema), ...missing },
  })(async ({ params, query }, { tenant }) => {
    const { id } = await findOrganization(tenant, params.id);
    await checkMember(tenant, id, params.user_id);
    return listRoles(tenant, query, params.user_id, id);
  }),
  route({
    method: "POST",
    path: rolesPath,
    operation: "organizations.members.roles.add",
    summary: "Assign roles inside an organization to a member",
    scopes: ["create:organization_member_roles"],
    furtherScopes: [grantsScopes],
    body: roleListSchema,
    responses: { 204: null, ...missing },
  })(async ({ params, body }, context) => {
    const { tenant } = context;
    const { data } = tenant;
    const { id } = await findOrganization(tenant, params.id);
    await checkMember(tenant, id, params.user_id);
    await requireGrantableRoles(context, body.roles);
    await assignRoles(tenant, params.user_id, id, body.roles);
    // If another request removed the member in the meantime, deletes the roles again. Otherwise the user would have
    // them after rejoining.
    if (!(await isMember(data, id, params.user_id))) {
      await removeRoles(data, params.user_id, id, body.roles);
      throw notMember();
    }
  }),
  route({
    method: "DELETE",
    path: rolesPath,
    operation: "organizations.members.roles.remove",
    summary: "Remove roles inside an organization from a member",
    scopes: ["delete:organization_member_roles"],
    body: roleListSchema,
    responses: { 204: null, ...missing },
  })(async ({ params, body }, { tenant }) => {
    const { id } = await findOrganization(tenant, params.id);
    await checkMember(tenant, id, params.user_id);
    await removeRoles(tenant.data, params.user_id, id, body.roles);
  }),
];

const ofUser = route({
  method: "GET",
  path: "/api/v2/users/:id/organizations",
  summary: "List the organizations that a user is a member of",
  scopes: ["read:organizations"],
  query: pageQuerySchema,
  responses: { 200: listResponse("organizations", organizationSchema), 404: "inexistent_user" },
})(async ({ params, query }, { tenant }) => {
  const { user_id: userId } = await findPrimary(tenant, params.id);
  return listRoute(tenant, query, {
    collection: tenant.data.organization_members,
    description: schema.organization_members,
    where: { user_id: userId },
    within: userId,
    key: "organizations",
    defaultSort: { field: "organization_id", direction: "asc" },
    present: async (rows) => presentOrganizations(await findOrganizations(tenant, rows), { tenant }),
  });
});

export const organizationMemberRoutes = [...members, ...memberRoles, ofUser];

function notMember(): PosternError {
  return new PosternError("not_found", "the user is not a member of the organization");
}

/**
 * Requires that a user is a member of an organization.
 * @throws {PosternError} `not_found`.
 */
async function checkMember({ data }: RequestTenant, organizationId: string, userId: string): Promise<void> {
  if (!(await isMember(data, organizationId, userId))) throw notMember();
}

async function presentMembers(
  tenant: RequestTenant,
  organizationId: string,
  rows: readonly Row<"organization_members">[],
  withRoles: boolean,
): Promise<readonly z.infer<typeof organizationMemberSchema>[]> {
  const ids = rows.map(({ user_id: id }) => id);
  const users = await findUsers(tenant, ids);
  const roles = withRoles ? await rolesInside(tenant, organizationId, ids) : undefined;
  return users.map((user) =>
    toOrganizationMember(
      user,
      roles?.filter(({ userId }) => userId === user.user_id).map(({ role }) => role),
    ),
  );
}

/** Returns the roles that users have inside an organization. A role that is being deleted is omitted. */
async function rolesInside(
  tenant: RequestTenant,
  organizationId: string,
  userIds: readonly string[],
): Promise<readonly { readonly userId: string; readonly role: Row<"roles"> }[]> {
  const where = { organization_id: organizationId };
  const held = await readAllByIds(tenant.data.user_roles, schema.user_roles.key, "user_id", userIds, where);
  const known = await findRoles(tenant, held);
  return held.flatMap(({ user_id: userId, role_id: id }) => {
    const role = known.find((candidate) => candidate.id === id);
    return role === undefined ? [] : [{ userId, role }];
  });
}
