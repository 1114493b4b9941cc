import type { RequestInfo } from "../../context.ts";
import type { TokenAuthentication } from "../../identity/factors/recent-factor.ts";
import { verifyAccessToken, type AccessToken } from "./access-token.ts";
import { invalidToken } from "./bearer-token.ts";
import type { PresentedToken } from "./presented-token.ts";
import { managementIdentifier } from "../audience.ts";
import type { Installation } from "../installation.ts";
import { findActiveToken } from "./active-token.ts";
import { resolveTargetTenant } from "./target-tenant.ts";
import type { TenantHint } from "../resolve.ts";
import { findGrantOfToken, grantedScopes, permissionsOfPrincipal, type Principal } from "./permissions.ts";
import type { RequestTenant } from "../tenant.ts";
import type { CachedApi } from "../settings-cache.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";

/** The authenticated caller of a Management API request. */
export interface Caller {
  /** The token's `sub`: a user id, or `<client_id>@clients`. */
  readonly subject: string;
  /** The client that the token was issued to. */
  readonly clientId: string;
  readonly clientName: string;
  /** The session of a user token. */
  readonly sessionId?: string;
  /** The claims of a user token that say how and when its user authenticated. */
  readonly authentication?: TokenAuthentication;
  /** The tenant that issued the token: the control plane, if one of its users or clients accesses another tenant. */
  readonly tenantId: string;
  /**
   * The user id of the caller, if the caller is a user of the accessed tenant. Undefined for a client that acts for
   * itself, and for a caller from the control plane.
   */
  readonly ownUserId: string | undefined;
  /** The organization that the token is for. */
  readonly organizationId: string | undefined;
  /** The scopes of the token that the caller still holds. */
  readonly scopes: ReadonlySet<string>;
}

/**
 * A caller, and the tenant that the request accesses. Until that tenant is known, `tenant` is the tenant that issued
 * the token.
 */
export interface AuthenticatedCaller {
  readonly tenant: RequestTenant;
  readonly caller: Caller;
}

/**
 * Authenticates a Management API token. For a user token, requires that the user, the session and the grant are still
 * active, and limits the scopes to those that the user's roles grant now. For a token that a client got for itself,
 * requires that the client and its client grant still exist. So the token of a user who was blocked, deleted or demoted
 * grants only what the user still holds.
 * @param recognised called with the caller before and after the accessed tenant is known, so that a rejection can be
 * audited.
 * @throws {PosternError} `invalid_token` (401), or `forbidden` (403) for a tenant that the token cannot access, whether
 * that tenant exists or not.
 */
export async function authenticateCaller(
  installation: Installation,
  token: PresentedToken,
  address: TenantHint,
  requestInfo: RequestInfo,
  recognised: (found: AuthenticatedCaller) => void,
): Promise<AuthenticatedCaller> {
  const { tenant, accessToken } = await verifyAccessToken(installation, token, managementIdentifier, address, requestInfo);
  const { subject, clientId, userGrant, organizationId } = accessToken;
  // Cached settings may lack a grant that another process added: only a fresh read can tell that the token was revoked.
  const held = (await findHeldScopes(tenant, accessToken)) ?? (await findHeldScopes(tenant.uncached(), accessToken));
  if (held === undefined) throw invalidToken("the token was revoked");
  const { client, scopes } = held;
  const caller: Caller = {
    subject,
    clientId,
    clientName: client.record.name,
    scopes,
    tenantId: tenant.id,
    ownUserId: undefined,
    organizationId,
    ...(userGrant && { sessionId: userGrant.sessionId, authentication: authenticationOf(accessToken) }),
  };
  recognised({ tenant, caller });
  const reached = await resolveTargetTenant(installation, { tenant, organizationId }, address);
  const ownUserId = reached === tenant && userGrant !== undefined ? subject : undefined;
  const found = { tenant: reached, caller: { ...caller, ownUserId } };
  recognised(found);
  return found;
}

function authenticationOf({ issuedAt, claims: { acr } }: AccessToken): TokenAuthentication {
  return { issuedAt: issuedAt * 1000, acr: typeof acr === "string" ? acr : undefined };
}

/** The client that a token was issued to, and those scopes of the token that the caller still holds. */
interface HeldScopes {
  readonly client: RegisteredClient;
  readonly scopes: ReadonlySet<string>;
}

/**
 * Returns the scopes that the caller still holds; undefined if the client, user, session or grant no longer allows the
 * token.
 */
async function findHeldScopes(tenant: RequestTenant, token: AccessToken): Promise<HeldScopes | undefined> {
  const [client, api] = await Promise.all([
    tenant.client(token.clientId),
    tenant.api(tenant.urls.issuer + managementIdentifier),
    // `clientScopes` reads the grants next. Starting the read here saves a round trip.
    token.userGrant === undefined ? tenant.clientGrants(token.clientId) : undefined,
  ]);
  if (client === undefined || api === undefined) return undefined;
  const scopes =
    token.userGrant === undefined ? await clientScopes(tenant, client, api, token) : await userScopes(tenant, client, api, token);
  return scopes && { client, scopes };
}

/**
 * Returns the scopes that the client still holds; undefined without a client grant. Reads only settings, so it costs no
 * query if they are cached.
 */
async function clientScopes(
  tenant: RequestTenant,
  client: RegisteredClient,
  api: CachedApi,
  token: AccessToken,
): Promise<ReadonlySet<string> | undefined> {
  const grant = await findGrantOfToken(tenant, client, api, token.organizationId);
  if (grant === undefined) return undefined;
  const known = cachedScopes.get(token);
  if (known?.grant === grant && known.api === api) return known.scopes;
  const scopes = intersection(token.scope, grantedScopes(grant, api));
  cachedScopes.set(token, { grant, api, scopes });
  return scopes;
}

/** Caches the scopes of a token for as long as its client grant is unchanged. */
const cachedScopes = new WeakMap<AccessToken, { readonly grant: object; readonly api: CachedApi; readonly scopes: ReadonlySet<string> }>();

/**
 * Returns the scopes that the user still holds; undefined if the user, the session or the grant is no longer active.
 * Costs one round trip to the data store.
 */
async function userScopes(
  tenant: RequestTenant,
  client: RegisteredClient,
  api: CachedApi,
  token: AccessToken,
): Promise<ReadonlySet<string> | undefined> {
  const [activeToken, rights] = await Promise.all([
    findActiveToken(tenant, token),
    permissionsOfPrincipal(tenant, client, whoOf(token), api),
  ]);
  return activeToken === undefined || rights === undefined ? undefined : intersection(token.scope, rights);
}

const whoOf = ({ subject, organizationId }: AccessToken): Principal => ({ userId: subject, organizationId });

function intersection(held: readonly string[], given: readonly string[]): ReadonlySet<string> {
  const givenSet = new Set(given);
  return new Set(held.filter((value) => givenSet.has(value)));
}
