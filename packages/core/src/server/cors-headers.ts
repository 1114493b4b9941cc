import { corsHeaders, corsOf, preflight, corsForAnyOrigin } from "../http/cors.ts";
import type { ResponseDraft } from "../http/response.ts";
import { originsOfClient } from "../tenants/client-origins.ts";
import type { RoutedEntry } from "./routing.ts";
import type { Router } from "../http/router.ts";
import type { RequestProgress } from "./progress.ts";

/**
 * Returns the CORS headers that define which scripts may read a response. If any script may read the response, the
 * headers are always included, because a shared cache may return the response to scripts from other origins.
 */
export async function corsHeadersFor(progress: RequestProgress, origin: string | null): Promise<{ readonly [name: string]: string }> {
  const kind = progress.route === undefined ? "none" : corsOf(progress.route.definition);
  if (kind === "any") return corsForAnyOrigin;
  // Origins are looked up only for a request with an `Origin` header.
  if (origin === null) return {};
  return corsHeaders(origin, kind === "none" ? [] : await originsOf(progress), progress.route?.definition.corsCredentials);
}

/**
 * Returns the response to a CORS preflight request. Undefined for any other request, and for routes that no script may
 * call.
 */
export function respondToPreflight(router: Router<RoutedEntry>, path: string, request: Request): ResponseDraft | Response | undefined {
  if (request.method !== "OPTIONS") return undefined;
  const origin = request.headers.get("origin");
  const method = request.headers.get("access-control-request-method");
  if (origin === null || method === null) return undefined;
  const { definition } = router.find(method, path).entry.route;
  return corsOf(definition) === "none" ? undefined : preflight(origin, [method], definition.corsCredentials);
}

/**
 * Returns the allowed origins of the authenticated client, else of the client that the token was issued to, else of the
 * client that the request names. The named client need not be authenticated: its scripts must be able to read
 * authentication errors, and some routes require no client authentication.
 */
async function originsOf({ tenant, client, caller, user, presentedId }: RequestProgress): Promise<readonly string[]> {
  const clientId = (caller ?? user)?.clientId ?? presentedId;
  // If the data store fails here, the request has already failed with the same error, and that error is reported.
  const found = client ?? (clientId === undefined ? undefined : await tenant?.namedClient(clientId).catch(() => undefined));
  return found === undefined ? [] : originsOfClient(found);
}
