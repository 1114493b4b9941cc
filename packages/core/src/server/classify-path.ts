import { PosternError } from "../errors.ts";
import { apiOf, type ApiName } from "../http/api.ts";
import { notServedText } from "../http/not-served.ts";
import type { ErrorFormat } from "../http/response.ts";

/** The method of a request, and the path of its URL. */
interface RequestLine {
  readonly method: string;
  readonly pathname: string;
}

/** The properties of a request that follow from its path, before its route is known. */
export interface ClassifiedPath {
  /** The path below the base path. */
  readonly path: string;
  readonly api: ApiName;
  /** The format of errors, unless the route declares another one. */
  readonly errorFormat: ErrorFormat;
}

/** Classifies the path of a request. @throws {PosternError} `not_found` if the path is outside the base path. */
export function classifyPath({ method, pathname }: RequestLine, basePath: string): ClassifiedPath {
  const path = belowBasePath({ method, pathname }, basePath);
  const api = apiOf(path);
  return { path, api, errorFormat: api === "management" ? "management" : isPage(path) ? "page" : "oauth" };
}

function belowBasePath({ method, pathname }: RequestLine, basePath: string): string {
  if (basePath === "/") return pathname;
  if (pathname.startsWith(basePath)) return pathname.slice(basePath.length - 1);
  throw new PosternError("not_found", notServedText(method, pathname));
}

/**
 * Whether users open the path in a browser: every path below `/u/` except the flow API, even a path without a route.
 */
function isPage(path: string): boolean {
  return /^\/u\/(?!flow(\/|$))/.test(path);
}
