import { readAll } from "../data/read-all.ts";
import { schema } from "../data/schema.ts";
import { createUrls, type Urls } from "../http/urls.ts";
import { lookUp, type Installation } from "./installation.ts";
import type { Tenant } from "./tenant.ts";

/** Every issuer that tokens of a tenant may name: that of each verified host, and the configured one. */
export async function issuersOf(installation: Installation, { id, data }: Pick<Tenant, "id" | "data">): Promise<readonly string[]> {
  const read = () => readAll(data.custom_domains, schema.custom_domains.key, {});
  const domains = (await installation.cache.get(id, "custom_domains", "", read)) ?? [];
  const ready = domains.filter(({ status }) => status === "ready");
  return [installation.urls.issuer, ...ready.map(({ domain }) => issuerOfHost(installation, domain))];
}

/** The issuer of a tenant's own host: the configured base path, under https. */
function issuerOfHost({ urls }: Installation, host: string): string {
  return `https://${host}${urls.basePath}`;
}

/**
 * The URLs that answers to a request are made with: those of the host it came in on where that is a tenant's own, else those of the configured issuer.
 * Any other host name changes nothing: what a caller writes into a header never becomes part of an address.
 */
export async function urlsOfHost(
  installation: Installation,
  host: string,
): Promise<{ readonly urls: Urls; readonly tenantId: string | undefined }> {
  const configured = { urls: installation.urls, tenantId: undefined };
  // Host names of tenants are domain names: an address or a bare name needs no question.
  if (host === installation.urls.host || !/^[a-z0-9.-]+\.[a-z]{2,}$/.test(host)) return configured;
  const tenantId = await lookUp(installation, "host", host);
  return tenantId === undefined ? configured : { urls: createUrls(issuerOfHost(installation, host)), tenantId };
}
