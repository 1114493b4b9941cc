import { partOf, type Part } from "./http/api.ts";
import type { Route } from "./http/route.ts";
import { createPathRouter, type Router } from "./http/router.ts";
import type { Urls } from "./http/urls.ts";

/** A route with what the router needs of it. */
export interface RoutedEntry {
  readonly method: string;
  readonly path: string;
  readonly route: Route;
}

/** Finds the router of the part that a path below the base path belongs to. */
export type Routing = (path: string) => Promise<Router<RoutedEntry>>;

/** Which routes are there that not every installation has. */
export interface Mounted {
  /** Those of tenants: with a control plane. */
  readonly tenants: boolean;
  /** Those of operations on them: with an adapter that keeps operations. */
  readonly operations: boolean;
}

/**
 * Makes the {@link Routing} of both APIs.
 *
 * Each part is loaded with the first request for it. The Management API has most of the routes and of their schemas, the login all pages: a process answers its first request sooner
 * without what nobody asked for (docs/decisions/0015-loaded-when-asked-for.md).
 */
export function createRouting(urls: Urls, mounted: Mounted): Routing {
  const loaded = new Map<Part, Promise<Router<RoutedEntry>>>();
  return (path) => {
    const part = partOf(path);
    let router = loaded.get(part);
    if (router === undefined) {
      router = load[part](urls, mounted);
      loaded.set(part, router);
      // A file that could not be read is tried again.
      router.catch(() => loaded.delete(part));
    }
    return router;
  };
}

const load: { readonly [P in Part]: (urls: Urls, mounted: Mounted) => Promise<Router<RoutedEntry>> } = {
  metadata: async () => routerOf((await import("./auth/parts/metadata.ts")).metadataRoutes),
  "issued-tokens": async () => routerOf((await import("./auth/parts/issued-tokens.ts")).issuedTokenRoutes),
  flow: async () => routerOf((await import("./auth/parts/flow.ts")).flowRoutes),
  providers: async () => routerOf((await import("./auth/parts/providers.ts")).providerRoutes),
  logout: async () => routerOf((await import("./auth/parts/logout.ts")).logoutRoutes),
  tokens: async () => routerOf((await import("./auth/parts/tokens.ts")).tokenRoutes),
  login: async () => routerOf((await import("./auth/parts/login.ts")).loginRoutes),
  "self-service": async () => routerOf((await import("./auth/parts/self-service.ts")).selfServiceRoutes),
  document: async (urls) => {
    const [{ documentRoute }, { authRoutes }] = await Promise.all([import("./http/openapi.ts"), import("./auth/routes.ts")]);
    return routerOf([documentRoute("auth", authRoutes, urls)]);
  },
  management: loadManagement,
};

async function loadManagement(urls: Urls, mounted: Mounted): Promise<Router<RoutedEntry>> {
  const [{ documentRoute }, { managementRoutes }, { refusalOfUnserved }, { tenants }, { tenantOperations }] = await Promise.all([
    import("./http/openapi.ts"),
    import("./management/routes.ts"),
    import("./management/unserved.ts"),
    import("./management/tenants/tenants.ts"),
    import("./management/tenants/operations.ts"),
  ]);
  const routes = [
    ...managementRoutes,
    ...(mounted.tenants ? tenants : []),
    ...(mounted.tenants && mounted.operations ? tenantOperations : []),
  ];
  const router = routerOf([...routes, documentRoute("management", routes, urls)]);
  return {
    find(method, path) {
      try {
        return router.find(method, path);
      } catch (error) {
        throw refusalOfUnserved(method, path) ?? error;
      }
    },
  };
}

function routerOf(routes: readonly Route[]): Router<RoutedEntry> {
  return createPathRouter(routes.map((route) => ({ method: route.definition.method, path: route.definition.path, route })));
}
