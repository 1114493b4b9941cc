import { Document } from "./document.ts";
import { successStatus } from "./response.ts";
import { Reply, type Route, type RouteDefinition } from "./route.ts";

/**
 * Validates a handler's result against the schema that the route declares for its status. Used in tests. @throws
 * {Error} that describes the difference.
 */
export function checkReply(route: Route, responses: RouteDefinition["responses"], result: unknown): void {
  if (result instanceof Response) return;
  const content: unknown = result instanceof Document ? JSON.parse(result.text) : result;
  const [body, status = successStatus(route)] = content instanceof Reply ? [content.body, content.status] : [content];
  const declared = responses[status];
  if (typeof declared === "object" && declared !== null && "safeParse" in declared) {
    const parsed = declared.safeParse(body);
    if (!parsed.success)
      throw new Error(`${route.definition.method} ${route.definition.path} violates its response schema: ${parsed.error.message}`);
  }
}
