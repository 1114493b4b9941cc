/** Where errors are explained by their texts, with what to do: docs/errors.md. Only a developer is led there. */
const page = "https://github.com/postern/postern/blob/main/docs/errors.md";

/** Where the errors of a request are explained. @param path of the request, below the issuer's. */
export function explainedAt(path: string): string {
  if (path.endsWith("/authorize")) return `${page}#at-the-authorization-endpoint`;
  if (path.endsWith("/oauth/token")) return `${page}#at-the-token-endpoint`;
  return page;
}
