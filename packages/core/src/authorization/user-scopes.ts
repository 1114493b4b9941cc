import { oidcScopes } from "../tokens/id-token.ts";
import { PosternError } from "../errors.ts";
import { needsConsent } from "./consent.ts";
import { publicIdentifier } from "../tenants/audience.ts";
import { permissionsOfPrincipal, type Principal } from "../tenants/callers/permissions.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { CachedApi } from "../tenants/settings-cache.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { allowsGrantType } from "../model/clients/grant-types.ts";

/** The scopes and permissions of a user's access token. */
interface UserScopes {
  readonly scope: readonly string[];
  /** Present if the tokens of the API list permissions. */
  readonly permissions?: readonly string[];
}

/**
 * Returns the permissions that a client has at an API on behalf of a user.
 * @throws {PosternError} `access_denied` if the client is not authorized to access the API.
 */
async function permissionsAt(
  tenant: RequestTenant,
  client: RegisteredClient,
  principal: Principal,
  api: CachedApi,
): Promise<readonly string[]> {
  const permissions = await permissionsOfPrincipal(tenant, client, principal, api);
  if (permissions !== undefined) return permissions;
  const identifier = publicIdentifier(api.record.identifier, tenant.urls.issuer);
  throw new PosternError("access_denied", `the client is not authorized to access '${identifier}'`);
}

/**
 * Decides which of the requested scopes a user's access token gets. OpenID scopes are granted as requested. A scope of
 * an API is granted if the API defines it, the client may have it and, if the API enforces policies, the user has the
 * permission. Other scopes are dropped, as in Auth0. Roles inside an organization count only for tokens of that
 * organization. They never count for the Management API, whose scopes apply to the whole tenant.
 */
export async function decideUserScopes(
  tenant: RequestTenant,
  client: RegisteredClient,
  principal: Principal,
  requested: readonly string[],
  api: CachedApi | undefined,
): Promise<UserScopes> {
  const offline = allowsGrantType(client.record, "refresh_token") && (api === undefined || api.settings.allow_offline_access);
  const openid = requested.filter((value) => oidcScopes.includes(value) && (value !== "offline_access" || offline));
  if (api === undefined) return { scope: openid };

  const permissions = await permissionsAt(tenant, client, principal, api);
  const scope = permissions.filter((value) => requested.includes(value));
  return {
    scope: [...openid, ...scope],
    ...(namesPermissions(api) && { permissions: permissionsClaimFor(client, api, permissions, scope) }),
  };
}

/** Returns the permissions for a token whose scopes were decided before; undefined if the API's tokens list none. */
export async function apiPermissionsOfUser(
  tenant: RequestTenant,
  client: RegisteredClient,
  principal: Principal,
  scope: readonly string[],
  api: CachedApi | undefined,
): Promise<readonly string[] | undefined> {
  return api !== undefined && namesPermissions(api)
    ? permissionsClaimFor(client, api, await permissionsAt(tenant, client, principal, api), scope)
    : undefined;
}

function namesPermissions({ settings }: CachedApi): boolean {
  return settings.enforce_policies && settings.token_dialect.endsWith("_authz");
}

/**
 * Returns the permissions that the token lists: all that the user has, requested or not, as in Auth0. A client that
 * needs consent gets only the permissions that the user consented to.
 */
function permissionsClaimFor(
  client: RegisteredClient,
  api: CachedApi,
  permissions: readonly string[],
  scope: readonly string[],
): readonly string[] {
  return !needsConsent(client, api) ? permissions : permissions.filter((value) => scope.includes(value));
}
