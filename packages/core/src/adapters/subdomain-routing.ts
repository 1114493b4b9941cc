/**
 * Tenants by subdomain (spec section 4.10). A host with one label below `baseDomain` is its tenant's: a request there reaches that tenant and no other, and one that is nobody's is answered 404.
 * The base domain itself and the reserved labels are answered as the configured issuer. The control plane has the subdomain of its id.
 */
export interface SubdomainRouting {
  /** A host name without a port: `id.example.com`, or `localhost` for `http://acme.localhost:3000/`. What is below it can be no custom domain. */
  readonly baseDomain: string;
  /** Whether a subdomain is the name of an organization of the control plane, and so of the tenant that it stands for. `false`: it is the tenant's id. Default true. */
  readonly useOrganizations?: boolean;
  /** Subdomains that are no tenant's, besides `www`, `api`, `admin` and `login`. */
  readonly reservedSubdomains?: readonly string[];
  /**
   * Says which tenant a subdomain is of, by its id, in place of organizations and ids. Anything that is no tenant's id stands for nobody. An answer is kept for five seconds.
   * A throw, or no answer within a second, is a 503 for that request.
   */
  readonly resolveSubdomain?: (subdomain: string) => string | undefined | Promise<string | undefined>;
}
