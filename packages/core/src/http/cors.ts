import type { RouteAccess, RouteDefinition } from "./route.ts";

// Clients of the Model Context Protocol send `MCP-Protocol-Version` with their discovery requests.
const allowedHeaders =
  "Authorization, Content-Type, Auth0-Client, Auth0-Custom-Domain, DPoP, MCP-Protocol-Version, Prefer, Tenant-Id, X-Request-Language";
const exposedHeaders =
  "DPoP-Nonce, Link, Location, Preference-Applied, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id";

/** Returns the kind of origins that may read a route's responses. */
export function corsOf(definition: { readonly cors?: RouteDefinition["cors"]; readonly scopes: RouteAccess }): "any" | "client" | "none" {
  return definition.cors ?? (definition.scopes === "public" ? "none" : "client");
}

/** The header that allows browsers to send cookies with a script's request, and to store those in the response. */
const withCredentials = { "access-control-allow-credentials": "true" };

/**
 * Responds to a preflight request. At that point the client is unknown, and so is the tenant if several tenants share a
 * host. Therefore the preflight response allows any origin. The script can read the response to its actual request only
 * if {@link corsHeaders} allows it.
 * @param credentials whether cookies may be sent with the request. If so, the route's handler must verify the origin
 * first.
 */
export function preflight(origin: string, methods: readonly string[], credentials = false): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": methods.join(", "),
      ...(credentials && withCredentials),
      "access-control-allow-headers": allowedHeaders,
      "access-control-max-age": "600",
      vary: "Origin",
    },
  });
}

/**
 * The headers of a response that scripts from any origin may read. They do not depend on the origin, so no `Vary`
 * header is needed.
 */
export const corsForAnyOrigin = { "access-control-allow-origin": "*", "access-control-expose-headers": exposedHeaders };

/**
 * Returns the headers that allow a script from `origin` to read a response, if `origin` is one of the client's
 * `origins`.
 */
export function corsHeaders(origin: string, origins: readonly string[], credentials = false): { readonly [name: string]: string } {
  if (!isAllowedOrigin(origins, origin)) return { vary: "Origin" };
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposedHeaders,
    ...(credentials && withCredentials),
    vary: "Origin",
  };
}

/** Whether an origin matches one of the allowed origins. */
export function isAllowedOrigin(origins: readonly string[], origin: string): boolean {
  return origins.some((allowed) => matchesOrigin(allowed, origin));
}

/**
 * Whether an origin matches an allowed origin. They must be equal, except that `*` stands for one leftmost label in an
 * https origin: `https://*.example.com`.
 */
export function matchesOrigin(allowed: string, origin: string): boolean {
  if (allowed === origin) return true;
  const suffix = allowed.startsWith("https://*.") ? allowed.slice("https://*".length) : undefined;
  if (suffix === undefined || !origin.startsWith("https://") || !origin.endsWith(suffix)) return false;
  const label = origin.slice("https://".length, -suffix.length);
  return label !== "" && !label.includes(".");
}
