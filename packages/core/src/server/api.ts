import type { ApiName } from "../http/api.ts";
import type { ErrorFormat } from "../http/error-body.ts";
import type { Route, RouteDefinition } from "../http/route.ts";
import type { Installation } from "../tenants/installation.ts";
import type { TenantHint } from "../tenants/resolve.ts";
import type { RequestProgress } from "./progress.ts";

/** A group of routes with the same error format, authentication and handling of parameters. A row of {@link apis}. */
export interface Api {
  /** The first segments of its paths, below the base path, such as `/api/v2`. `/` stands for every path. */
  readonly prefixes: readonly `/${string}`[];
  /** Loads the routes. It is called on the first request for the API, and again if it failed. */
  load(mounted: Mounted): Promise<ApiRoutes>;
  /** The OpenAPI document that describes the routes. Default: none. */
  readonly document?: ApiName;
  /** The format of error responses that are not pages. */
  readonly errorFormat: ErrorFormat;
  /**
   * The paths that users open in a browser, even those without a route: their errors are pages. If it is set, a browser
   * that navigates to any other path without a route also receives a page. Default: no error is a page.
   */
  readonly pages?: RegExp;
  /**
   * Authenticates the caller of a route that requires a list of scopes. It is also called for a path without a route,
   * without `definition`, because only authenticated callers learn which routes exist. Default: the API has no such
   * routes, and every caller learns which routes exist.
   * @returns the context for the route's handler.
   */
  readonly authenticate?: AuthenticateCaller;
  /**
   * `rejected`: an unknown query parameter is an error, `name[]` is an item of a list, and an empty value is a value.
   * `ignored`: unknown parameters and empty members of the body count as absent (RFC 6749 section 3.1).
   */
  readonly unknownParameters: "rejected" | "ignored";
}

/** Authenticates the caller of a request. @returns the context for the route's handler. */
export type AuthenticateCaller = (
  installation: Installation,
  address: TenantHint,
  progress: RequestProgress,
  definition: RouteDefinition | undefined,
) => Promise<object>;

/** The routes of an API. */
export interface ApiRoutes {
  readonly routes: readonly Route[];
  /** Returns the error for a path without a route. Default, or if it returns undefined: the error of the router. */
  readonly unservedPathError?: (method: string, path: string) => Error | undefined;
}

/** The optional groups of routes. */
export interface Mounted {
  /** The routes that manage tenants. They require a control plane. */
  readonly tenants: boolean;
  /** The routes for operations on tenants. They require a data adapter that stores operations. */
  readonly operations: boolean;
}

/** Returns the API that a path below the base path belongs to, whether the path is served or not. */
export function findApiOfPath(table: readonly Api[], path: string): Api {
  const found = table.find(({ prefixes }) => prefixes.some((prefix) => prefix === "/" || path === prefix || path.startsWith(`${prefix}/`)));
  if (found === undefined) throw new Error("the table of APIs has no row for all other paths");
  return found;
}
