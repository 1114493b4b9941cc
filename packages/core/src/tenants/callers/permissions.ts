import type { Row } from "../../store/schema.ts";
import { permissionsOf } from "../../tokens/permissions.ts";
import { oidcScopes } from "../../tokens/id-token.ts";
import { ownUserScopes } from "../../model/scopes.ts";
import { memberPermissions } from "./member-permissions.ts";
import type { Tenant } from "../tenant.ts";
import type { Api } from "../settings-cache.ts";
import type { Client } from "../../model/clients/client.ts";

/** What lets a client ask for an API for itself (RFC 6749 section 4.4); undefined where nothing does, and for a public client, which anybody can claim to be. */
export async function findClientGrant(tenant: Tenant, { record }: Client, api: Api): Promise<Row<"client_grants"> | undefined> {
  if (record.token_endpoint_auth_method === "none" || api.settings.subject_type_authorization?.client?.policy === "deny_all")
    return undefined;
  const grants = await tenant.clientGrants(record.client_id);
  return grants.find((row) => row.audience === api.record.identifier && row.subject_type === "client");
}

/** The scopes that a client grant gives and that the API still has. */
export function grantedScopes(grant: Pick<Row<"client_grants">, "scope" | "settings">, api: Api): readonly string[] {
  const existing = scopesOf(api);
  return grant.settings["allow_all_scopes"] === true ? existing : existing.filter((value) => grant.scope.includes(value));
}

/** Whether a client may name an organization at all when it asks by a client grant. */
export function takesOrganization({ organization_usage: usage }: Row<"client_grants">): boolean {
  return usage === "allow" || usage === "require";
}

/** Whether a client may act for an organization by a client grant: by one for any, or one that was given to it. */
export async function isGivenTo(tenant: Tenant, grant: Row<"client_grants">, organizationId: string): Promise<boolean> {
  return takesOrganization(grant) && (grant.allow_any_organization || (await tenant.organizationHasGrant(organizationId, grant.id)));
}

/**
 * What stands behind a token that a client has for itself, while it is worth something: its client grant, if that allows such a token now, of the same organization or of none.
 * All of it is kept in the cache of settings.
 */
export async function findGrantOfToken(
  tenant: Tenant,
  client: Client,
  api: Api,
  organizationId: string | undefined,
): Promise<Row<"client_grants"> | undefined> {
  const grant = await findClientGrant(tenant, client, api);
  if (grant === undefined) return undefined;
  if (organizationId === undefined) return grant.organization_usage === "require" ? undefined : grant;
  const [organization, given] = await Promise.all([tenant.organization(organizationId), isGivenTo(tenant, grant, organizationId)]);
  return organization !== undefined && given ? grant : undefined;
}

/** A person in whose name a client acts, as a member of an organization or not. */
export interface Principal {
  readonly userId: string;
  readonly organizationId?: string | undefined;
}

/**
 * What a client may do at an API in a person's name: where the API enforces policies (the Management API always does), what their roles and permissions give.
 * Of the Management API that is what concerns their own user alone, unless the client may be administered through or has a client grant for users.
 * Roles inside an organization never count for the Management API, whose scopes reach the whole tenant; but for an organization that stands for a tenant of the control plane, nothing
 * else counts: see {@link memberPermissions}.
 * @returns undefined where the client may not ask for a person's token for the API at all.
 */
export async function permissionsOfPrincipal(
  tenant: Tenant,
  client: Client,
  who: Principal,
  api: Api,
): Promise<readonly string[] | undefined> {
  const policy = api.settings.subject_type_authorization?.user?.policy ?? "allow_all";
  // Whoever may register a client could lead a signed-in administrator to one of their own: a client gets an administrator's rights by somebody who has them.
  // Nor does anybody administer through answers that go where another tenant's client says.
  const lent = api.record.is_system && client.answersLent === true;
  const narrowed = lent || (api.record.is_system && !client.record.may_administer);
  const grants = narrowed || policy === "require_client_grant" ? await tenant.clientGrants(client.record.client_id) : [];
  const grant = lent ? undefined : grants.find((row) => row.audience === api.record.identifier && row.subject_type === "user");
  if (policy === "deny_all" || (policy === "require_client_grant" && grant === undefined)) return undefined;

  const withoutGrant = narrowed ? ownUserScopes : scopesOf(api);
  const given = grant === undefined ? withoutGrant : grantedScopes(grant, api);
  const rights = given.filter((value) => !oidcScopes.includes(value));
  if (!api.settings.enforce_policies) return rights;
  const permissions = await permissionsAt(tenant, who, api);
  return rights.filter((value) => permissions.has(value));
}

async function permissionsAt(tenant: Tenant, { userId, organizationId }: Principal, { record }: Api): Promise<ReadonlySet<string>> {
  const child = record.is_system && organizationId !== undefined ? await tenant.tenantOf(organizationId) : undefined;
  if (child !== undefined && organizationId !== undefined) {
    return memberPermissions(tenant, { userId, organizationId }, child.member_access, record.id);
  }
  const whom = record.is_system ? { userId } : { userId, organizationId };
  return permissionsOf(tenant.data, (roleId) => tenant.rolePermissions(roleId), whom, record.id);
}

function scopesOf({ settings }: Api): readonly string[] {
  return (settings.scopes ?? []).map(({ value }) => value);
}
