import { authRoutes } from "../oauth/routes.ts";
import type { ApiName } from "../http/api.ts";
import { documentRoute } from "../http/document-route.ts";
import type { Route } from "../http/route.ts";
import { createPathRouter, type Router } from "../http/router.ts";
import type { Urls } from "../http/urls.ts";

/** A route with the members that the router needs. */
export interface RoutedEntry {
  readonly method: string;
  readonly path: string;
  readonly route: Route;
}

/** Returns the router of an API. */
export type Routing = (api: ApiName) => Promise<Router<RoutedEntry>>;

/** The optional groups of routes. */
interface Mounted {
  /** The routes that manage tenants. They require a control plane. */
  readonly tenants: boolean;
  /** The routes for operations on tenants. They require a data adapter that stores operations. */
  readonly operations: boolean;
}

/**
 * Creates the {@link Routing} of both APIs. The Management API is loaded on the first request for it, because it
 * contains most of the routes and schemas, and many processes never serve it
 * (docs/decisions/0006-core-loads-in-one-piece.md).
 */
export function createRouting(urls: Urls, mounted: Mounted): Routing {
  const auth = routerOf([...authRoutes, documentRoute("auth", authRoutes, urls)]);
  let management: Promise<Router<RoutedEntry>> | undefined;
  return async (api) => {
    if (api === "auth") return auth;
    management ??= loadManagement(urls, mounted);
    // If a file could not be read, the next request tries again.
    management.catch(() => (management = undefined));
    return management;
  };
}

async function loadManagement(urls: Urls, mounted: Mounted): Promise<Router<RoutedEntry>> {
  const [{ managementRoutes }, { unservedPathError }, { tenantRoutes }, { tenantOperationRoutes }] = await Promise.all([
    import("../management/routes.ts"),
    import("../management/unserved-paths.ts"),
    import("../management/tenants/tenants.ts"),
    import("../management/tenants/operations.ts"),
  ]);
  const routes = [
    ...managementRoutes,
    ...(mounted.tenants ? tenantRoutes : []),
    ...(mounted.tenants && mounted.operations ? tenantOperationRoutes : []),
  ];
  const router = routerOf([...routes, documentRoute("management", routes, urls)]);
  return {
    find(method, path) {
      try {
        return router.find(method, path);
      } catch (error) {
        throw unservedPathError(method, path) ?? error;
      }
    },
  };
}

function routerOf(routes: readonly Route[]): Router<RoutedEntry> {
  return createPathRouter(routes.map((route) => ({ method: route.definition.method, path: route.definition.path, route })));
}
