import type { Row } from "../store/schema.ts";
import { isMember } from "../identity/organizations/members.ts";
import { PosternError } from "../errors.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";

/** The organization claims of a token. */
export interface TokenOrganization {
  readonly id: string;
  /** `org_name`: present if the tenant enables it or if the request named the organization by its name. */
  readonly name?: string;
}

/** Returns the organization claims of tokens for an organization. */
export function tokenOrganization(tenant: RequestTenant, { id, name }: Row<"organizations">, byName: boolean): TokenOrganization {
  return { id, ...((byName || tenant.settings.allow_organization_name_in_authentication_api) && { name }) };
}

/**
 * Returns the organization that a request of a client names, by its id or name.
 * @throws {PosternError} `invalid_request` if it is unknown, or the client may not use organizations.
 */
export async function namedOrganization(tenant: RequestTenant, client: RegisteredClient, named: string): Promise<Row<"organizations">> {
  requireOrganizationsAllowed(client);
  const organization = await tenant.organization(named);
  if (organization === undefined) throw new PosternError("invalid_request", "'organization' is unknown");
  return organization;
}

function requireOrganizationsAllowed({ record }: RegisteredClient): void {
  if (record.organization_usage === "deny") throw new PosternError("invalid_request", "'organization' is not allowed for this client");
}

/** Whether a client's requests must be for an organization. */
export function requiresOrganization({ record }: RegisteredClient): boolean {
  return record.organization_usage === "require";
}

/** Returns the error for a request without the organization that the client requires. */
export function organizationMissing(): PosternError {
  return new PosternError("invalid_request", "'organization' is missing: the client requires one");
}

/**
 * Returns an organization if the user is a member of it now and signed in with a connection that the organization
 * allows. Otherwise returns undefined, so that a caller cannot find out whether the organization exists.
 */
export async function memberOrganization(
  tenant: RequestTenant,
  client: RegisteredClient,
  { userId, connectionId }: Pick<OrganizationRequest, "userId" | "connectionId">,
  idOrName: string,
): Promise<Row<"organizations"> | undefined> {
  const organization = await tenant.organization(idOrName);
  if (organization === undefined || !(await isMember(tenant.data, organization.id, userId))) return undefined;
  return connectionId === undefined || (await tenant.connections.offers(client, connectionId, organization.id)) ? organization : undefined;
}

/** The organization parameters of a grant. */
interface OrganizationRequest {
  readonly userId: string;
  /** The connection with which the session began; undefined without a session. */
  readonly connectionId: string | undefined;
  /** The `organization` parameter of the request, an id or a name. It applies only to this response. */
  readonly requested?: string | undefined;
  /** The organization of the code or token that is exchanged. */
  readonly stored: string | null;
  /** Whether the original request named the organization by its name. */
  readonly storedByName?: boolean | undefined;
  /** The error description if the user is no longer a member of `stored`. */
  readonly lostDescription: string;
}

/**
 * Returns the organization of the tokens that are issued now: the requested organization, otherwise the organization of
 * the code or token that is exchanged. Each call checks the membership and the connection.
 * @throws {PosternError} `access_denied` if the user may not use the requested organization in this session;
 * `invalid_grant` if the user may no longer use the stored organization.
 */
export async function grantedOrganization(
  tenant: RequestTenant,
  client: RegisteredClient,
  request: OrganizationRequest,
): Promise<TokenOrganization | undefined> {
  const { requested, stored, storedByName = false, lostDescription } = request;
  if (requested !== undefined) {
    requireOrganizationsAllowed(client);
    const organization = await memberOrganization(tenant, client, request, requested);
    if (organization === undefined)
      throw new PosternError(
        "access_denied",
        "'organization': the user is not a member, or signed in with a connection that the organization does not allow",
      );
    return tokenOrganization(tenant, organization, requested !== organization.id);
  }
  if (stored !== null) {
    const organization = await memberOrganization(tenant, client, request, stored);
    if (organization === undefined)
      throw new PosternError("invalid_grant", lostDescription, {
        detail: "the user is not a member of the organization, or signed in with a connection that it does not allow",
      });
    return tokenOrganization(tenant, organization, storedByName);
  }
  if (requiresOrganization(client)) throw organizationMissing();
  return undefined;
}
