import { findOne } from "../store/find-one.ts";
import { readAll } from "../store/read-all.ts";
import { schema, type Row } from "../store/schema.ts";
import { organizationsOf } from "../identity/organizations/members.ts";
import { permissionsOf } from "../tokens/permissions.ts";
import { isPosternError } from "../errors.ts";
import type { FurtherScopes } from "../http/route.ts";
import { sendsOnlyWithin, type ResponseDestinations } from "../model/clients/response-destinations.ts";
import { managementScopes } from "../model/scopes.ts";
import { managementIdentifier } from "../tenants/audience.ts";
import { insufficientScope, requireDeclaration, requireScopes } from "../tenants/callers/check-scopes.ts";
import type { ManagementContext } from "../tenants/callers/route-context.ts";
import { memberPermissions, readMemberAccess } from "../tenants/callers/member-permissions.ts";
import type { StoredPermission } from "./apis/permissions.ts";

/**
 * Declares that a route can grant scopes of the Management API. The functions in this file check the granted scopes.
 */
export const grantsScopes = {
  scopes: "granted",
  when: "for each scope of the Management API that the request grants",
} as const satisfies FurtherScopes;

/** Declares that a route can change where a client's codes and tokens are sent. See {@link canAdministerAfter}. */
export const changesResponseUrls = {
  scopes: ["update:client_keys"],
  when: "if the change adds URLs that receive the client's responses, and the client has a client grant for users of the Management API",
} as const satisfies FurtherScopes;

/**
 * Requires that the caller holds every scope that the request grants. Without this check, a caller who can change
 * roles, users or client grants could obtain further scopes of the Management API.
 * @param scopes the scopes of the Management API that the request grants.
 * @throws {PosternError} `insufficient_scope` that names the missing scopes.
 */
export function requireGrantableScopes(context: ManagementContext, scopes: readonly string[]): void {
  requireDeclaration(context, grantsScopes);
  const { caller } = context;
  const lacking = [...new Set(scopes)].filter((scope) => !caller.scopes.has(scope)).sort();
  if (lacking.length === 0) return;
  throw insufficientScope(`Insufficient scope, the token cannot grant scopes that it lacks: ${lacking.join(",")}`, lacking);
}

/** Applies {@link requireGrantableScopes} to permissions. Permissions of other APIs are not checked. */
export async function requireGrantablePermissions(context: ManagementContext, permissions: readonly StoredPermission[]): Promise<void> {
  const { tenant } = context;
  const system = await tenant.api(tenant.urls.issuer + managementIdentifier);
  const given = permissions.filter(({ resource_server_id: id }) => id === system?.record.id);
  requireGrantableScopes(
    context,
    given.map(({ permission_name: name }) => name),
  );
}

/**
 * Applies {@link requireGrantablePermissions} to all permissions that the roles grant. Reads the permissions from the
 * database, because cached permissions may be outdated.
 */
export async function requireGrantableRoles(context: ManagementContext, roleIds: readonly string[]): Promise<void> {
  const { role_permissions: collection } = context.tenant.data;
  const ids = [...new Set(roleIds)];
  const given = await Promise.all(ids.map((id) => readAll(collection, schema.role_permissions.key, { role_id: id })));
  await requireGrantablePermissions(context, given.flat());
}

/**
 * Requires that the caller holds every scope that the user has for the Management API. Routes with which a caller can
 * act as the user call this function: those that return or send a link that sets the user's password, and those that
 * change the password, the addresses, the linked accounts or the factors. Reads the user's scopes from the database.
 */
export async function requireRightsOfUser(context: ManagementContext, userId: string): Promise<void> {
  const { tenant, caller } = context;
  requireDeclaration(context, grantsScopes);
  // No user has more than a caller with every scope.
  if (managementScopes.every(({ value }) => caller.scopes.has(value))) return;
  const system = await tenant.api(tenant.urls.issuer + managementIdentifier);
  if (system === undefined) return;
  const ofRole = (id: string) => readAll(tenant.data.role_permissions, schema.role_permissions.key, { role_id: id });
  const held = new Set(await permissionsOf(tenant.data, ofRole, { userId }, system.record.id));
  // On the control plane, the scopes that the user has in child tenants count too.
  for (const { id } of await organizationsOf(tenant.data, userId)) {
    const child = await tenant.tenantOf(id);
    if (child === undefined) continue;
    const there = await memberPermissions(tenant, { userId, organizationId: id }, child.member_access, system.record.id);
    for (const value of there) held.add(value);
  }
  requireGrantableScopes(
    context,
    managementScopes.map(({ value }) => value).filter((value) => held.has(value)),
  );
}

/**
 * Requires that the caller may make a user a member of an organization. The members of a child tenant's organization
 * have permissions in the child tenant, so the caller must hold these permissions.
 */
export async function requireGrantableMembership(context: ManagementContext, organizationId: string): Promise<void> {
  const child = await context.tenant.tenantOf(organizationId);
  if (child === undefined) return;
  const { permissions, roles } = readMemberAccess(child.member_access);
  requireGrantableScopes(context, permissions);
  await requireGrantableRoles(context, roles);
}

/**
 * Whether the caller passes one of the checks in this file. Responses omit data, such as a link, that would let the
 * caller grant more than it holds.
 */
export async function canGrant(context: ManagementContext, check: (context: ManagementContext) => Promise<void>): Promise<boolean> {
  try {
    await check({ ...context, furtherScopes: [grantsScopes] });
    return true;
  } catch (error) {
    if (isPosternError(error) && error.code === "insufficient_scope") return false;
    throw error;
  }
}

/** Whether a caller has every scope of the Management API. */
export function hasAllScopes({ caller }: ManagementContext): boolean {
  return managementScopes.every(({ value }) => caller.scopes.has(value));
}

/**
 * Returns whether the client may still be used to administer tenants after `change`. A caller who lacks
 * `update:client_keys` could add a URL and make the browser of a signed-in administrator send tokens to it. If such a
 * caller adds a URL, the change succeeds, but the client can no longer be used to administer.
 * @throws {PosternError} `insufficient_scope` if the client already has a client grant for users of the Management API.
 */
export async function canAdministerAfter(row: Row<"clients">, change: ResponseDestinations, context: ManagementContext): Promise<boolean> {
  const { caller, tenant } = context;
  // A caller who can set the secret of any client can act as this client anyway.
  if (sendsOnlyWithin(change, row) || caller.scopes.has("update:client_keys")) return row.may_administer;
  // Reads the grants from the database, because a cached list may not contain a new grant.
  const forUsers = { client_id: row.client_id, audience: managementIdentifier, subject_type: "user" };
  const granted = await findOne(tenant.data.client_grants, forUsers);
  if (granted !== undefined) requireScopes(context, changesResponseUrls);
  return false;
}
