import { authRoutes } from "./auth/routes.ts";
import { apiOf, type Api } from "./http/api.ts";
import { documentRoute } from "./http/openapi.ts";
import type { Route } from "./http/route.ts";
import { createPathRouter, type Router } from "./http/router.ts";
import type { Urls } from "./http/urls.ts";

/** A route with what the router needs of it. */
export interface RoutedEntry {
  readonly method: string;
  readonly path: string;
  readonly route: Route;
}

/** Finds the router of the API that a path below the base path belongs to. */
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
 * The Management API is loaded with the first request for it. It has most of the routes and of their schemas,
 * and a process that signs people in answers its first request sooner without (docs/decisions/0015-loaded-when-asked-for.md).
 */
export function createRouting(urls: Urls, mounted: Mounted): Routing {
  const auth = routerOf("auth", authRoutes, urls);
  let management: Promise<Router<RoutedEntry>> | undefined;
  return async (path) => {
    if (apiOf(path) === "auth") return auth;
    management ??= loadManagement(urls, mounted).catch((error: unknown) => {
      // A file that could not be read is tried again.
      management = undefined;
      throw error;
    });
    return management;
  };
}

async function loadManagement(urls: Urls, mounted: Mounted): Promise<Router<RoutedEntry>> {
  const [{ managementRoutes }, { refusalOfUnserved }, { tenants }, { tenantOperations }] = await Promise.all([
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
  const router = routerOf("management", routes, urls);
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

function routerOf(api: Api, routes: readonly Route[], urls: Urls): Router<RoutedEntry> {
  const served = [...routes, documentRoute(api, routes, urls)];
  return createPathRouter(served.map((route) => ({ method: route.definition.method, path: route.definition.path, route })));
}
