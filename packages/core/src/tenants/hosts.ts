import { readAll } from "../store/read-all.ts";
import { schema } from "../store/schema.ts";
import { PosternError } from "../errors.ts";
import { createUrls, type Urls } from "../http/urls.ts";
import { findTenant, findTenantOfOrganization, lookUp, type Installation } from "./installation.ts";
import type { Tenant } from "./tenant.ts";

/** Whether tokens of a tenant may name this issuer: the configured one, that of its subdomain, or that of one of its verified domains. */
export async function isIssuerOf(installation: Installation, tenant: Pick<Tenant, "id" | "data">, issuer: string): Promise<boolean> {
  if (issuer === installation.urls.issuer) return true;
  const { subdomains } = installation;
  const label = subdomains !== undefined && URL.canParse(issuer) ? subdomains.labelOf(new URL(issuer).host) : undefined;
  if (label !== undefined) return subdomains?.urlsOf(label)?.issuer === issuer && (await tenantOfLabel(installation, label)) === tenant.id;
  const domains = await ownDomains(installation, tenant);
  return domains.some((domain) => issuer === issuerOfDomain(installation, domain));
}

/** The verified domains of a tenant. One that the operator took for subdomains since then is none any more. */
async function ownDomains({ cache, subdomains }: Installation, { id, data }: Pick<Tenant, "id" | "data">): Promise<readonly string[]> {
  const read = () => readAll(data.custom_domains, schema.custom_domains.key, {});
  const domains = (await cache.get(id, "custom_domains", ["all"], read)) ?? [];
  return domains.flatMap(({ status, domain }) => (status === "ready" && subdomains?.covers(domain) !== true ? [domain] : []));
}

/** Whether a tenant has a host of its own by what is stored: a verified domain, or a subdomain. What a resolver of the host's would answer is not known. */
export async function hasOwnHost(
  installation: Installation,
  tenant: Pick<Tenant, "id" | "data"> & { readonly organizationId: string | null },
): Promise<boolean> {
  if ((await ownDomains(installation, tenant)).length > 0) return true;
  const { subdomains } = installation;
  if (subdomains === undefined || subdomains.ask !== undefined) return false;
  const label = subdomains.names === "tenant" ? tenant.id : await organizationName(installation, tenant.organizationId);
  const urls = label === undefined ? undefined : subdomains.urlsOf(label);
  return urls !== undefined && subdomains.labelOf(urls.host) === label;
}

async function organizationName({ controlPlaneTenantId, scope }: Installation, id: string | null): Promise<string | undefined> {
  if (id === null || controlPlaneTenantId === undefined) return undefined;
  const [row] = await scope(controlPlaneTenantId).organizations.find({ where: { id }, limit: 1 });
  return row?.name;
}

/** The issuer of a tenant's custom domain: the configured base path, under https. */
function issuerOfDomain({ urls }: Installation, domain: string): string {
  return `https://${domain}${urls.basePath}`;
}

/**
 * The tenant that a label below the base domain names: the control plane by its id, any other by the host's resolver, by an organization of the control plane with that name, or by its id.
 * Undefined for what names none. @throws {UnavailableError} where the host's resolver does not answer.
 */
async function tenantOfLabel(installation: Installation, label: string): Promise<string | undefined> {
  const { subdomains, controlPlaneTenantId, cache, scope } = installation;
  if (subdomains === undefined) return undefined;
  if (label !== controlPlaneTenantId && subdomains.ask === undefined && subdomains.names === "organization") {
    if (controlPlaneTenantId === undefined) return undefined;
    const organization = await cache.get(controlPlaneTenantId, "organizations", ["label", label], async () => {
      const [row] = await scope(controlPlaneTenantId).organizations.find({ where: { name: label }, limit: 1 });
      return row;
    });
    // By the stored id, and never by what the tenant or the organization calls itself.
    return organization && (await findTenantOfOrganization(installation, organization.id))?.record.id;
  }
  const named = label === controlPlaneTenantId || subdomains.ask === undefined ? label : await subdomains.ask(label);
  // An answer may be any text: what cannot be a tenant's id is asked of no database.
  return named !== undefined && /^[a-z0-9_-]{1,63}$/.test(named) ? (await findTenant(installation, named))?.record.id : undefined;
}

/**
 * The URLs that answers to a request are made with: those of the host it came in on where that is a tenant's own, else those of the configured issuer.
 * Any other host name changes nothing: what a caller writes into a header never becomes part of an address.
 * @throws {PosternError} `not_found` for a host below the base domain of `subdomainRouting` that is nobody's.
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
  // Custom domains are domain names: an address or a bare name needs no question.
  if (!/^[a-z0-9.-]+\.[a-z]{2,}$/.test(host) || installation.subdomains?.covers(host) === true) return configured;
  const tenantId = await lookUp(installation, "host", host);
  return tenantId === undefined ? configured : { urls: createUrls(issuerOfDomain(installation, host)), tenantId };
}
