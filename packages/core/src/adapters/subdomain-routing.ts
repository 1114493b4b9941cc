/**
 * Tenants by subdomain (spec section 4.10). A host name with one label before `baseDomain` belongs to one tenant, and
 * its requests reach only that tenant. Requests for a label without a tenant get 404. The base domain and the reserved
 * labels belong to the configured issuer. The subdomain of the control plane is its tenant id.
 */
export interface SubdomainRouting {
  /**
   * A host name without a port: `id.example.com`, or `localhost` for `http://acme.localhost:3000/`. Names below it
   * cannot be custom domains.
   */
  readonly baseDomain: string;
  /**
   * Whether a subdomain is the name of an organization of the control plane, and so of the child tenant of that
   * organization. `false`: it is a tenant id. Default: true.
   */
  readonly useOrganizations?: boolean;
  /** Subdomains that belong to no tenant, in addition to `www`, `api`, `admin` and `login`. */
  readonly reservedSubdomains?: readonly string[];
  /**
   * Returns the id of the tenant of a subdomain, instead of looking up organizations and tenant ids. A result that is
   * not a tenant id means that no tenant has the subdomain. The result is cached for five seconds. A rejection, or no
   * result within one second, makes the request fail with 503.
   */
  readonly resolveSubdomain?: (subdomain: string) => string | undefined | Promise<string | undefined>;
}
