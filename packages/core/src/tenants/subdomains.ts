import type { HostServices } from "../context.ts";
import { createElapsed } from "../adapters/clock.ts";
import { boundedMap } from "../store/bounded-map.ts";
import { UnavailableError } from "../store/conflicts.ts";
import { withDeadline } from "../adapters/deadline.ts";
import { createUrls, type Urls } from "../http/urls.ts";
import type { SubdomainRouting } from "../adapters/subdomain-routing.ts";

/**
 * The tenant subdomains (option `subdomainRouting`): which hosts belong to tenants, and the issuer of each.
 * The tenant that a label belongs to is determined by the host application's resolver, or by the stored data.
 */
export interface Subdomains {
  /**
   * The meaning of a label if the host application passes no resolver: the name of an organization of the control plane, or
   * the id of a tenant.
   */
  readonly names: "organization" | "tenant";
  /** Whether a host name is the base domain or below it. If so, it cannot be a custom domain. */
  covers(hostname: string): boolean;
  /**
   * Returns the part of a host (`name[:port]`) before the base domain: the label of a tenant, or text that is not a
   * valid label. Undefined for every host that has the configured issuer: the issuer's own host, hosts with a reserved
   * label, the base domain, and all hosts outside the base domain.
   */
  labelOf(host: string): string | undefined;
  /** Returns the URLs of the issuer with this label; undefined for an invalid label. */
  urlsOf(label: string): Urls | undefined;
  /**
   * Returns the result of the host application's resolver for a label, cached for five seconds. Undefined if there is
   * no resolver. @throws {UnavailableError} if the resolver throws or times out.
   */
  readonly resolveLabel: ((label: string) => Promise<string | undefined>) | undefined;
}

/** Labels that are always reserved, in addition to those that the host application reserves. */
const reserved = ["www", "api", "admin", "login"];

/** Milliseconds before a call of the resolver times out. */
const resolverTimeout = 1000;
/** Milliseconds for which the resolver's result is cached. */
const lifetime = 5000;

/** Creates {@link Subdomains}. */
export function createSubdomains(
  routing: SubdomainRouting | undefined,
  issuer: Urls,
  host: Pick<HostServices, "clock" | "wait">,
): Subdomains | undefined {
  if (routing === undefined) return undefined;
  const { baseDomain, useOrganizations = true, reservedSubdomains = [], resolveSubdomain } = routing;
  const below = `.${baseDomain}`;
  const configured = new Set([...reserved, ...reservedSubdomains].map((label) => label + below));
  const { protocol, hostname: issuerName, port } = new URL(issuer.issuer);
  configured.add(baseDomain).add(issuerName);
  const covers = (hostname: string): boolean => hostname === baseDomain || hostname.endsWith(below) || hostname.endsWith(`${below}.`);

  return {
    names: useOrganizations ? "organization" : "tenant",
    covers,
    labelOf(host) {
      const [hostname = ""] = host.split(":", 1);
      if (configured.has(hostname) || !covers(hostname)) return undefined;
      return hostname.endsWith(below) ? hostname.slice(0, -below.length) : "";
    },
    urlsOf(label) {
      if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(label)) return undefined;
      return createUrls(`${protocol}//${label}${below}${port && `:${port}`}${issuer.basePath}`);
    },
    resolveLabel: resolveSubdomain && createResolver(resolveSubdomain, host),
  };
}

interface ResolvedLabel {
  readonly tenantId: Promise<string | undefined>;
}

/**
 * Returns a function that calls the host application's resolver, with at most one call in progress per label. Unknown
 * labels are cached separately, so that guessed labels do not evict known ones.
 */
function createResolver(
  resolveSubdomain: NonNullable<SubdomainRouting["resolveSubdomain"]>,
  { clock, wait }: Pick<HostServices, "clock" | "wait">,
): (label: string) => Promise<string | undefined> {
  const expiry = { lifetime, elapsed: createElapsed(clock) };
  const tenants = boundedMap<ResolvedLabel>({ expiry });
  const unknownLabels = boundedMap<ResolvedLabel>({ entries: 1000, expiry });

  const resolveLabel = async (label: string): Promise<string | undefined> => {
    try {
      const resolved: unknown = await withDeadline(
        async () => resolveSubdomain(label),
        resolverTimeout,
        "subdomainRouting.resolveSubdomain",
        wait,
      );
      return typeof resolved === "string" ? resolved : undefined;
    } catch (cause) {
      throw new UnavailableError(`cannot determine the tenant of the subdomain '${label}'`, { cause });
    }
  };

  const keep = async (label: string, resolved: ResolvedLabel): Promise<void> => {
    try {
      if ((await resolved.tenantId) === undefined) return;
      tenants.set(label, resolved);
    } catch {
      // A failed call is not cached: the requests that waited for it failed too, and the next request calls the resolver again.
    }
    if (unknownLabels.peek(label) === resolved) unknownLabels.delete(label);
  };

  return (label) => {
    const known = tenants.get(label) ?? unknownLabels.get(label);
    if (known !== undefined) return known.tenantId;
    const resolved = { tenantId: resolveLabel(label) };
    unknownLabels.set(label, resolved);
    void keep(label, resolved);
    return resolved.tenantId;
  };
}
