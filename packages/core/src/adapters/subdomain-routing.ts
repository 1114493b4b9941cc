/**
 * Tenants by subdomain. A host name with one label before `baseDomain` belongs to one tenant, and
 * requests to it reach only that tenant. Requests to a label without a tenant get 404. The base domain and the reserved
 * labels belong to the configured issuer. The subdomain of the control plane is its tenant id.
 */
export interface SubdomainRouting {
  /**
   * A host name without a port: `id.example.com`, or `localhost` for `http://acme.localhost:3000/`. Names below it
   * cannot be custom domains.
   */
  readonly baseDomain: string;
  /**
   * `true`: a subdomain is the name of an organization in the control plane and leads to the child tenant that belongs
   * to that organization. `false`: a subdomain is a tenant id. Default: true.
   */
  readonly useOrganizations?: boolean;
  /** Subdomains that belong to no tenant, in addition to `www`, `api`, `admin` and `login`. */
  readonly reservedSubdomains?: readonly string[];
  /**
   * Returns the id of the tenant that a subdomain belongs to. Replaces the lookup of organizations and tenant ids. A
   * result that is not the id of a tenant means that no tenant has the subdomain. The result is cached for five
   * seconds. After a rejection, or if there is no result within one second, the request fails with 503.
   */
  readonly resolveSubdomain?: (subdomain: string) => string | undefined | Promise<string | undefined>;
}
