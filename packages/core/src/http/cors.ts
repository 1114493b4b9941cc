import type { RouteAccess, RouteDefinition } from "./route.ts";

const allowedHeaders = "Authorization, Content-Type, Auth0-Client, Auth0-Custom-Domain, DPoP, Prefer, Tenant-Id, X-Request-Language";
const exposedHeaders =
  "DPoP-Nonce, Link, Preference-Applied, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id";

/** Returns which origins may read a route's responses. */
export function corsOf(definition: { readonly cors?: RouteDefinition["cors"]; readonly scopes: RouteAccess }): "any" | "client" | "none" {
  return definition.cors ?? (definition.scopes === "public" ? "none" : "client");
}

/** Allows browsers to send and store cookies with a script's request. */
const withCredentials = { "access-control-allow-credentials": "true" };

/**
 * Responds to a preflight request. The client is unknown at that point, and so is the tenant if several share a host.
 * So the preflight allows any origin; the response itself is only readable if {@link corsHeaders} allows it.
 * @param credentials whether cookies may be sent with the request. The route's handler must then verify the origin
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
 * The headers of a response that scripts of any origin may read. They do not depend on the origin, so no `Vary` header
 * is needed.
 */
export const corsForAnyOrigin = { "access-control-allow-origin": "*", "access-control-expose-headers": exposedHeaders };

/** Returns the headers that allow a script of `origin` to read a response, if it is one of the client's `origins`. */
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
 * Compares origins exactly, except that `*` stands for one leftmost label of an https origin: `https://*.example.com`.
 */
export function matchesOrigin(allowed: string, origin: string): boolean {
  if (allowed === origin) return true;
  const suffix = allowed.startsWith("https://*.") ? allowed.slice("https://*".length) : undefined;
  if (suffix === undefined || !origin.startsWith("https://") || !origin.endsWith(suffix)) return false;
  const label = origin.slice("https://".length, -suffix.length);
  return label !== "" && !label.includes(".");
}
