import type { Row } from "../../store/schema.ts";
import { permissionsOf } from "../../tokens/permissions.ts";
import { oidcScopes } from "../../tokens/id-token.ts";
import { ownUserScopes } from "../../model/scopes.ts";
import { memberPermissions } from "./member-permissions.ts";
import type { RequestTenant } from "../tenant.ts";
import type { CachedApi } from "../settings-cache.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { isExternal, thirdPartyClients } from "../../model/clients/external.ts";

/**
 * Returns the client grant that allows a client to request tokens for itself for an API (RFC 6749 section 4.4).
 * Undefined if the client has no such grant, if the API denies such tokens, or for a public client, whose id anyone can
 * use.
 */
export async function findClientGrant(
  tenant: RequestTenant,
  { record }: RegisteredClient,
  api: CachedApi,
): Promise<Row<"client_grants"> | undefined> {
  if (record.token_endpoint_auth_method === "none" || api.settings.subject_type_authorization?.client?.policy === "deny_all")
    return undefined;
  const grants = await tenant.clientGrants(record.client_id);
  return grants.find((row) => row.audience === api.record.identifier && row.subject_type === "client");
}

/** Returns the scopes of a client grant that the API still has. */
export function grantedScopes(grant: Pick<Row<"client_grants">, "scope" | "settings">, api: CachedApi): readonly string[] {
  const existing = scopesOf(api);
  return grant.settings["allow_all_scopes"] === true ? existing : existing.filter((value) => grant.scope.includes(value));
}

/** Whether a client grant allows the client to name an organization in a token request. */
export function acceptsOrganization({ organization_usage: usage }: Row<"client_grants">): boolean {
  return usage === "allow" || usage === "require";
}

/**
 * Whether a client grant lets the client act for an organization: it allows any organization, or was assigned to this
 * one.
 */
export async function allowsOrganization(tenant: RequestTenant, grant: Row<"client_grants">, organizationId: string): Promise<boolean> {
  return acceptsOrganization(grant) && (grant.allow_any_organization || (await tenant.organizationHasGrant(organizationId, grant.id)));
}

/**
 * Returns the client grant behind a token that a client got for itself, if the grant still allows such a token with the
 * same organization, or without an organization if the token has none. Reads only cached settings.
 */
export async function findGrantOfToken(
  tenant: RequestTenant,
  client: RegisteredClient,
  api: CachedApi,
  organizationId: string | undefined,
): Promise<Row<"client_grants"> | undefined> {
  const grant = await findClientGrant(tenant, client, api);
  if (grant === undefined) return undefined;
  if (organizationId === undefined) return grant.organization_usage === "require" ? undefined : grant;
  const [organization, given] = await Promise.all([tenant.organization(organizationId), allowsOrganization(tenant, grant, organizationId)]);
  return organization !== undefined && given ? grant : undefined;
}

/** The user that a client acts for, optionally as a member of an organization. */
export interface Principal {
  readonly userId: string;
  readonly organizationId?: string | undefined;
}

/**
 * Returns the permissions that a client has for an API on behalf of a user. If the API enforces policies (the
 * Management API always does), these are the permissions of the user's roles and the user's direct permissions. For the
 * Management API, they are limited to the user's own account, unless the client may be used for administration or has a
 * client grant for users. Roles inside an organization never count for the Management API, whose scopes apply to the
 * whole tenant. The exception is an organization that represents a child tenant: for it, only the permissions from
 * {@link memberPermissions} count.
 * @returns undefined if the client must not request user tokens for the API at all.
 */
export async function permissionsOfPrincipal(
  tenant: RequestTenant,
  client: RegisteredClient,
  principal: Principal,
  api: CachedApi,
): Promise<readonly string[] | undefined> {
  const policy = api.settings.subject_type_authorization?.user?.policy ?? "allow_all";
  // Anyone who can register a client could send a signed-in administrator to that client. So a client needs permission
  // from an administrator before users can administer through it. A client whose redirect URIs are inherited from
  // another tenant's client never qualifies.
  const hasInheritedRedirects = api.record.is_system && client.usesInheritedRedirects === true;
  const narrowed = hasInheritedRedirects || (api.record.is_system && !client.record.may_administer);
  const requiresGrant = policy === "require_client_grant" || isExternal(client.record);
  const grant = hasInheritedRedirects || !(narrowed || requiresGrant) ? undefined : await findUserGrant(tenant, client, api);
  if (policy === "deny_all" || (requiresGrant && grant === undefined)) return undefined;

  const withoutGrant = narrowed ? ownUserScopes : scopesOf(api);
  const given = grant === undefined ? withoutGrant : grantedScopes(grant, api);
  const rights = given.filter((value) => !oidcScopes.includes(value));
  if (!api.settings.enforce_policies) return rights;
  const permissions = await permissionsAt(tenant, principal, api);
  return rights.filter((value) => permissions.has(value));
}

/**
 * Returns the client grant with the scopes that a client may request for users of an API: its own, or for an external
 * client the one for all third-party clients.
 */
async function findUserGrant(
  tenant: RequestTenant,
  { record }: RegisteredClient,
  api: CachedApi,
): Promise<Row<"client_grants"> | undefined> {
  const isForUsers = (row: Row<"client_grants">) => row.audience === api.record.identifier && row.subject_type === "user";
  const own = (await tenant.clientGrants(record.client_id)).find(isForUsers);
  if (own !== undefined || !isExternal(record)) return own;
  return (await tenant.clientGrants(thirdPartyClients)).find(isForUsers);
}

async function permissionsAt(
  tenant: RequestTenant,
  { userId, organizationId }: Principal,
  { record }: CachedApi,
): Promise<ReadonlySet<string>> {
  const child = record.is_system && organizationId !== undefined ? await tenant.tenantOf(organizationId) : undefined;
  if (child !== undefined && organizationId !== undefined) {
    return memberPermissions(tenant, { userId, organizationId }, child.member_access, record.id);
  }
  const principal = record.is_system ? { userId } : { userId, organizationId };
  return permissionsOf(tenant.data, (roleId) => tenant.rolePermissions(roleId), principal, record.id);
}

function scopesOf({ settings }: CachedApi): readonly string[] {
  return (settings.scopes ?? []).map(({ value }) => value);
}
