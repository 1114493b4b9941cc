import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { isPublic } from "../../model/clients/refresh-token-settings.ts";
import { publicIdentifier } from "../../tenants/audience.ts";
import { findClientGrant, grantedScopes, allowsOrganization, acceptsOrganization } from "../../tenants/callers/permissions.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { grant } from "./grant.ts";
import { tokenResponse } from "./token-response.ts";
import type { ClientAccess } from "../../authorization/issue-tokens/granted-access.ts";
import { issueTokens } from "../../authorization/issue-tokens/issue-tokens.ts";
import { tokenOrganization } from "../../authorization/organization.ts";
import { requestedAudience } from "../../authorization/requested-audience.ts";
import { runCredentialsExchange } from "../../authorization/actions/credentials-exchange.ts";
import { takeFromQuotas } from "../../authorization/token-quota.ts";
import { audienceParameter, organizationParameter, resourceParameter, scopeParameter } from "./target-parameters.ts";

/**
 * Issues a client a token for itself, with the scopes that its client grant for the API allows (RFC 6749 section 4.4).
 */
export const clientCredentialsGrant = grant({
  failureEvent: "feccft",
  parameters: z.object({
    audience: audienceParameter,
    resource: resourceParameter,
    scope: scopeParameter,
    organization: organizationParameter,
  }),
})(async ({ scope, organization: named, ...target }, { tenant, client, provenKey }) => {
  // A public client does not authenticate, so it gets no tokens, even if it is registered with this grant type.
  if (isPublic(client.record.token_endpoint_auth_method)) {
    throw new PosternError("unauthorized_client", "a public client is not allowed to use the grant type 'client_credentials'");
  }
  const identifier = (await requestedAudience(tenant, target)) ?? tenant.settings.default_audience ?? "";
  if (identifier === "") throw new PosternError("invalid_request", "'audience' is missing, and the tenant has no default audience");
  const api = await tenant.api(identifier);
  if (api === undefined) throw new PosternError("access_denied", `no API has the identifier '${identifier}'`);

  const clientGrant = await findClientGrant(tenant, client, api);
  if (clientGrant === undefined) {
    const shown = publicIdentifier(api.record.identifier, tenant.urls.issuer);
    throw new PosternError("access_denied", `the client is not authorized to access '${shown}'`);
  }
  const allowed = grantedScopes(clientGrant, api);
  const organization = await organizationFor(tenant, client, clientGrant, named);
  const requested = scope === undefined ? allowed : requestedScopes(scope, allowed);
  const { scopes, customClaims } = await runCredentialsExchange(tenant, { client, api, organization, scopes: requested });
  const note = await takeFromQuotas(tenant, client, organization);
  const granted: ClientAccess = {
    client,
    provenKey,
    api,
    scope: scopes,
    ...(organization && { organization: tokenOrganization(tenant, organization, named !== undefined && named !== organization.id) }),
    ...(customClaims && { customClaims }),
  };
  const event = { type: "seccft", audience: identifier, ...(note !== undefined && { description: note }) } as const;
  return tokenResponse(await issueTokens(tenant, granted, { access: true, event }));
});

/**
 * Returns the organization that the client acts for: the requested organization, otherwise the client's default. The
 * client grant decides whether the client may act for no organization, for any organization, or for those in a list.
 */
async function organizationFor(
  tenant: RequestTenant,
  client: RegisteredClient,
  clientGrant: Row<"client_grants">,
  named: string | undefined,
): Promise<Row<"organizations"> | undefined> {
  const { default_organization: defaults } = client.settings;
  const allowsOne = acceptsOrganization(clientGrant);
  const name = named ?? (allowsOne && defaults?.flows.includes("client_credentials") ? defaults.organization_id : undefined);
  if (name === undefined) {
    if (clientGrant.organization_usage === "require")
      throw new PosternError("invalid_request", "'organization' is missing: the client grant requires one");
    return undefined;
  }
  if (!allowsOne) throw new PosternError("invalid_request", "'organization' is not allowed by the client grant");
  const organization = await tenant.organization(name);
  if (organization !== undefined && (await allowsOrganization(tenant, clientGrant, organization.id))) return organization;
  throw new PosternError("access_denied", "'organization': the client is not allowed to act for this organization");
}

/**
 * Returns the requested scopes without duplicates. @throws {PosternError} `invalid_scope` if a scope is not granted.
 */
function requestedScopes(requested: string, granted: readonly string[]): readonly string[] {
  const scopes = [...new Set(requested.split(" ").filter((value) => value !== ""))];
  const refused = scopes.find((value) => !granted.includes(value));
  if (refused !== undefined) throw new PosternError("invalid_scope", `the scope '${refused}' is not granted to the client`);
  return scopes;
}
