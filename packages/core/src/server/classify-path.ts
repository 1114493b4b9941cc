import { PosternError } from "../errors.ts";
import { apiOf, type ApiName } from "../http/api.ts";
import type { ErrorFormat } from "../http/response.ts";

/** The properties of a request that follow from its path, before its route is known. */
export interface ClassifiedPath {
  /** The path below the base path. */
  readonly path: string;
  readonly api: ApiName;
  /** The format of errors, unless the route declares another one. */
  readonly errorFormat: ErrorFormat;
}

/** Classifies the path of a request URL. @throws {PosternError} `not_found` if the path is outside of the base path. */
export function classifyPath(pathname: string, basePath: string): ClassifiedPath {
  const path = belowBasePath(pathname, basePath);
  const api = apiOf(path);
  return { path, api, errorFormat: api === "management" ? "management" : isPage(path) ? "page" : "oauth" };
}

function belowBasePath(pathname: string, basePath: string): string {
  if (basePath === "/") return pathname;
  if (pathname.startsWith(basePath)) return pathname.slice(basePath.length - 1);
  throw new PosternError("not_found", "no endpoint has this path");
}

/** Users open the paths below `/u/`, also those without a route. Programs call the flow API only. */
function isPage(path: string): boolean {
  return /^\/u\/(?!flow(\/|$))/.test(path);
}
