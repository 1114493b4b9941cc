import { PosternError } from "../errors.ts";
import type { Urls } from "../http/urls.ts";
import type { RequestInfo } from "../context.ts";
import { findTenant, lookUp, type Installation } from "./installation.ts";
import { urlsOfHost } from "./hosts.ts";
import { RequestTenant } from "./tenant.ts";
import { isDocumentUrl } from "../model/clients/client-id.ts";

/** The tenant that the URL and the headers of a request name. */
export interface TenantHint {
  readonly urls: Urls;
  /** The tenant named by the host or by the `tenant-id` header; undefined if neither names one. */
  readonly tenantId: string | undefined;
}

/**
 * Reads the tenant that a request names from its host and its `tenant-id` header.
 * @throws {PosternError} `invalid_request` if they name different tenants. The rejection is audited in the host's
 * tenant.
 */
export async function readAddress(installation: Installation, requestInfo: RequestInfo, header: string | null): Promise<TenantHint> {
  const { urls, tenantId } = await urlsOfHost(installation, requestInfo.hostname);
  if (header === null) return { urls, tenantId };
  if (tenantId !== undefined && tenantId !== header) {
    const description = "the host and the tenant-id header name different tenants";
    const entry = await findTenant(installation, tenantId);
    if (entry !== undefined) await new RequestTenant(installation, entry, urls, requestInfo).audit({ type: "f", description });
    throw new PosternError("invalid_request", description);
  }
  return { urls, tenantId: header };
}

/** Request parameters that identify the tenant of a request. */
export interface Hints {
  /** A presented `client_id`. */
  readonly clientId?: string | undefined;
  /** The tenant in a presented token or `id_token_hint`, not verified yet. */
  readonly tokenTenantId?: string | undefined;
  /** The tenant in the parameter `tenant`, or the tenant of the browser's session. */
  readonly namedTenantId?: string | undefined;
}

/**
 * Returns the tenant of a request without a Management API token: the tenant that its host or header names, else the
 * tenant of its client, of its token or in its parameter `tenant`, else the default tenant, else the control plane. The
 * client and the token are verified later, when the client or the key is found in that tenant.
 * @throws {PosternError} `invalid_request` if the hints name different tenants, `not_found` if the tenant does not
 * exist.
 */
export async function resolveTenant(
  installation: Installation,
  address: TenantHint,
  hints: Hints,
  requestInfo: RequestInfo,
): Promise<RequestTenant> {
  const tenantId =
    address.tenantId ?? (await hintedTenant(installation, hints)) ?? installation.defaultTenantId ?? installation.controlPlaneTenantId;
  const entry = tenantId === undefined ? undefined : await findTenant(installation, tenantId);
  if (entry === undefined) throw new PosternError("not_found", "there is no such tenant");
  return new RequestTenant(installation, entry, address.urls, requestInfo);
}

async function hintedTenant(installation: Installation, { clientId, tokenTenantId, namedTenantId }: Hints): Promise<string | undefined> {
  // A document URL may name a client of each tenant.
  const clientTenantId = clientId === undefined || isDocumentUrl(clientId) ? undefined : await lookUp(installation, "client", clientId);
  const [hinted, ...others] = [clientTenantId, tokenTenantId, namedTenantId].filter((id) => id !== undefined);
  if (others.some((other) => other !== hinted)) {
    throw new PosternError("invalid_request", "the client, the token and the parameter 'tenant' name different tenants");
  }
  return hinted;
}
