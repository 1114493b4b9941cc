import { PosternError } from "../errors.ts";
import { notServedText } from "../http/not-served.ts";

/** The method of a request, and the path of its URL. */
interface RequestLine {
  readonly method: string;
  readonly pathname: string;
}

/**
 * Returns the path of a request below the base path. @throws {PosternError} `not_found` if the path is outside the base
 * path.
 */
export function pathBelowBase({ method, pathname }: RequestLine, basePath: string): string {
  if (basePath === "/") return pathname;
  if (pathname.startsWith(basePath)) return pathname.slice(basePath.length - 1);
  throw new PosternError("not_found", notServedText(method, pathname));
}
