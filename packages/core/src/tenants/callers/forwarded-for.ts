import { normalizeAddress } from "../../adapters/addresses.ts";
import type { RequestTenant } from "../tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";

/**
 * Returns the tenant with the IP address of the end user on whose behalf a backend sends the request. The backend sends
 * it in the header `auth0-forwarded-for`, as in Auth0. Rate limits, one-time codes, sessions and the audit log use this
 * address. The header is ignored unless it contains one IP address, the client authenticated with a credential, and its
 * setting `is_token_endpoint_ip_header_trusted` is `true`.
 * @param credentials the client credentials in the request, which must already be verified.
 */
export function forwardedTenant(
  tenant: RequestTenant,
  request: Request,
  client: RegisteredClient,
  credentials: { readonly method: string },
): RequestTenant {
  const header = request.headers.get("auth0-forwarded-for");
  if (header === null || credentials.method === "none" || client.settings.is_token_endpoint_ip_header_trusted !== true) return tenant;
  const ip = normalizeAddress(header.trim());
  return ip === undefined ? tenant : tenant.withAddress(ip);
}
