/** The page that explains error texts and their remedies: docs/errors.md. Only developers are sent there. */
const page = "https://github.com/postern/postern/blob/main/docs/errors.md";

/** Returns the URL that explains the errors of a request. @param path of the request, below the issuer's. */
export function errorDocumentationUrl(path: string): string {
  if (path.endsWith("/authorize")) return `${page}#at-the-authorization-endpoint`;
  if (path.endsWith("/oauth/token")) return `${page}#at-the-token-endpoint`;
  return page;
}
