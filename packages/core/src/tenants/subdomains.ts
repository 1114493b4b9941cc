import type { HostServices } from "../context.ts";
import { createElapsed } from "../adapters/clock.ts";
import { boundedMap } from "../store/bounded-map.ts";
import { UnavailableError } from "../store/conflicts.ts";
import { withDeadline } from "../adapters/deadline.ts";
import { createUrls, type Urls } from "../http/urls.ts";
import type { SubdomainRouting } from "../adapters/subdomain-routing.ts";

/** Tenants by subdomain (spec section 4.10, `subdomainRouting`): which hosts are of tenants, and the issuer of each. Whose they are, the host's own resolver says, or the data. */
export interface Subdomains {
  /** How a label names its tenant where the host passes no resolver: an organization of the control plane, or the tenant's id. */
  readonly names: "organization" | "tenant";
  /** Whether a host name is the base domain or below it: it is no tenant's custom domain then. */
  covers(hostname: string): boolean;
  /**
   * What a host (`name[:port]`) below the base domain has before it: the label of a tenant, or text that is none. Undefined for every host that the configured issuer answers:
   * its own, those of the reserved labels, the base domain, and all that are elsewhere.
   */
  labelOf(host: string): string | undefined;
  /** The URLs of the issuer with a label; undefined for text that is no label. */
  urlsOf(label: string): Urls | undefined;
  /** What the host's resolver answers for a label, kept for five seconds; undefined where the host passes none. @throws {UnavailableError} where it throws, or hangs. */
  readonly ask: ((label: string) => Promise<string | undefined>) | undefined;
}

/** Labels that are never a tenant's, besides those that the host reserves. */
const reserved = ["www", "api", "admin", "login"];

/** Milliseconds that a resolver may take. */
const patience = 1000;
/** Milliseconds for which its answer counts. */
const lifetime = 5000;

/** Makes {@link Subdomains}. */
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
    ask: resolveSubdomain && createResolver(resolveSubdomain, host),
  };
}

interface Answer {
  readonly tenantId: Promise<string | undefined>;
}

/** Asks the host's resolver, about one label once at a time. Labels of nobody are kept apart, so that whoever guesses them drives out no other. */
function createResolver(
  resolveSubdomain: NonNullable<SubdomainRouting["resolveSubdomain"]>,
  { clock, wait }: Pick<HostServices, "clock" | "wait">,
): (label: string) => Promise<string | undefined> {
  const expiry = { lifetime, elapsed: createElapsed(clock) };
  const tenants = boundedMap<Answer>({ expiry });
  const nobodies = boundedMap<Answer>({ entries: 1000, expiry });

  const ask = async (label: string): Promise<string | undefined> => {
    try {
      const answer: unknown = await withDeadline(async () => resolveSubdomain(label), patience, "subdomainRouting.resolveSubdomain", wait);
      return typeof answer === "string" ? answer : undefined;
    } catch (cause) {
      throw new UnavailableError(`whose subdomain '${label}' is cannot be found out`, { cause });
    }
  };

  const keep = async (label: string, answer: Answer): Promise<void> => {
    try {
      if ((await answer.tenantId) === undefined) return;
      tenants.set(label, answer);
    } catch {
      // Whoever asked was told, and the next one asks again.
    }
    if (nobodies.peek(label) === answer) nobodies.delete(label);
  };

  return (label) => {
    const known = tenants.get(label) ?? nobodies.get(label);
    if (known !== undefined) return known.tenantId;
    const answer = { tenantId: ask(label) };
    nobodies.set(label, answer);
    void keep(label, answer);
    return answer.tenantId;
  };
}
