import { oidcScopes } from "../tokens/id-token.ts";
import { PosternError } from "../errors.ts";
import { needsConsent } from "./consent.ts";
import { publicIdentifier } from "../tenants/audience.ts";
import { permissionsOfPrincipal, type Principal } from "../tenants/callers/permissions.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Api } from "../tenants/settings-cache.ts";
import type { Client } from "../model/clients/client.ts";
import { allowsGrantType } from "../model/clients/grant-types.ts";

/** What a person's access token holds. */
export interface UserScopes {
  readonly scope: readonly string[];
  /** Where the tokens of the API name permissions besides. */
  readonly permissions?: readonly string[];
}

/** What a client may do at an API in a person's name. @throws {PosternError} `access_denied` where the client may not ask for the API at all. */
async function rightsAt(tenant: Tenant, client: Client, who: Principal, api: Api): Promise<readonly string[]> {
  const rights = await permissionsOfPrincipal(tenant, client, who, api);
  if (rights !== undefined) return rights;
  const identifier = publicIdentifier(api.record.identifier, tenant.urls.issuer);
  throw new PosternError("access_denied", `the client is not authorized to access '${identifier}'`);
}

/**
 * What of the requested scopes a person's token holds. OpenID scopes as asked; scopes of an API where it has them, the client may have them, and,
 * where the API enforces policies, the person has them. The rest is dropped, as the vendor does.
 * Roles inside an organization count for tokens of that organization alone; never for the Management API, whose scopes reach the whole tenant.
 */
export async function decideUserScopes(
  tenant: Tenant,
  client: Client,
  who: Principal,
  requested: readonly string[],
  api: Api | undefined,
): Promise<UserScopes> {
  const offline = allowsGrantType(client.record, "refresh_token") && (api === undefined || api.settings.allow_offline_access);
  const openid = requested.filter((value) => oidcScopes.includes(value) && (value !== "offline_access" || offline));
  if (api === undefined) return { scope: openid };

  const rights = await rightsAt(tenant, client, who, api);
  const scope = rights.filter((value) => requested.includes(value));
  return { scope: [...openid, ...scope], ...(namesPermissions(api) && { permissions: shownTo(client, api, rights, scope) }) };
}

/** The permissions of a token whose scopes were decided before; undefined where the API's tokens name none. */
export async function apiPermissionsOfUser(
  tenant: Tenant,
  client: Client,
  who: Principal,
  scope: readonly string[],
  api: Api | undefined,
): Promise<readonly string[] | undefined> {
  return api !== undefined && namesPermissions(api) ? shownTo(client, api, await rightsAt(tenant, client, who, api), scope) : undefined;
}

function namesPermissions({ settings }: Api): boolean {
  return settings.enforce_policies && settings.token_dialect.endsWith("_authz");
}

/** All that the person may do, asked for or not, as the vendor has it; a client that people are asked about hears of what they allowed it. */
function shownTo(client: Client, api: Api, rights: readonly string[], scope: readonly string[]): readonly string[] {
  return !needsConsent(client, api) ? rights : rights.filter((value) => scope.includes(value));
}
