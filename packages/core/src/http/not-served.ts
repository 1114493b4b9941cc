/** The table of Auth0's endpoints that says which of them Postern serves. */
const endpoints = "https://github.com/postern/postern/blob/main/docs/reference/auth0-endpoints.md";

/** Maximum characters of a path in the text, so that `error_description` is long enough for the link. */
const maximumPathLength = 200;

/**
 * Returns the text of every error for a request that no route serves.
 * @param supported the methods that the path supports, if it has any.
 */
export function notServedText(method: string, path: string, supported: readonly string[] = []): string {
  const methods = supported.length === 0 ? "" : ` (this path supports ${supported.join(", ")})`;
  return `${method} ${path.slice(0, maximumPathLength)} is not served${methods}: Postern does not have this feature, or the path or the method is wrong. See ${endpoints}`;
}
