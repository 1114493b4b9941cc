/** The two APIs. Each has a document, a form of errors and a strictness of its own. */
export type Api = "management" | "auth";

/** The parts that routes are loaded in, each with the first request for it (docs/decisions/0015-loaded-when-asked-for.md). */
export type Part =
  | "management"
  | "login"
  | "flow"
  | "providers"
  | "logout"
  | "tokens"
  | "issued-tokens"
  | "self-service"
  | "document"
  | "metadata";

/** The addresses of each part. What is nobody's is looked up, in vain, in the smallest. */
const parts: readonly (readonly [part: Part, paths: RegExp])[] = [
  ["management", /^\/(api\/v2|tenants|operations)(\/|$)/],
  ["tokens", /^\/(oauth\/token$|userinfo$)/],
  ["issued-tokens", /^\/oauth\//],
  ["login", /^\/(authorize$|u\/(login|invitation))/],
  ["flow", /^\/u\/flow/],
  ["providers", /^\/(login\/|continue$|\.well-known\/webfinger$)/],
  ["logout", /^\/(v2|oidc)\//],
  ["self-service", /^\/(u|dbconnections|co|passwordless|otp|exports|\.well-known\/change-password)(\/|$)/],
  ["document", /^\/\.well-known\/openapi\.json$/],
];

/** Which part a path below the base path belongs to, whether it is served or not. */
export function partOf(path: string): Part {
  return parts.find(([, paths]) => paths.test(path))?.[0] ?? "metadata";
}

/** Which API a path below the base path belongs to, whether it is served or not. */
export function apiOf(path: string): Api {
  return partOf(path) === "management" ? "management" : "auth";
}
