import { normalizeAddress } from "../../adapters/addresses.ts";
import type { Tenant } from "../tenant.ts";
import type { Client } from "../../model/clients/client.ts";

/**
 * Returns the tenant as the request of a backend's user sees it: with the client address in the header `auth0-forwarded-for`, as with Auth0. The address counts for rate limits, one-time codes, sessions
 * and the audit log. The header is ignored unless the client authenticated with a credential and its setting `is_token_endpoint_ip_header_trusted` is `true`, and if it is not one IP address.
 * @param credentials of the request; they must be verified already.
 */
export function forwardedTenant(tenant: Tenant, request: Request, client: Client, credentials: { readonly method: string }): Tenant {
  const header = request.headers.get("auth0-forwarded-for");
  if (header === null || credentials.method === "none" || client.settings.is_token_endpoint_ip_header_trusted !== true) return tenant;
  const ip = normalizeAddress(header.trim());
  return ip === undefined ? tenant : tenant.withAddress(ip);
}
