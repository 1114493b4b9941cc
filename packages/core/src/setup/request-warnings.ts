import type { SetupWarnings } from "../server/setup-warnings.ts";
import { authApi } from "../server/apis.ts";
import type { Routing } from "../server/routing.ts";
import { findTenant, type Installation } from "../tenants/installation.ts";
import { createFindingLog } from "./finding-log.ts";
import type { SetupCheck, Finding } from "./finding.ts";
import type { PosternOptions } from "./options.ts";

/** Maximum number of path segments that are tried as a mount path. */
const maxMountDepth = 4;

/** Creates {@link SetupWarnings}. Immediately logs the warnings that depend on options only. */
export function createSetupWarnings(installation: Installation, routing: Routing): SetupWarnings {
  const { urls, defaultTenantId, requireOrganizationMatch } = installation;
  const log = createFindingLog(installation.host.logger);
  if (!requireOrganizationMatch) {
    log.write({
      ...warningAbout("option", "requireOrganizationMatch", "false"),
      message: "the start of the service",
      cure: "true, unless every administrator of a tenant may administer all tenants: with false, a token of one tenant's organization has its scopes in every other tenant",
      page: "docs/tenants.md#manage-one-tenant-from-the-control-plane",
    });
  }

  /** Whether a path, below the issuer, is a route of the Authentication API. */
  const isServed = async (method: string, path: string): Promise<boolean> => {
    if (routing.apiOf(path) !== authApi) return false;
    const router = await routing.routerOf(authApi);
    try {
      return router.find(method, path).params !== undefined;
    } catch {
      return false;
    }
  };

  const warnOfMissingTenant = async (): Promise<void> => {
    if (defaultTenantId === undefined || log.has("tenant") || (await findTenant(installation, defaultTenantId)) !== undefined) return;
    log.write({
      ...warningAbout("tenant", "defaultTenantId", defaultTenantId),
      message: "a request for this tenant, which does not exist",
      cure: `an existing tenant. Create it: await postern.seed({ tenantId: '${defaultTenantId}' })`,
      page: "docs/seed.md",
    });
  };

  const warnOfMountPath = async ({ method, url }: Pick<Request, "method" | "url">): Promise<void> => {
    if (log.has("mount")) return;
    const { pathname } = new URL(url);
    const segments = pathname.split("/").slice(1);
    for (const cut of segments.slice(0, maxMountDepth + 1).keys()) {
      const path = `/${segments.slice(cut).join("/")}`;
      if (!(await isServed(method, path))) continue;
      const mount = pathname.slice(0, pathname.length - path.length + 1);
      log.write({
        ...warningAbout("mount", "issuer", urls.issuer),
        message: `a request for '${pathname}', which is Postern's '${path}' below '${mount}'`,
        cure: `an issuer with the path of the requests, '${urls.origin}${mount}', or handlers that are mounted at '${urls.basePath}' and keep the whole path`,
        page: "docs/frameworks.md",
      });
      return;
    }
  };

  return {
    reportHost(hostname) {
      if (hostname === urls.host || log.has("host")) return;
      log.write({
        ...warningAbout("host", "issuer", urls.issuer),
        message: `a request for the host '${hostname}'`,
        cure: "the URL that users open. The request gets the responses of the issuer, and cookies and redirects may not work. A proxy must forward the Host header, or be listed in 'trustedProxies'",
        page: "docs/embedding.md#addresses",
      });
    },

    reportUnlistedProxy() {
      log.write({
        ...warningAbout("proxy", "trustedProxies", "a list without the sender of a request"),
        message: "a request with X-Forwarded-For, from a private address that is not in the list",
        cure: "the addresses of your proxies. Until they are listed, all users behind them share one address, and limits by address count them together",
        page: "docs/operations.md#behind-a-proxy",
      });
    },

    reportUnreadableAddress() {
      log.write({
        ...warningAbout("address", "trustedProxies", "a list with the sender of a request"),
        message: "a request whose X-Forwarded-For has an entry of this proxy that is not an IP address",
        cure: "a proxy that writes IP addresses, with or without a port. Until then the client address of such requests is unknown, and no limit by address applies to them",
        page: "docs/operations.md#behind-a-proxy",
      });
    },

    reportNotFound: (request, isTenantMissing) => (isTenantMissing ? warnOfMissingTenant() : warnOfMountPath(request)),
  };
}

/** Creates the common part of a warning about an option. */
function warningAbout(
  check: SetupCheck,
  option: keyof PosternOptions,
  given: string,
): Pick<Finding, "check" | "level" | "option" | "given"> {
  return { check, level: "warning", option, given };
}
