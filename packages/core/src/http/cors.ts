import type { Access, RouteDefinition } from "./route.ts";

const allowedHeaders = "Authorization, Content-Type, Auth0-Client, Auth0-Custom-Domain, DPoP, Prefer, Tenant-Id, X-Request-Language";
const exposedHeaders =
  "DPoP-Nonce, Link, Preference-Applied, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id";

/** Which origins may read a route's answers. */
export function corsOf(definition: { readonly cors?: RouteDefinition["cors"]; readonly scopes: Access }): "any" | "client" | "none" {
  return definition.cors ?? (definition.scopes === "public" ? "none" : "client");
}

/** Lets browsers send and keep cookies with a script's request. */
const withCredentials = { "access-control-allow-credentials": "true" };

/**
 * Answers a preflight. The client is not known yet, and the tenant is not where they share a host, so any origin may ask; the answer itself is readable only where
 * {@link corsHeaders} says so.
 * @param credentials cookies may travel with the request: its handler sees to it that the origin is the client's before it does anything.
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

/** The headers of an answer that any script may read. They are the same for each, so the answer varies with none. */
export const readableByAny = { "access-control-allow-origin": "*", "access-control-expose-headers": exposedHeaders };

/** The headers that let a script of `origin` read an answer, where it is one of the client's `origins`. */
export function corsHeaders(origin: string, origins: readonly string[], credentials = false): { readonly [name: string]: string } {
  if (!isOneOf(origins, origin)) return { vary: "Origin" };
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposedHeaders,
    ...(credentials && withCredentials),
    vary: "Origin",
  };
}

/** Whether an origin is among those that are allowed. */
export function isOneOf(origins: readonly string[], origin: string): boolean {
  return origins.some((allowed) => matchesOrigin(allowed, origin));
}

/** Exact, but for a `*` that stands for one leftmost label of an https origin: `https://*.example.com`. */
export function matchesOrigin(allowed: string, origin: string): boolean {
  if (allowed === origin) return true;
  const suffix = allowed.startsWith("https://*.") ? allowed.slice("https://*".length) : undefined;
  if (suffix === undefined || !origin.startsWith("https://") || !origin.endsWith(suffix)) return false;
  const label = origin.slice("https://".length, -suffix.length);
  return label !== "" && !label.includes(".");
}
