/**
 * The page that explains error messages and their remedies: docs/errors.md. Only error responses in development link to
 * it.
 */
const page = "https://github.com/postern/postern/blob/main/docs/errors.md";

/** Returns the URL that explains the errors of an endpoint. @param path the request's path below the issuer. */
export function errorDocumentationUrl(path: string): string {
  if (path.endsWith("/authorize")) return `${page}#at-the-authorization-endpoint`;
  if (path.endsWith("/oauth/token")) return `${page}#at-the-token-endpoint`;
  return page;
}
