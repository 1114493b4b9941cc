import type { RequestInfo } from "../domain/request-info.ts";
import { invalidToken, verifyAccessToken, type AccessToken } from "./access-token.ts";
import { managementIdentifier } from "./audience.ts";
import type { Installation } from "./installation.ts";
import { liveToken } from "./live-token.ts";
import { reachedTenant } from "./reach.ts";
import type { Addressed } from "./resolve.ts";
import { findGrantOfToken, grantedScopes, personRights, type Who } from "./rights.ts";
import type { Api, Client, Tenant } from "./tenant.ts";

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
export interface Recognised {
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
  address: Addressed,
  requestInfo: RequestInfo,
  recognised: (found: Recognised) => void,
): Promise<Recognised> {
  const { tenant, accessToken } = await verifyAccessToken(installation, token, managementIdentifier, address, requestInfo);
  const { subject, clientId, person, organizationId } = accessToken;
  const [client, api] = await Promise.all([
    tenant.client(clientId),
    tenant.api(tenant.urls.issuer + managementIdentifier),
    // Needed right after, and kept once it is asked for.
    person === undefined ? tenant.clientGrants(clientId) : undefined,
  ]);
  if (client === undefined || api === undefined) throw invalidToken("the token was revoked");
  const scopes =
    person === undefined ? await clientScopes(tenant, client, api, accessToken) : await personScopes(tenant, client, api, accessToken);
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
  const reached = await reachedTenant(installation, { tenant, organizationId }, address);
  const ownUserId = reached === tenant && person !== undefined ? subject : undefined;
  const found = { tenant: reached, caller: { ...caller, ownUserId } };
  recognised(found);
  return found;
}

/** What of its token a client still has. All of it is kept in the cache of settings: no question to the data store. */
async function clientScopes(tenant: Tenant, client: Client, api: Api, token: AccessToken): Promise<ReadonlySet<string>> {
  const grant = await findGrantOfToken(tenant, client, api, token.organizationId);
  if (grant === undefined) throw invalidToken("the token was revoked");
  const known = reach.get(token);
  if (known?.grant === grant && known.api === api) return known.scopes;
  const scopes = intersection(token.scope, grantedScopes(grant, api));
  reach.set(token, { grant, api, scopes });
  return scopes;
}

/** A token that comes again, while the grant is the same, reaches the same. */
const reach = new WeakMap<AccessToken, { readonly grant: object; readonly api: Api; readonly scopes: ReadonlySet<string> }>();

/** What of their token a person still has: one round trip. */
async function personScopes(tenant: Tenant, client: Client, api: Api, token: AccessToken): Promise<ReadonlySet<string>> {
  const [live, rights] = await Promise.all([liveToken(tenant, token), personRights(tenant, client, whoOf(token), api)]);
  if (live === undefined || rights === undefined) throw invalidToken("the token was revoked");
  return intersection(token.scope, rights);
}

const whoOf = ({ subject, organizationId }: AccessToken): Who => ({ userId: subject, organizationId });

function intersection(held: readonly string[], given: readonly string[]): ReadonlySet<string> {
  return new Set(held.filter((value) => given.includes(value)));
}
