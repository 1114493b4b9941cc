import * as z from "zod";
import { completePage, pagingQuerySchema, type PagingQuery } from "./pagination.ts";
import type { RouteDefinition } from "./route.ts";

/**
 * Whether a route that requires scopes returns a list that is never paged: its response is always an array. A query in
 * which `from` has another meaning, such as the first day of a range, has no paging parameters.
 */
function isCompleteList({ method, scopes, responses, query }: RouteDefinition): boolean {
  const from: unknown = query instanceof z.ZodObject ? query.shape["from"] : undefined;
  const isPaged = from === undefined || from === pagingQuerySchema.shape.from;
  return isPaged && method === "GET" && typeof scopes !== "string" && responses[200] instanceof z.ZodArray;
}

/**
 * Adds the paging parameters to the query of a complete list, because Auth0's SDKs send them with a request for any
 * list. {@link completePageOf} applies them.
 * @throws {Error} if the query of a complete list is not an object schema.
 */
export function withPaging(definition: RouteDefinition): RouteDefinition {
  if (!isCompleteList(definition)) return definition;
  const { query = z.strictObject({}) } = definition;
  if (!(query instanceof z.ZodObject)) throw new Error(`the query of ${definition.path} must be an object schema`);
  return { ...definition, query: query.extend(pagingQuerySchema.shape) };
}

/** Returns the page that the query selects if the result of a route is a complete list, and otherwise the result. */
export function completePageOf(definition: RouteDefinition, result: unknown, query: PagingQuery, firstPage: number): unknown {
  return Array.isArray(result) && isCompleteList(definition) ? completePage(result, query, firstPage) : result;
}
