/** The values of a query. Empty and undefined values are omitted. */
export interface LinkQuery {
  readonly [name: string]: string | undefined;
}

/** Builds the URLs of the console. Every link, form and redirect uses it, so `appUrl` alone decides the paths. */
export interface ConsoleLinks {
  /** Returns the path of a screen of the current tenant. Segments are percent-encoded. */
  to(segments: readonly string[], query?: LinkQuery): string;
  /** Returns the path of a screen outside a tenant, such as the sign-out or a file. */
  toRoot(path: string, query?: LinkQuery): string;
}

/**
 * Creates the links of a request.
 * @param base the path of `appUrl`, with a final slash.
 * @param tenant the tenant in the URL; undefined if the URLs name no tenant.
 */
export function createConsoleLinks(base: string, tenant: string | undefined): ConsoleLinks {
  const prefix = tenant === undefined ? base : `${base}t/${encodeURIComponent(tenant)}/`;
  return {
    to: (segments, query = {}) => prefix + segments.map(encodeURIComponent).join("/") + queryText(query),
    toRoot: (path, query = {}) => base + path + queryText(query),
  };
}

/** Returns a query with its question mark, or an empty text. */
function queryText(query: LinkQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") parameters.set(name, value);
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
