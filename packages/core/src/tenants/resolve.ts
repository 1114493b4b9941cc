import { PosternError } from "../errors.ts";
import type { Urls } from "../http/urls.ts";
import type { RequestInfo } from "../context.ts";
import { findTenant, lookUp, type Installation } from "./installation.ts";
import { urlsOfHost } from "./hosts.ts";
import { RequestTenant } from "./tenant.ts";

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
}

/**
 * Returns the tenant of a request without a Management API token: the tenant that its host or header names, else the
 * tenant of its client, else the tenant of its token, else the default tenant, else the control plane. The client and
 * the token are verified later, when the client or the key is found in that tenant.
 * @throws {PosternError} `invalid_request` if client and token name different tenants, `not_found` if the tenant does
 * not exist.
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

async function hintedTenant(installation: Installation, { clientId, tokenTenantId }: Hints): Promise<string | undefined> {
  const clientTenantId = clientId === undefined ? undefined : await lookUp(installation, "client", clientId);
  if (clientTenantId !== undefined && tokenTenantId !== undefined && clientTenantId !== tokenTenantId) {
    throw new PosternError("invalid_request", "the client and the token belong to different tenants");
  }
  return clientTenantId ?? tokenTenantId;
}
