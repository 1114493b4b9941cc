import { Memoirist } from "memoirist";
import { PosternError } from "../errors.ts";
import { findFault } from "../store/json-fault.ts";
import { notServedText } from "./not-served.ts";
import { invalidInput } from "./validation.ts";

/** Finds the entry for a method and a path. */
export interface Router<T> {
  /**
   * Finds the entry for a request.
   * @param path the percent-encoded path, which starts with a slash.
   * @throws {PosternError} `not_found`, `method_not_allowed` (with the `Allow` header), or `invalid_request` if the
   * path cannot be decoded.
   */
  find(method: string, path: string): { readonly entry: T; readonly params: { readonly [name: string]: string } };
}

/** Creates a {@link Router}. A HEAD request finds the entry for GET. */
export function createPathRouter<T extends { readonly method: string; readonly path: string }>(entries: readonly T[]): Router<T> {
  // A trailing slash is ignored.
  const router = new Memoirist<T>({ loosePath: true });
  for (const entry of entries) router.add(entry.method, entry.path, entry);
  const methods = [...new Set(entries.map((entry) => entry.method))].toSorted();

  return {
    find(method, path) {
      const found = router.find(method === "HEAD" ? "GET" : method, path);
      if (found !== null) return { entry: found.store, params: decodeParams(found.params) };
      const allowed = methods.filter((other) => router.find(other, path) !== null);
      const text = notServedText(method, path, allowed);
      if (allowed.length === 0) throw new PosternError("not_found", text);
      throw new PosternError("method_not_allowed", text, { headers: { allow: allowed.join(", ") } });
    },
  };
}

/**
 * Decodes each parameter once: `auth0%7C123` becomes `auth0|123`. A `%2F` in a parameter does not separate path
 * segments.
 */
function decodeParams(params: { readonly [name: string]: string }): { readonly [name: string]: string } {
  const decoded: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(params)) {
    let text: string;
    try {
      text = decodeURIComponent(value);
    } catch {
      throw invalidInput("path", `'${name}' is not valid percent-encoding`);
    }
    const fault = findFault(text, 0);
    if (fault !== undefined) throw invalidInput("path", `'${name}': ${fault}`);
    decoded[name] = text;
  }
  return decoded;
}
