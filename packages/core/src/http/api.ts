/** The two APIs. Each has a document, a form of errors and a strictness of its own. */
export type Api = "management" | "auth";

/** Which API a path below the base path belongs to, whether it is served or not. */
export function apiOf(path: string): Api {
  return /^\/(api\/v2|tenants|operations)(\/|$)/.test(path) ? "management" : "auth";
}
