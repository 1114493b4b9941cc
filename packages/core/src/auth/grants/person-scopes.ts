import type { Row } from "../../data/schema.ts";
import { permissionsOf } from "../../domain/permissions.ts";
import { oidcScopes } from "../../domain/tokens/id-token.ts";
import { PosternError } from "../../errors.ts";
import { publicIdentifier } from "../../tenancy/audience.ts";
import type { Api, Client, Tenant } from "../../tenancy/tenant.ts";

/** The API that a request names, or the tenant's default. @throws {PosternError} `access_denied` where there is no such API. */
export async function requestedApi(tenant: Tenant, audience: string | undefined): Promise<Api | undefined> {
  const identifier = audience ?? tenant.settings.default_audience;
  if (identifier === "" || identifier === tenant.urls.urlFor("/userinfo")) return undefined;
  const api = await tenant.api(identifier);
  if (api === undefined) throw new PosternError("access_denied", `there is no API with the identifier '${identifier}'`);
  return api;
}

/** Checks that a client may ask for a person's token for an API at all. @throws {PosternError} `access_denied`. */
async function userGrant(tenant: Tenant, client: Client, api: Api): Promise<Row<"client_grants"> | undefined> {
  const policy = api.settings.subject_type_authorization?.user?.policy ?? "allow_all";
  const grants = await tenant.clientGrants(client.record.client_id);
  const grant = grants.find((row) => row.audience === api.record.identifier && row.subject_type === "user");
  if (policy === "deny_all" || (policy === "require_client_grant" && grant === undefined)) {
    const identifier = publicIdentifier(api.record.identifier, tenant.urls.issuer);
    throw new PosternError("access_denied", `the client is not authorized to access '${identifier}'`);
  }
  return policy === "require_client_grant" ? grant : undefined;
}

/**
 * What of the requested scopes a person's token holds. OpenID scopes as asked; scopes of an API where it has them, the client may have them, and,
 * where the API enforces policies (the Management API always does), the person's roles and permissions give them. The rest is dropped, as the vendor does.
 * Roles inside an organization count for tokens of that organization alone; never for the Management API, whose scopes reach the whole tenant.
 */
export async function personScopes(
  tenant: Tenant,
  client: Client,
  who: { readonly userId: string; readonly organizationId?: string | undefined },
  requested: readonly string[],
  api: Api | undefined,
): Promise<readonly string[]> {
  const offline = client.record.grant_types.includes("refresh_token") && (api === undefined || api.settings.allow_offline_access);
  const openid = requested.filter((value) => oidcScopes.includes(value) && (value !== "offline_access" || offline));
  if (api === undefined) return openid;

  const grant = await userGrant(tenant, client, api);
  let scopes = (api.settings.scopes ?? [])
    .map(({ value }) => value)
    .filter((value) => requested.includes(value) && !oidcScopes.includes(value));
  if (grant !== undefined) scopes = scopes.filter((value) => grant.scope.includes(value));
  if (api.settings.enforce_policies) {
    const permissions = await permissionsOf(
      tenant.data,
      tenant.rolePermissions,
      api.record.is_system ? { userId: who.userId } : who,
      api.record.id,
    );
    scopes = scopes.filter((value) => permissions.has(value));
  }
  return [...openid, ...scopes];
}
