/** The two APIs. They have separate OpenAPI documents, different error formats and different strictness. */
export type ApiName = "management" | "auth";

/** Returns the API that a path below the base path belongs to, whether the path is served or not. */
export function apiOf(path: string): ApiName {
  return /^\/(api\/v2|tenants|operations)(\/|$)/.test(path) ? "management" : "auth";
}
