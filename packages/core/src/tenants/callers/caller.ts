import type { RequestInfo } from "../../context.ts";
import { invalidToken, verifyAccessToken, type AccessToken } from "./access-token.ts";
import { managementIdentifier } from "../audience.ts";
import type { Installation } from "../installation.ts";
import { findActiveToken } from "./active-token.ts";
import { resolveTargetTenant } from "./target-tenant.ts";
import type { TenantHint } from "../resolve.ts";
import { findGrantOfToken, grantedScopes, permissionsOfPrincipal, type Principal } from "./permissions.ts";
import type { Tenant } from "../tenant.ts";
import type { Api } from "../settings-cache.ts";
import type { Client } from "../../model/clients/client.ts";

/** Who calls the Management API. */
export interface Caller {
  /** The token's `sub`: a user id, or `<client_id>@clients`. */
  readonly subject: string;
  /** The client that the token was issued to. */
  readonly clientId: string;
  readonly clientName: string;
  /** Of a person's token: the session that it is of. */
  readonly sessionId?: string;
  /** The tenant that the token is of: the control plane where one of its people or clients works in another tenant. */
  readonly tenantId: string;
  /** The user of the tenant at work that the caller is; undefined for a client of its own, and for whoever comes from the control plane. */
  readonly ownUserId: string | undefined;
  /** The organization that the token is for. */
  readonly organizationId: string | undefined;
  /** What the token holds and the caller still has. */
  readonly scopes: ReadonlySet<string>;
}

/** A caller with the tenant at work: the one that the token reaches, or its own while that is not known yet. */
export interface AuthenticatedCaller {
  readonly tenant: Tenant;
  readonly caller: Caller;
}

/**
 * Checks a Management API token, and that what stands behind it is still there: for a person's token the person, their session and its grant, with what their roles give now;
 * for a client's own the client and its client grant. The token of somebody who was blocked, deleted or demoted opens no more than they may do.
 * @param recognised is told who calls, first before it is asked which tenant they reach: what they are refused can be put on record.
 * @throws {PosternError} `invalid_token` (401), or `forbidden` (403) for a tenant that the token does not reach, whether that exists or not.
 */
export async function authenticateCaller(
  installation: Installation,
  token: string,
  address: TenantHint,
  requestInfo: RequestInfo,
  recognised: (found: AuthenticatedCaller) => void,
): Promise<AuthenticatedCaller> {
  const { tenant, accessToken } = await verifyAccessToken(installation, token, managementIdentifier, address, requestInfo);
  const { subject, clientId, person, organizationId } = accessToken;
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
    ...(person && { sessionId: person.sessionId }),
  };
  recognised({ tenant, caller });
  const reached = await resolveTargetTenant(installation, { tenant, organizationId }, address);
  const ownUserId = reached === tenant && person !== undefined ? subject : undefined;
  const found = { tenant: reached, caller: { ...caller, ownUserId } };
  recognised(found);
  return found;
}

/** A client, and the scopes of a token that its caller still holds. */
interface HeldScopes {
  readonly client: Client;
  readonly scopes: ReadonlySet<string>;
}

/** Returns what is left of a token; undefined if its client, user, session or grant no longer allows it. */
async function findHeldScopes(tenant: Tenant, token: AccessToken): Promise<HeldScopes | undefined> {
  const [client, api] = await Promise.all([
    tenant.client(token.clientId),
    tenant.api(tenant.urls.issuer + managementIdentifier),
    // Read right after. Starting the read here saves a round trip.
    token.person === undefined ? tenant.clientGrants(token.clientId) : undefined,
  ]);
  if (client === undefined || api === undefined) return undefined;
  const scopes =
    token.person === undefined ? await clientScopes(tenant, client, api, token) : await personScopes(tenant, client, api, token);
  return scopes && { client, scopes };
}

/** Returns the scopes that the client still holds; undefined without a client grant. Reads only settings, so cached ones cost no query. */
async function clientScopes(tenant: Tenant, client: Client, api: Api, token: AccessToken): Promise<ReadonlySet<string> | undefined> {
  const grant = await findGrantOfToken(tenant, client, api, token.organizationId);
  if (grant === undefined) return undefined;
  const known = reach.get(token);
  if (known?.grant === grant && known.api === api) return known.scopes;
  const scopes = intersection(token.scope, grantedScopes(grant, api));
  reach.set(token, { grant, api, scopes });
  return scopes;
}

/** A token that comes again, while the grant is the same, reaches the same. */
const reach = new WeakMap<AccessToken, { readonly grant: object; readonly api: Api; readonly scopes: ReadonlySet<string> }>();

/** Returns the scopes that the user still holds; undefined if the user, the session or the grant is no longer active. One round trip. */
async function personScopes(tenant: Tenant, client: Client, api: Api, token: AccessToken): Promise<ReadonlySet<string> | undefined> {
  const [live, rights] = await Promise.all([findActiveToken(tenant, token), permissionsOfPrincipal(tenant, client, whoOf(token), api)]);
  return live === undefined || rights === undefined ? undefined : intersection(token.scope, rights);
}

const whoOf = ({ subject, organizationId }: AccessToken): Principal => ({ userId: subject, organizationId });

function intersection(held: readonly string[], given: readonly string[]): ReadonlySet<string> {
  return new Set(held.filter((value) => given.includes(value)));
}
