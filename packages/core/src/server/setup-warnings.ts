import { apiOf } from "../http/api.ts";
import type { Routing } from "./routing.ts";
import { findTenant, type Installation } from "../tenants/installation.ts";

/**
 * Mistakes of a setup that only requests show. The operator is told of each once in a process, as a warning with the event `setup`:
 * strangers can cause them too, and must not fill the log.
 */
export interface SetupWarnings {
  /** A request came by a host that is no tenant's own. */
  hostSeen(hostname: string): void;
  /** A request came from what looks like a proxy that the host did not name. */
  proxySeen(): void;
  /** A request found nothing. @param noTenant whether it has a route and lacks a tenant. */
  nothingFound(request: Pick<Request, "method" | "url">, noTenant: boolean): Promise<void>;
}

/** A setting that does not fit what requests show. */
interface Mistake {
  /** The option. */
  readonly option: "issuer" | "defaultTenantId" | "trustedProxies" | "requireOrganizationMatch";
  readonly given: string;
  readonly seen: string;
  /** What is expected. */
  readonly expected: string;
  /** Where to read on, in the repository. */
  readonly page: string;
}

/** Path segments that are tried as those of a mount path. */
const deepestMount = 4;

/** Makes {@link SetupWarnings}. */
export function createSetupWarnings(installation: Installation, routing: Routing): SetupWarnings {
  const { urls, defaultTenantId, requireOrganizationMatch } = installation;
  const told = new Set<string>();
  const tell = (kind: string, mistake: Mistake): void => {
    if (told.has(kind)) return;
    told.add(kind);
    installation.host.logger.log({ level: "warn", event: "setup", ...mistake });
  };
  if (!requireOrganizationMatch) {
    tell("organization", {
      option: "requireOrganizationMatch",
      given: "false",
      seen: "the start of the service",
      expected:
        "true, unless every administrator of any tenant may administer all of them: with false, a token of one tenant's organization reaches every other tenant with its scopes",
      page: "docs/tenants.md#manage-one-tenant-from-the-control-plane",
    });
  }

  /** Whether this path, below the issuer, is one of the Auth API. */
  const isServed = async (method: string, path: string): Promise<boolean> => {
    if (apiOf(path) !== "auth") return false;
    const router = await routing("auth");
    try {
      return router.find(method, path).params !== undefined;
    } catch {
      return false;
    }
  };

  return {
    hostSeen(hostname) {
      if (hostname === urls.host || told.has("host")) return;
      tell("host", {
        option: "issuer",
        given: urls.issuer,
        seen: `a request for the host '${hostname}'`,
        expected:
          "the address that people use. It is answered as the issuer's; cookies and redirects may be lost on the way. A proxy has to hand on the Host, or to be named in 'trustedProxies'",
        page: "docs/embedding.md#addresses",
      });
    },

    proxySeen() {
      tell("proxy", {
        option: "trustedProxies",
        given: "a list without the sender of a request",
        seen: "a request with X-Forwarded-For, from a private address that is none of them",
        expected:
          "the addresses of your proxies: until they are named, everybody behind them has one address, and limits by address do not tell people apart",
        page: "docs/operations.md#behind-a-proxy",
      });
    },

    async nothingFound({ method, url }, noTenant) {
      if (noTenant) {
        if (defaultTenantId === undefined || told.has("tenant") || (await findTenant(installation, defaultTenantId)) !== undefined) return;
        tell("tenant", {
          option: "defaultTenantId",
          given: defaultTenantId,
          seen: "a request for that tenant, which is not there",
          expected: `a tenant that was set up: await postern.seed({ tenantId: '${defaultTenantId}' })`,
          page: "docs/embedding.md#the-least-that-works",
        });
        return;
      }
      if (told.has("mount")) return;
      const { pathname } = new URL(url);
      const segments = pathname.split("/").slice(1, deepestMount + 2);
      for (const cut of segments.keys()) {
        const path = `/${pathname
          .split("/")
          .slice(cut + 1)
          .join("/")}`;
        if (!(await isServed(method, path))) continue;
        const mount = pathname.slice(0, pathname.length - path.length + 1);
        tell("mount", {
          option: "issuer",
          given: urls.issuer,
          seen: `a request for '${pathname}', which is Postern's '${path}' below '${mount}'`,
          expected: `an issuer with the path that requests come with, '${urls.origin}${mount}', or handlers that are mounted at '${urls.basePath}' and leave the path whole`,
          page: "docs/embedding.md#handing-requests-over",
        });
        return;
      }
    },
  };
}
