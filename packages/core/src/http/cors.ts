import type { Access, RouteDefinition } from "./route.ts";

const allowedHeaders = "Authorization, Content-Type, Auth0-Client, Auth0-Custom-Domain, DPoP, Prefer, Tenant-Id, X-Request-Language";
const exposedHeaders = "DPoP-Nonce, Link, Preference-Applied, Retry-After, WWW-Authenticate, X-Request-Id";

/** Which origins may read a route's answers. */
export function corsOf(definition: { readonly cors?: RouteDefinition["cors"]; readonly scopes: Access }): "any" | "client" | "none" {
  return definition.cors ?? (definition.scopes === "public" ? "none" : "client");
}

/**
 * Answers a preflight. These endpoints take no cookies and the client is not known yet, so any origin may ask;
 * the answer itself is readable only where {@link corsHeaders} says so.
 */
export function preflight(origin: string, methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": allowedHeaders,
      "access-control-max-age": "600",
      vary: "Origin",
    },
  });
}

/** The headers that let a script of `origin` read an answer: `origins` are those of the client, or `any`. */
export function corsHeaders(origin: string | null, origins: "any" | readonly string[]): { readonly [name: string]: string } {
  if (origin === null) return {};
  const headers = { "access-control-expose-headers": exposedHeaders, vary: "Origin" };
  if (origins === "any") return { ...headers, "access-control-allow-origin": "*" };
  return origins.some((allowed) => matchesOrigin(allowed, origin))
    ? { ...headers, "access-control-allow-origin": origin }
    : { vary: "Origin" };
}

/** Exact, but for a `*` that stands for one leftmost label of an https origin: `https://*.example.com`. */
export function matchesOrigin(allowed: string, origin: string): boolean {
  if (allowed === origin) return true;
  const suffix = allowed.startsWith("https://*.") ? allowed.slice("https://*".length) : undefined;
  if (suffix === undefined || !origin.startsWith("https://") || !origin.endsWith(suffix)) return false;
  const label = origin.slice("https://".length, -suffix.length);
  return label !== "" && !label.includes(".");
}
