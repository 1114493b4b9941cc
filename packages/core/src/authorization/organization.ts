import type { Row } from "../store/schema.ts";
import { isMember } from "../identity/organizations/members.ts";
import { PosternError } from "../errors.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";

/** What tokens say about the organization that they are for. */
export interface TokenOrganization {
  readonly id: string;
  /** `org_name`: where the tenant wants it, or where the organization was asked for by its name. */
  readonly name?: string;
}

/** An organization as tokens name it. */
export function tokenOrganization(tenant: Tenant, { id, name }: Row<"organizations">, byName: boolean): TokenOrganization {
  return { id, ...((byName || tenant.settings.allow_organization_name_in_authentication_api) && { name }) };
}

/**
 * Returns an organization if the user is a member of it now and signed in by a connection that it allows. Otherwise
 * returns undefined, so that a caller cannot find out whether the organization exists.
 */
export async function memberOrganization(
  tenant: Tenant,
  client: Client,
  { userId, connectionId }: Pick<OrganizationRequest, "userId" | "connectionId">,
  idOrName: string,
): Promise<Row<"organizations"> | undefined> {
  const organization = await tenant.organization(idOrName);
  if (organization === undefined || !(await isMember(tenant.data, organization.id, userId))) return undefined;
  return connectionId === undefined || (await tenant.connections.offers(client, connectionId, organization.id)) ? organization : undefined;
}

/** What a grant knows about the organization of its tokens. */
export interface OrganizationRequest {
  readonly userId: string;
  /** The connection by which the session began; undefined where there is none. */
  readonly connectionId: string | undefined;
  /** The request's own parameter, an id or a name. It holds for this answer alone. */
  readonly asked?: string | undefined;
  /** The organization of what is exchanged. */
  readonly stored: string | null;
  /** Whether it was asked for by its name then. */
  readonly storedByName?: boolean | undefined;
  /** What to say where the person is no member of `stored` any more. */
  readonly lost: string;
}

/**
 * The organization of tokens that are granted now: the one that is asked for, else the one of what is exchanged. Membership decides anew each time, and the connection does.
 * @throws {PosternError} `access_denied` for an organization that is not theirs in this session, `invalid_grant` where it was once.
 */
export async function grantedOrganization(
  tenant: Tenant,
  client: Client,
  request: OrganizationRequest,
): Promise<TokenOrganization | undefined> {
  const { asked, stored, storedByName = false, lost } = request;
  const { organization_usage: usage } = client.record;
  if (asked !== undefined) {
    if (usage === "deny") throw new PosternError("invalid_request", "'organization': the client does not take one");
    const organization = await memberOrganization(tenant, client, request, asked);
    if (organization === undefined)
      throw new PosternError("access_denied", "'organization': the person is no member of it, or signed in another way than it wants");
    return tokenOrganization(tenant, organization, asked !== organization.id);
  }
  if (stored !== null) {
    const organization = await memberOrganization(tenant, client, request, stored);
    if (organization === undefined)
      throw new PosternError("invalid_grant", lost, {
        detail: "the person is no member of the organization, or signed in another way than it wants",
      });
    return tokenOrganization(tenant, organization, storedByName);
  }
  if (usage === "require") throw new PosternError("invalid_request", "'organization' is missing: the client requires one");
  return undefined;
}
