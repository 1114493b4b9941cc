import { documentRoute } from "../http/document-route.ts";
import type { Route } from "../http/route.ts";
import { createPathRouter, type Router } from "../http/router.ts";
import type { Urls } from "../http/urls.ts";
import { findApiOfPath, type Api, type Mounted } from "./api.ts";
import { apis } from "./apis.ts";

/** A route with the members that the router needs. */
export interface RoutedEntry {
  readonly method: string;
  readonly path: string;
  readonly route: Route;
}

/** Finds the API of a path, and the routes of an API. */
export interface Routing {
  /** Returns the API that a path below the base path belongs to, whether the path is served or not. */
  apiOf(path: string): Api;
  /** Returns the router of an API. The first call loads the API's routes. */
  routerOf(api: Api): Promise<Router<RoutedEntry>>;
}

/** Creates the {@link Routing} of the APIs in the table {@link apis}. */
export function createRouting(urls: Urls, mounted: Mounted): Routing {
  const routers = new Map<Api, Promise<Router<RoutedEntry>>>();
  return {
    apiOf: (path) => findApiOfPath(apis, path),
    routerOf(api) {
      const known = routers.get(api);
      if (known !== undefined) return known;
      const loaded = loadRouter(api, urls, mounted);
      routers.set(api, loaded);
      // If a file could not be read, the next request tries again.
      loaded.catch(() => routers.delete(api));
      return loaded;
    },
  };
}

async function loadRouter(api: Api, urls: Urls, mounted: Mounted): Promise<Router<RoutedEntry>> {
  const { routes, unservedPathError } = await api.load(mounted);
  const described = api.document === undefined ? [] : [documentRoute(api.document, routes, urls)];
  const router = createPathRouter(
    [...routes, ...described].map((route) => ({ method: route.definition.method, path: route.definition.path, route })),
  );
  if (unservedPathError === undefined) return router;
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
