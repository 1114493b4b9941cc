import { findOne } from "../store/find-one.ts";
import { readAll } from "../store/read-all.ts";
import { schema, type Row } from "../store/schema.ts";
import { PosternError } from "../errors.ts";
import { createUrls, type Urls } from "../http/urls.ts";
import { findTenant, findTenantOfOrganization, lookUp, type Installation } from "./installation.ts";
import type { RequestTenant } from "./tenant.ts";

/**
 * Whether tokens of a tenant may have this issuer: the configured issuer, the issuer of the tenant's subdomain, or the
 * issuer of one of its verified custom domains.
 */
export async function isIssuerOf(installation: Installation, tenant: Pick<RequestTenant, "id" | "data">, issuer: string): Promise<boolean> {
  if (issuer === installation.urls.issuer) return true;
  const { subdomains } = installation;
  const label = subdomains !== undefined && URL.canParse(issuer) ? subdomains.labelOf(new URL(issuer).host) : undefined;
  if (label !== undefined) return subdomains?.urlsOf(label)?.issuer === issuer && (await tenantOfLabel(installation, label)) === tenant.id;
  const domains = await verifiedDomains(installation, tenant);
  return domains.some(({ domain }) => issuer === issuerOfDomain(installation, domain));
}

/** Returns a tenant's verified custom domains, except those that the configured subdomain routing now covers. */
export async function verifiedDomains(
  { cache, subdomains }: Installation,
  { id, data }: Pick<RequestTenant, "id" | "data">,
): Promise<readonly Row<"custom_domains">[]> {
  const read = () => readAll(data.custom_domains, schema.custom_domains.key, {});
  const domains = (await cache.get(id, "custom_domains", ["all"], read)) ?? [];
  return domains.filter(({ status, domain }) => status === "ready" && subdomains?.covers(domain) !== true);
}

/**
 * Whether a tenant has a tenant-specific host according to the stored data: a verified custom domain, or a subdomain.
 * Subdomains do not count if the host application resolves them.
 */
export async function hasOwnHost(
  installation: Installation,
  tenant: Pick<RequestTenant, "id" | "data"> & { readonly organizationId: string | null },
): Promise<boolean> {
  if ((await verifiedDomains(installation, tenant)).length > 0) return true;
  const { subdomains } = installation;
  if (subdomains === undefined || subdomains.resolveLabel !== undefined) return false;
  const label = subdomains.names === "tenant" ? tenant.id : await organizationName(installation, tenant.organizationId);
  const urls = label === undefined ? undefined : subdomains.urlsOf(label);
  return urls !== undefined && subdomains.labelOf(urls.host) === label;
}

async function organizationName({ controlPlaneTenantId, scope }: Installation, id: string | null): Promise<string | undefined> {
  if (id === null || controlPlaneTenantId === undefined) return undefined;
  const row = await findOne(scope(controlPlaneTenantId).organizations, { id });
  return row?.name;
}

/** Returns the issuer of a tenant's custom domain: the configured base path, with https. */
export function issuerOfDomain({ urls }: { readonly urls: Pick<Urls, "basePath"> }, domain: string): string {
  return `https://${domain}${urls.basePath}`;
}

/**
 * Returns the tenant that a label below the base domain belongs to. The label of the control plane is its id. The label
 * of any other tenant is defined by the host application's resolver, or is the name of the tenant's organization on the
 * control plane, or the tenant's id. Undefined for an unknown label.
 * @throws {UnavailableError} if the host application's resolver fails.
 */
async function tenantOfLabel(installation: Installation, label: string): Promise<string | undefined> {
  const { subdomains, controlPlaneTenantId, cache, scope } = installation;
  if (subdomains === undefined) return undefined;
  if (label !== controlPlaneTenantId && subdomains.resolveLabel === undefined && subdomains.names === "organization") {
    if (controlPlaneTenantId === undefined) return undefined;
    const organization = await cache.get(controlPlaneTenantId, "organizations", ["label", label], async () => {
      const row = await findOne(scope(controlPlaneTenantId).organizations, { name: label });
      return row;
    });
    // Finds the tenant by the organization id in its row, never by a name.
    return organization && (await findTenantOfOrganization(installation, organization.id))?.record.id;
  }
  const named = label === controlPlaneTenantId || subdomains.resolveLabel === undefined ? label : await subdomains.resolveLabel(label);
  // The resolver may return any text. Text that cannot be a tenant id is never looked up.
  return named !== undefined && /^[a-z0-9_-]{1,63}$/.test(named) ? (await findTenant(installation, named))?.record.id : undefined;
}

/**
 * Returns the URLs that responses to a request contain: the URLs of the request's host if it belongs to a tenant, else
 * those of the configured issuer. Any other host name is ignored, so text that a caller writes into a header never
 * becomes part of a URL.
 * @throws {PosternError} `not_found` for a host below the base domain of `subdomainRouting` without a tenant.
 */
export async function urlsOfHost(
  installation: Installation,
  host: string,
): Promise<{ readonly urls: Urls; readonly tenantId: string | undefined }> {
  const configured = { urls: installation.urls, tenantId: undefined };
  if (host === installation.urls.host) return configured;
  const label = installation.subdomains?.labelOf(host);
  if (label !== undefined) {
    const urls = installation.subdomains?.urlsOf(label);
    const tenantId = urls && (await tenantOfLabel(installation, label));
    if (urls === undefined || tenantId === undefined) throw new PosternError("not_found", "there is no such tenant");
    return { urls, tenantId };
  }
  // Custom domains are domain names: an IP address or a single label needs no query.
  if (!/^[a-z0-9.-]+\.[a-z]{2,}$/.test(host) || installation.subdomains?.covers(host) === true) return configured;
  const tenantId = await lookUp(installation, "host", host);
  return tenantId === undefined ? configured : { urls: createUrls(issuerOfDomain(installation, host)), tenantId };
}
