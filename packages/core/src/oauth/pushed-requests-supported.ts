import type { RegisteredClient } from "../model/clients/client.ts";
import { demandsOn } from "../model/clients/client-demands.ts";
import { tenantFlags } from "../model/tenant/flags.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/** Whether a tenant supports pushed authorization requests, and whether it requires them of every client (RFC 9126 section 5). */
export function pushedRequestSupport({ record, settings }: Pick<RequestTenant, "record" | "settings">): {
  readonly isSupported: boolean;
  readonly isRequired: boolean;
} {
  const isRequired = tenantFlags(record).require_pushed_authorization_requests === true;
  return { isSupported: isRequired || settings.pushed_authorization_requests_supported, isRequired };
}

/** Whether a client can push requests. A client that must push them can with every setting of the tenant. */
export function acceptsPushedRequests(tenant: RequestTenant, client: RegisteredClient): boolean {
  return pushedRequestSupport(tenant).isSupported || demandsOn(client).pushedRequest;
}
