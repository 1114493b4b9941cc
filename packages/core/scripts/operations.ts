import * as z from "zod";
import type { Route, RouteAccess, RouteDefinition } from "../src/http/route.ts";
import { emptyLists } from "../src/management/empty-lists.ts";

/** Paths without an operation in the in-process API, because they are aliases of other operations. */
const aliases = /^\/api\/v2\/(tenants$|refresh_tokens\/|organizations\/:id\/enabled_connections|guardian\/factors\/sms\/)/;

const verbs = { POST: "create", PUT: "replace", PATCH: "update", DELETE: "delete" } as const;

/**
 * Returns the name of a route in the in-process API: its `operation`, or the words of its path and a verb. `GET
 * /api/v2/users/:id/roles` is `users.roles.list`, `PATCH /api/v2/custom-domains/:id` is `customDomains.update`.
 * Undefined for an alias, for a list that is always empty, and for a route that only accepts users: the caller of the
 * in-process API is no user.
 */
export function operationOf(route: Route): readonly string[] | undefined {
  const { definition } = route;
  const { method, path, operation, scopes } = definition;
  if (aliases.test(path) || emptyLists.includes(route) || onlyForUsers.test(path) || isOnlyForUsers(scopes)) return undefined;
  if (operation !== undefined) return operation.split(".");
  const segments = path
    .replace(/^\/api\/v2/, "")
    .split("/")
    .slice(1);
  const words = segments.filter((segment) => !segment.startsWith(":")).map(toCamelCase);
  return [...words, method === "GET" ? (isList(definition) ? "list" : "get") : verbs[method]];
}

/** Paths that only accept users although their scopes do not say so. */
const onlyForUsers = /^\/api\/v2\/(emails\/provider\/test|connections\/:id\/test(\/result)?)$/;

function isOnlyForUsers(scopes: RouteAccess): boolean {
  return typeof scopes !== "string" && scopes.every((scope) => scope.includes(":current_user_"));
}

export function toCamelCase(text: string): string {
  return text.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the names of the path parameters, in their order. */
export function pathParametersOf(path: string): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/** Returns the schema of a route's success response, or null if it has no body. */
export function successOf({ responses }: RouteDefinition): z.ZodType | null {
  const [found] = Object.entries(responses).flatMap(([status, declared]) => (Number(status) < 300 ? [declared] : []));
  return found instanceof z.ZodType ? found : null;
}

function isList(definition: RouteDefinition): boolean {
  const success = successOf(definition);
  return success instanceof z.ZodArray || (success instanceof z.ZodUnion && success.options[0] instanceof z.ZodArray);
}
